import { type SandboxedProcess, start } from "../../agent/sandbox/launch.ts";
import { sandboxNamed } from "../../agent/sandbox/probe.ts";
import type { CommandOrder } from "../../agent/sandbox/sandbox.ts";
import { linkStatOf } from "../../store/files/regular-file.ts";

export type HookOrder = Omit<CommandOrder, "command">;
type OnOutput = (chunk: Buffer, stream: "out" | "err") => void;

/** A sandbox that waits for its command, as one line on its stdin; what follows the line is the command's own stdin. */
export interface ReadySandbox {
  running: SandboxedProcess;
  listen(onOutput: OnOutput): void;
}

interface Spare extends ReadySandbox {
  timer: NodeJS.Timeout;
}

const WAITS = 'IFS= read -r command && eval "$command"';
const MOST_SPARES = 4;
const PREPARE_AFTER_MS = 20;
const SPARE_MS = 30_000;

/**
 * Sandboxes for hooks. Setting one up takes longer than most hooks, so after a hook the next sandbox like it is prepared. One
 * is used for one hook only, and only while everything that it shows or hides is still the same.
 */
export class HookSandboxes {
  readonly #spares = new Map<string, Spare>();
  #isClosed = false;

  take(order: HookOrder): ReadySandbox {
    const key = keyOf(order);
    const spare = this.#spares.get(key);
    if (spare === undefined) return begin(order);
    this.#spares.delete(key);
    clearTimeout(spare.timer);
    return spare;
  }

  /** For the next hook like this one. What came of this one is told first: starting a process takes its time. */
  prepareSoon(order: HookOrder): void {
    setTimeout(() => this.#prepare(order), PREPARE_AFTER_MS).unref();
  }

  #prepare(order: HookOrder): void {
    const key = keyOf(order);
    if (this.#isClosed || this.#spares.has(key)) return;
    const [oldest] = this.#spares.keys();
    if (this.#spares.size >= MOST_SPARES && oldest !== undefined) this.#end(oldest);
    const ready = begin(order);
    this.#spares.set(key, { ...ready, timer: setTimeout(() => this.#end(key), SPARE_MS).unref() });
    void ready.running.done.then(() => {
      if (this.#spares.get(key)?.running === ready.running) this.#end(key);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#spares.keys()]) this.#end(key);
  }

  #end(key: string): void {
    const spare = this.#spares.get(key);
    if (spare === undefined) return;
    this.#spares.delete(key);
    clearTimeout(spare.timer);
    spare.running.kill();
  }
}

function begin(order: HookOrder): ReadySandbox {
  let hear: OnOutput = () => undefined;
  const command: CommandOrder = { ...order, command: WAITS, keepsErrors: true, skipsSearch: true };
  const running = start(sandboxNamed(order.policy.name), command, (chunk, stream) => hear(chunk, stream), "pipe");
  return {
    running,
    listen: (onOutput) => {
      hear = onOutput;
    },
  };
}

/** A file that was replaced at its path is another one to a sandbox that shows, or hides, the earlier one. */
function keyOf(order: HookOrder): string {
  const { workdir, masked, protectedPaths, lent } = order;
  const paths = [workdir, ...masked.map(({ path }) => path), ...protectedPaths, ...lent.map(({ from }) => from)];
  const stamps = paths.map((path) => {
    const stat = linkStatOf(path);
    if (stat === undefined) return "";
    return stat.isDirectory() ? stat.ino : `${stat.ino} ${stat.ctimeMs}`;
  });
  return JSON.stringify([order, stamps]);
}
