import { join } from "node:path";
import { z } from "zod";
import type { RunSandbox } from "../../contract/sandbox.ts";
import type { DiskRoom } from "../../store/disk-room.ts";
import { isWithin } from "../../store/folders.ts";
import { repositoryOf } from "../../store/git-folder.ts";
import { placeKind } from "../../store/host-places.ts";
import { openInOwnFolder, ProtectedSearch } from "../../store/protected-places.ts";
import type { Redactor } from "../../store/redaction.ts";
import { changedPaths, otherNames, surveyTree, type TreeSurvey } from "../../store/tree-survey.ts";
import { type GitGuard, guarded } from "../git-guard.ts";
import { type Overuse, watchOver } from "../sandbox/command-watch.ts";
import { type CommandEnd, start } from "../sandbox/launch.ts";
import type { CommandOrder, Masked, Sandbox } from "../sandbox/sandbox.ts";
import { defineTool, type Tool, type ToolOutcome, type ToolUse } from "../tool.ts";
import { CommandOutput } from "./command-output.ts";
import { LentPackages } from "./lent-packages.ts";

const USUAL_SECONDS = 120;
const MOST_SECONDS = 86_400;
const MOST_FILES_NAMED = 500;
/** What the system takes for a path, less what a sandbox puts before it. */
const LONGEST_PATH = 4_000;

export interface ExecOptions {
  sandbox: Sandbox;
  policy: RunSandbox;
  /** Absolute. */
  workdir: string;
  /** What the working folder is a worktree of: packages that are installed there are found in it, and not writable. */
  checkout?: string | undefined;
  /** Where the whole of a long output is kept: an absolute path, and the name the agent reads it by. */
  keepAt: (callId: string) => { path: string; name: string };
  /** Milliseconds the run may still take. */
  timeLeft: () => number;
  /** Hides secrets in everything a command says. */
  redactor: Redactor;
  onOutput: (callId: string, text: string) => void;
  /** Where the working folder has no repository: commands leave none behind. */
  guard?: GitGuard | undefined;
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

/** Runs commands; what they may do is decided by the sandbox, never by the model. */
export function execTool(options: ExecOptions): Tool {
  const { readable, writable } = options.policy;
  const others = [...readable, ...writable].filter((path) => placeKind(path) === "folder");
  const searches = [
    new ProtectedSearch(options.workdir, { now: Date.now }),
    ...others.map((path) => new ProtectedSearch(path, { now: Date.now, isOthers: true })),
  ];
  const packages = new LentPackages(options);
  return defineTool({
    name: "exec",
    description: `Run a shell command (sh) in the working folder, contained: ${containment(options)} No input; whatever it leaves running ends with it.`,
    input: z.strictObject({
      command,
      timeoutSeconds: z.int().min(1).max(MOST_SECONDS).default(USUAL_SECONDS).describe("Then it is ended."),
    }),
    changes: true,
    run: (input, use) => carryOut({ input, use, options, searches, packages }),
  });
}

function containment({ workdir, policy: { name, network, writable } }: ExecOptions): string {
  if (name === "none") return "no sandbox holds it, so take care.";
  const others = writable.length === 0 ? "" : ` and ${writable.join(", ")}`;
  const here =
    openInOwnFolder(workdir) === undefined ? "this folder" : "the folders in this one (nothing new at its top)";
  return `only ${here}${others} and /tmp can be written, ${network ? "the network can be used" : "there is no network"}.`;
}

interface Called {
  input: { command: string; timeoutSeconds: number };
  use: ToolUse;
  options: ExecOptions;
  /** The working folder's, then those of the other folders that commands see. */
  searches: readonly ProtectedSearch[];
  packages: LentPackages;
}

async function carryOut(called: Called): Promise<ToolOutcome> {
  const { use, options } = called;
  use.signal.throwIfAborted();
  const before = surveyTree(options.workdir);
  const order = orderOf(called, before);
  if (typeof order === "string") return { output: `${order} The command was not run.`, failed: true };
  const { path, name } = options.keepAt(use.callId);
  const onText = (text: string) => options.onOutput(use.callId, text);
  const output = new CommandOutput({ path, redactor: options.redactor, onText });
  const { ended, left } = await guarded(options.guard, () => untilEnd({ ...called, order, output }));
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
    () => stop({ of: "time", reason: `it took longer than the ${seconds} s it may take` }),
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

/** A text says why nothing can be run. */
function orderOf({ input, options, searches, packages }: Called, survey: TreeSurvey): CommandOrder | string {
  const { policy, workdir } = options;
  if (placeKind(workdir) !== "folder") return `The working folder '${workdir}' is not there.`;
  const secrets = policy.envFiles.map((path) => (path.startsWith("/") ? path : join(workdir, path)));
  const controls: string[] = [];
  for (const search of searches) {
    const found = search.find();
    if (found === undefined)
      return `There are too many folders in '${search.root}', or some that are closed or too deep, to find the files with secrets in it, which must be hidden.`;
    secrets.push(...found.secrets.map((path) => join(search.root, path)));
    if (search.root === workdir) controls.push(...found.controls.map((path) => join(workdir, path)));
  }
  if (secrets.some((path) => Buffer.byteLength(path) > LONGEST_PATH))
    return "A file with secrets lies too deep to be hidden.";
  const places = [...policy.readable, ...policy.writable, workdir];
  const inside = secrets.filter((path) => places.some((place) => path !== place && isWithin(path, place)));
  const masked = [...new Set([...inside, ...otherNames(workdir, inside, survey)])].flatMap((path): Masked[] => {
    const kind = placeKind(path);
    return kind === "folder" || kind === "file" ? [{ path, kind }] : [];
  });
  const repository = repositoryOf(workdir);
  const { lent, readable, masked: ofPackages } = packages.find();
  const shown = [...policy.readable, ...readable, ...(repository === undefined ? [] : [repository])];
  return {
    command: input.command,
    workdir,
    policy: { ...policy, readable: shown },
    masked: [...masked, ...ofPackages],
    protectedPaths: controls,
    openPaths: openInOwnFolder(workdir),
    lent,
  };
}

function outcomeOf({ code, seconds, overuse }: Ended): string {
  const took = `after ${seconds.toFixed(1)} s`;
  if (overuse !== undefined) return `Ended ${took}, with everything it had started: ${overuse.reason}.`;
  return `Exit code ${code}${meaningOf(code)} ${took}.`;
}

const MEANINGS: Record<number, string> = {
  126: "something cannot be run as a program",
  127: "a program was not found",
  134: "SIGABRT",
  137: "SIGKILL",
  139: "SIGSEGV",
  143: "SIGTERM",
  153: "SIGXFSZ, a file grew too large",
};

function meaningOf(code: number): string {
  const meaning = MEANINGS[code];
  return meaning === undefined ? "" : ` (${meaning})`;
}

function notesOn(changed: number, isPartial: boolean): string[] {
  return [
    ...(changed > MOST_FILES_NAMED ? [`(${changed} files were changed; the first ${MOST_FILES_NAMED} are noted)`] : []),
    ...(isPartial ? ["(the working folder is too large to note every change)"] : []),
  ];
}
