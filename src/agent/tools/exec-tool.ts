import { z } from "zod";
import type { DiskRoom } from "../../store/host/disk-room.ts";
import { openInOwnFolder } from "../../store/secrets/protected-places.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import { changedPaths, surveyTree } from "../../store/snapshots/tree-survey.ts";
import { type GitGuard, guarded } from "../git-guard.ts";
import { type Overuse, watchOver } from "../sandbox/command-watch.ts";
import { type CommandEnd, start } from "../sandbox/launch.ts";
import type { CommandOrder, Sandbox } from "../sandbox/sandbox.ts";
import { defineTool, schemaOnce, type Tool, type ToolOutcome, type ToolUse } from "../tool.ts";
import { CommandOrders, type CommandSetting } from "./command-orders.ts";
import { CommandOutput } from "./command-output.ts";

const USUAL_SECONDS = 120;
const MOST_SECONDS = 86_400;
const MOST_FILES_NAMED = 500;

export interface ExecOptions extends CommandSetting {
  sandbox: Sandbox;
  /** Milliseconds the run may still take. */
  timeLeft: () => number;
  /** Hides secrets in everything a command says. */
  redactor: Redactor;
  onOutput: (callId: string, text: string) => void;
  /** Of folders in which commands leave no repository behind. */
  guards?: readonly GitGuard[] | undefined;
  /** The room on a disk; the system is asked unless given. */
  roomAt?: (path: string) => DiskRoom | undefined;
}

interface Ended extends CommandEnd {
  seconds: number;
  /** What it took too much of, so that it was ended from outside. */
  overuse?: { of: Overuse["of"] | "time"; reason: string } | undefined;
}

const command = z
  .string()
  .min(1)
  .max(100_000)
  .refine((text) => !text.includes("\0"), "must not contain NUL");

export const ExecInput = schemaOnce(() =>
  z.strictObject({
    command,
    timeoutSeconds: z.int().min(1).max(MOST_SECONDS).default(USUAL_SECONDS).describe("Time limit in seconds."),
  }),
);

/** Runs commands; what they may do is decided by the sandbox, never by the model. */
export function execTool(options: ExecOptions): Tool {
  const orders = new CommandOrders(options);
  return defineTool({
    name: "exec",
    description: `Run a shell command (sh) in the working folder, sandboxed: ${containment(options)} No stdin; background processes end with the command.`,
    input: ExecInput(),
    changes: true,
    run: (input, use) => carryOut({ input, use, options, orders }),
  });
}

function containment({ workdir, policy: { name, network, writable } }: ExecOptions): string {
  if (name === "none") return "NOT isolated from this machine, so be careful.";
  const others = writable.length === 0 ? "" : ` and ${writable.join(", ")}`;
  const here =
    openInOwnFolder(workdir) === undefined ? "this folder" : "subfolders of this one (no new entries at its top level)";
  return `only ${here}${others} and /tmp are writable, ${network ? "network access is allowed" : "no network"}.`;
}

interface Called {
  input: { command: string; timeoutSeconds: number };
  use: ToolUse;
  options: ExecOptions;
  orders: CommandOrders;
}

async function carryOut(called: Called): Promise<ToolOutcome> {
  const { input, use, options, orders } = called;
  use.signal.throwIfAborted();
  const before = surveyTree(options.workdir);
  const order = orders.make(input.command, before);
  if (typeof order === "string") return { output: `${order} The command was not run.`, failed: true };
  const { path, name } = options.keepAt(use.callId);
  const onText = (text: string) => options.onOutput(use.callId, text);
  const output = new CommandOutput({ path, redactor: options.redactor, onText });
  const { ended, left } = await guarded(options.guards ?? [], async () => {
    use.signal.throwIfAborted();
    return untilEnd({ ...called, order, output });
  });
  output.close();
  use.signal.throwIfAborted();
  if (!ended.isSetUp && ended.overuse === undefined)
    return {
      output: `The sandbox (${options.policy.name}) could not be set up: ${ended.trouble}. The command was not run.`,
      failed: true,
    };
  const after = surveyTree(options.workdir);
  const files = changedPaths(before, after);
  const notes = [...notesOn(files.length, before.isPartial || after.isPartial), ...left];
  const shown = output.shown(name);
  return {
    output: [outcomeOf(ended), shown === "" ? "(no output)" : shown, ...notes].join("\n"),
    ...(ended.code !== 0 || ended.overuse !== undefined ? { failed: true } : {}),
    ...(files.length === 0 ? {} : { files: files.slice(0, MOST_FILES_NAMED) }),
    ...(ended.overuse === undefined ? {} : { stopped: ended.overuse.of }),
  };
}

/** Resolves when the command and everything it started are gone. */
async function untilEnd(started: Called & { order: CommandOrder; output: CommandOutput }): Promise<Ended> {
  const { input, use, options, order, output } = started;
  const begun = performance.now();
  const seconds = Math.max(1, Math.min(input.timeoutSeconds, Math.floor(options.timeLeft() / 1_000)));
  const running = start(options.sandbox, order, (chunk) => output.add(chunk));
  let overuse: Ended["overuse"];
  const stop = (found: Ended["overuse"]) => {
    overuse ??= found;
    running.kill();
  };
  const timer = setTimeout(
    () => stop({ of: "time", reason: `it exceeded its limit of ${seconds} s` }),
    seconds * 1_000,
  );
  const { memoryMb, processes, writable } = order.policy;
  const watched = { pid: running.pid, memoryMb, processes, places: [order.workdir, ...writable], onOveruse: stop };
  const endWatch = watchOver(watched, options.roomAt);
  use.signal.addEventListener("abort", running.kill, { once: true });
  try {
    const end = await running.done;
    return { ...end, overuse, seconds: (performance.now() - begun) / 1_000 };
  } finally {
    clearTimeout(timer);
    endWatch();
    use.signal.removeEventListener("abort", running.kill);
  }
}

function outcomeOf({ code, seconds, overuse }: Ended): string {
  const took = `after ${seconds.toFixed(1)} s`;
  if (overuse !== undefined) return `Killed ${took}, with its child processes: ${overuse.reason}.`;
  return `Exit code ${code}${meaningOf(code)} ${took}.`;
}

const MEANINGS: Record<number, string> = {
  126: "not executable",
  127: "command not found",
  134: "SIGABRT",
  137: "SIGKILL",
  139: "SIGSEGV",
  143: "SIGTERM",
  153: "SIGXFSZ, file too large",
};

function meaningOf(code: number): string {
  const meaning = MEANINGS[code];
  return meaning === undefined ? "" : ` (${meaning})`;
}

function notesOn(changed: number, isPartial: boolean): string[] {
  return [
    ...(changed > MOST_FILES_NAMED ? [`(${changed} files changed; the first ${MOST_FILES_NAMED} are listed)`] : []),
    ...(isPartial ? ["(the working folder is too large to track every change)"] : []),
  ];
}
