import type { DaemonModule, Host, Sink } from "./host.ts";

/** This very process as the host of a command. */
export function processHost(): Host {
  let handler: (() => void) | undefined;
  process.on("SIGINT", () => (handler === undefined ? process.exit(130) : handler()));
  // A reader that goes away (`| head`) ends a command quietly: nobody is left to tell. A daemon goes on without readers.
  const onLostReader = (error: NodeJS.ErrnoException) => {
    if (handler === undefined) process.exit(error.code === "EPIPE" ? 0 : 1);
  };
  return {
    env: process.env,
    pid: process.pid,
    out: sinkOf(process.stdout, onLostReader),
    err: sinkOf(process.stderr, onLostReader),
    get canAsk() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true;
    },
    ask,
    readInput,
    onSignal: (own) => {
      handler = own;
      process.on("SIGTERM", own).on("SIGHUP", own);
    },
    exit: (code) => process.exit(code),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    openBrowser,
    loadDaemon,
  };
}

function sinkOf(stream: NodeJS.WriteStream, onError: (error: NodeJS.ErrnoException) => void): Sink {
  stream.on("error", onError);
  return { write: (text) => stream.write(text), isTerminal: stream.isTTY === true, columns: stream.columns };
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => process.exit(130));
  return new Promise((resolve) => {
    terminal.on("close", () => resolve(""));
    terminal.question(question, (reply) => {
      resolve(reply);
      terminal.close();
    });
  });
}

async function readInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part);
  return Buffer.concat(parts);
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
