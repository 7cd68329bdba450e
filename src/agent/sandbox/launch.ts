import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { emptyDescriptor, inheritedDescriptors } from "../../store/files/own-descriptors.ts";
import type { CommandOrder, Invocation, Sandbox } from "./sandbox.ts";

/** A command at work. */
export interface SandboxedProcess {
  /** What it reads, where it was started with input. */
  input: Writable | undefined;
  /** Of the process that everything it starts descends from; 0 when there is none. */
  pid: number;
  /** Ends everything it started. Idempotent. */
  kill(): void;
  done: Promise<CommandEnd>;
}

export interface CommandEnd {
  /** Whether the sandbox stood and the command was started. */
  isSetUp: boolean;
  /** As shells count: 128 and more for a signal. */
  code: number;
  /** What the sandbox itself said, when it did not stand. */
  trouble: string;
}

/** Input, output, the sandbox's own words, the sign that it stands, and what the sandbox reads. */
const STREAMS = ["ignore", "pipe", "pipe", "pipe", "ignore"] as const;
const READ_BY_COMMAND = 0;
const READ_BY_SANDBOX = 4;
const LONGEST_TROUBLE = 2_000;
/** How long to wait for the pipes of a process that was killed. */
const LAST_WORDS_MS = 1_000;

const alive = new Set<ChildProcess>();
let isWatching = false;

/** `err` only of an order that keeps errors apart: the sandbox's own words, if any, come first. */
type OnOutput = (chunk: Buffer, stream: "out" | "err") => void;

export function start(
  sandbox: Sandbox,
  order: CommandOrder,
  onOutput: OnOutput,
  input: "ignore" | "pipe" = "ignore",
): SandboxedProcess {
  const child = launched(sandbox.invoke(order), input);
  if (child instanceof Error) {
    const end = { isSetUp: false, code: 127, trouble: child.message };
    return { pid: 0, input: undefined, kill: () => undefined, done: Promise.resolve(end) };
  }
  watchOverOwnEnd();
  alive.add(child);
  const kill = () => killGroup(child);
  // A command that is over takes no input; its end says so.
  child.stdin?.on("error", () => undefined);
  return {
    pid: child.pid ?? 0,
    input: child.stdin ?? undefined,
    kill,
    done: endOf(child, order.keepsErrors === true ? onOutput : outputOnly(onOutput), kill),
  };
}

/** Some refusals of the system come at once, others as an event. */
function launched({ program, args, env, cwd, input }: Invocation, forCommand: "ignore" | "pipe"): ChildProcess | Error {
  const isPipe = (fd: number) =>
    (fd === READ_BY_SANDBOX && input !== undefined) || (fd === READ_BY_COMMAND && forCommand === "pipe");
  const stdio = [...STREAMS, ...covered()].map((kind, fd) => (isPipe(fd) ? "pipe" : kind));
  try {
    // Its own group and session: no terminal to write to, and one signal reaches all of the sandbox.
    const child = spawn(program, args, { env, cwd, detached: true, stdio });
    const reader = child.stdio[READ_BY_SANDBOX] as Writable | null;
    // A sandbox that ends early does not read it.
    reader?.on("error", () => undefined).end(input);
    return child;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What this process was itself started with must not be found open by a command. */
function covered(): (number | "ignore")[] {
  const open = inheritedDescriptors();
  const highest = Math.max(STREAMS.length - 1, ...open);
  const rest = Array.from({ length: highest + 1 - STREAMS.length }, (_, at) => at + STREAMS.length);
  return rest.map((fd) => (open.includes(fd) ? emptyDescriptor() : "ignore"));
}

function outputOnly(onOutput: OnOutput): OnOutput {
  return (chunk, stream) => (stream === "out" ? onOutput(chunk, stream) : undefined);
}

function endOf(child: ChildProcess, onOutput: OnOutput, kill: () => void): Promise<CommandEnd> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd>();
  let isSetUp = false;
  let trouble = "";
  child.stdout?.on("data", (chunk: Buffer) => onOutput(chunk, "out"));
  child.stderr?.on("data", (chunk: Buffer) => {
    onOutput(chunk, "err");
    trouble = `${trouble}${chunk.toString("utf8")}`.slice(0, LONGEST_TROUBLE);
  });
  const sign = child.stdio[3] as Readable | null;
  sign?.on("data", () => {
    isSetUp = true;
  });
  const end = (code: number) => {
    alive.delete(child);
    resolve({ isSetUp, code, trouble: trouble.trim() });
  };
  child.once("error", (error) => {
    trouble ||= error.message;
    end(127);
  });
  child.once("exit", (code, signal) => {
    // Whatever it left behind goes with it.
    kill();
    const number = code ?? 128 + (SIGNALS[signal ?? ""] ?? 9);
    const late = setTimeout(() => end(number), LAST_WORDS_MS);
    child.once("close", () => {
      clearTimeout(late);
      end(number);
    });
  });
  return promise;
}

const SIGNALS: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGTERM: 15 };

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

/** The kernel does the same when this process is killed; here it is sure on every system. */
function watchOverOwnEnd(): void {
  if (isWatching) return;
  isWatching = true;
  process.on("exit", () => {
    for (const child of alive) killGroup(child);
  });
}
