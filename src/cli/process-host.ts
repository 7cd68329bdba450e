import { HallError } from "../contract/errors.ts";
import { failureText } from "./failure.ts";
import type { DaemonModule, Host, Input, KeyPress, Sink, Time } from "./host.ts";
import { ownCommand } from "./own-command.ts";
import { plain } from "./text/paint.ts";

/** This very process as the host of a command. */
export function processHost(): Host {
  let handler: (() => void) | undefined;
  let interrupted: (() => void) | undefined;
  let others: readonly NodeJS.Signals[] = [];
  const onOther = () => interrupted?.();
  process.on("SIGINT", () => (handler ?? interrupted ?? (() => process.exit(130)))());
  // A reader that goes away (`| head`) ends a command quietly: nobody is left to tell. A daemon goes on without readers.
  const onLostReader = (error: NodeJS.ErrnoException) => {
    if (handler === undefined) process.exit(error.code === "EPIPE" ? 0 : reportLoss(error));
  };
  return {
    env: process.env,
    calledAs: ownCommand(process.env),
    pid: process.pid,
    out: sinkOf(process.stdout, onLostReader),
    // Whether anybody hears of it decides nothing: the exit code still tells.
    err: sinkOf(process.stderr, () => undefined),
    input,
    time,
    onSignal: (own) => {
      handler = own;
      process.on("SIGTERM", own).on("SIGHUP", own);
    },
    onInterrupt: (own, signals = []) => {
      for (const name of others) process.off(name, onOther);
      others = own === undefined ? [] : signals;
      for (const name of others) process.on(name, onOther);
      interrupted = own;
    },
    exit: (code) => process.exit(code),
    buildDashboard: async () => (await import("./dashboard-build.ts")).buildDashboard(),
    openBrowser,
    loadDaemon,
  };
}

const input: Input = {
  get canAsk() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  ask,
  read: readInput,
  readPiped,
  onKeys,
};

const time: Time = {
  now: Date.now,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
};

function sinkOf(stream: NodeJS.WriteStream, onError: (error: NodeJS.ErrnoException) => void): Sink {
  stream.on("error", onError);
  return {
    write: (text) => stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

/** A full disk behind `> file` must not look like success. */
function reportLoss({ code }: NodeJS.ErrnoException): number {
  const hint = "Check the output file or pipe. Changes made by the command are kept.";
  const failure = new HallError("storage_failed", `Can't write the output (${code}).`, { hint });
  process.stderr.write(
    failureText(failure, { json: false, debug: false, paint: plain, width: undefined, calledAs: "guildhall" }),
  );
  return failure.exit;
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => process.stderr.write("\n", () => process.exit(130)));
  return new Promise((resolve) => {
    const onEnd = () => process.stderr.write("\n", () => resolve(""));
    terminal.on("close", onEnd);
    terminal.question(question, (reply) => {
      terminal.off("close", onEnd).close();
      resolve(reply);
    });
  });
}

async function readInput(): Promise<Buffer> {
  if (process.stdin.isTTY) process.stderr.write("Enter the text, then press Ctrl-D on an empty line.\n");
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part);
  return Buffer.concat(parts);
}

const FIRST_WORD_MS = 1_000;

async function readPiped(): Promise<Buffer | undefined> {
  const { stdin } = process;
  if (stdin.isTTY) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const timer = setTimeout(() => {
    stdin.pause();
    resolve(undefined);
  }, FIRST_WORD_MS);
  const end = () => {
    clearTimeout(timer);
    resolve(Buffer.concat(parts));
  };
  stdin.on("data", (part: Buffer) => {
    clearTimeout(timer);
    parts.push(part);
  });
  // One that was closed says nothing.
  stdin.on("end", end).on("error", end);
  return promise;
}

const PASTES_ARE_MARKED = "\u001b[?2004h";
const PASTES_ARE_TYPED = "\u001b[?2004l";

async function onKeys(handler: (key: KeyPress | undefined) => void): Promise<() => void> {
  const { emitKeypressEvents } = await import("node:readline");
  const { stdin, stdout } = process;
  const pressed = (text: string | undefined, key: { name?: string; ctrl?: boolean; meta?: boolean }) =>
    handler({ text, name: key.name, ctrl: key.ctrl === true, meta: key.meta === true });
  const gone = () => handler(undefined);
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  const marks = process.env.TERM !== "dumb";
  if (marks) stdout.write(PASTES_ARE_MARKED);
  stdin.on("keypress", pressed).on("end", gone).on("error", gone).resume();
  return () => {
    stdin.off("keypress", pressed).off("end", gone).pause();
    stdin.setRawMode(false);
    if (marks) stdout.write(PASTES_ARE_TYPED);
  };
}

/** A person without a browser can open the address by hand, so that nothing here may fail. */
async function openBrowser(url: string): Promise<void> {
  const { spawn } = await import("node:child_process");
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  if (opener === "xdg-open" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const child = spawn(opener, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

async function loadDaemon(): Promise<DaemonModule> {
  return import("../daemon.ts");
}
