import { watchOver } from "../../agent/sandbox/command-watch.ts";
import type { SandboxedProcess } from "../../agent/sandbox/launch.ts";
import { quoted } from "../../agent/sandbox/sandbox.ts";
import { plainOutput } from "../../agent/tools/command-output.ts";
import type { HookEnd } from "./hook-answer.ts";
import { MOST_KEPT, MOST_PRINTED } from "./hook-limits.ts";
import type { HookOrder, HookSandboxes } from "./hook-sandboxes.ts";

interface HookCommand {
  /** What the sandbox shows; nothing in it is writable but its own /tmp. */
  order: HookOrder;
  sandboxes: HookSandboxes;
  /** The program and its arguments. */
  words: readonly string[];
  env: Readonly<Record<string, string>>;
  input: string;
  timeoutMs: number;
  /** Aborted when the daemon stops. */
  closing: AbortSignal;
}

/** Runs a hook's program in the sandbox. Resolves when it and everything it started are gone; never rejects. */
export async function runCommand(hook: HookCommand): Promise<HookEnd> {
  const { order, sandboxes, input, timeoutMs, closing } = hook;
  if (closing.aborted) return { kind: "unable", reason: "the daemon is stopping" };
  const kept = new KeptOutput(() => stop("it printed more than 4 MB"));
  let stopped: string | undefined;
  const { running, listen } = sandboxes.take(order);
  listen(kept.add);
  const stop = (reason: string) => {
    stopped ??= reason;
    running.kill();
  };
  const onClosing = () => stop("the daemon is stopping");
  const timer = setTimeout(() => stop(`it exceeded its time limit of ${timeoutMs / 1_000} s`), timeoutMs);
  closing.addEventListener("abort", onClosing, { once: true });
  const endWatch = watched(running, order, stop);
  running.input?.end(`${shellText(hook)}\n${input}`);
  try {
    const { isSetUp, code, trouble } = await running.done;
    if (stopped !== undefined) return { kind: "unable", reason: stopped };
    if (!isSetUp) return { kind: "unable", reason: `the sandbox could not be set up: ${trouble}` };
    return { kind: "exit", code, out: kept.text("out"), err: kept.text("err") };
  } finally {
    clearTimeout(timer);
    closing.removeEventListener("abort", onClosing);
    endWatch();
    sandboxes.prepareSoon(order);
  }
}

function watched({ pid }: SandboxedProcess, { policy }: HookCommand["order"], stop: (reason: string) => void) {
  const { memoryMb, processes } = policy;
  return watchOver({ pid, memoryMb, processes, places: [], onOveruse: ({ reason }) => stop(reason) });
}

/** One line. `exec`, so that the program's own end is the command's. */
function shellText({ words, env }: HookCommand): string {
  const set = Object.entries(env).map(([name, value]) => `export ${name}=${onLine(value)}; `);
  const isLong = words.some((word) => word.includes("\n"));
  return `${isLong ? LINE_END : ""}${set.join("")}exec ${words.map(onLine).join(" ")}`;
}

/** A variable of the shell stands for the end of a line. */
const LINE_END = `newline=$(printf '\\nx'); newline=\${newline%x}; `;

function onLine(word: string): string {
  return word.split("\n").map(quoted).join('"$newline"');
}

/** All of stdout, whose end may refuse, and the beginning of stderr. */
class KeptOutput {
  readonly #kept = { out: [] as Buffer[], err: [] as Buffer[] };
  readonly #room = { out: MOST_PRINTED, err: MOST_KEPT };
  readonly #onTooMuch: () => void;
  #printed = 0;

  constructor(onTooMuch: () => void) {
    this.#onTooMuch = onTooMuch;
  }

  readonly add = (chunk: Buffer, stream: "out" | "err"): void => {
    this.#printed += chunk.length;
    if (this.#printed > MOST_PRINTED) this.#onTooMuch();
    const piece = chunk.subarray(0, this.#room[stream]);
    if (piece.length === 0) return;
    this.#kept[stream].push(Buffer.from(piece));
    this.#room[stream] -= piece.length;
  };

  text(stream: "out" | "err"): string {
    return plainOutput(Buffer.concat(this.#kept[stream]).toString("utf8"));
  }
}
