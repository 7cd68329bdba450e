import { join, relative } from "node:path";
import { z } from "zod";
import type { RunSandbox } from "../../contract/sandbox.ts";
import { repositoryOf } from "../../store/git-folder.ts";
import { placeKind } from "../../store/host-places.ts";
import { changedPaths, surveyTree, type TreeSurvey } from "../../store/tree-survey.ts";
import { type CommandEnd, start } from "../sandbox/launch.ts";
import type { CommandOrder, Masked, Sandbox } from "../sandbox/sandbox.ts";
import { defineTool, type Tool, type ToolOutcome, type ToolUse } from "../tool.ts";
import { CommandOutput } from "./command-output.ts";

const USUAL_SECONDS = 120;
const MOST_SECONDS = 86_400;
const MOST_FILES_NAMED = 500;

export interface ExecOptions {
  sandbox: Sandbox;
  policy: RunSandbox;
  /** Absolute. */
  workdir: string;
  /** Where the whole of a long output is kept: an absolute path, and the name the agent reads it by. */
  keepAt: (callId: string) => { path: string; name: string };
  /** Milliseconds the run may still take. */
  timeLeft: () => number;
  onOutput: (callId: string, chunk: Buffer) => void;
}

interface Ended extends CommandEnd {
  seconds: number;
  /** Why it was ended from outside. */
  overtime?: number | undefined;
}

const command = z
  .string()
  .min(1)
  .max(100_000)
  .refine((text) => !text.includes("\0"), "must not contain NUL");

/** Runs commands; what they may do is decided by the sandbox, never by the model. */
export function execTool(options: ExecOptions): Tool {
  return defineTool({
    name: "exec",
    description: `Run a shell command (sh) in the working folder, contained: ${containment(options.policy)} No input; whatever it leaves running ends with it.`,
    input: z.strictObject({
      command,
      timeoutSeconds: z.int().min(1).max(MOST_SECONDS).default(USUAL_SECONDS).describe("Then it is ended."),
    }),
    changes: true,
    run: (input, use) => carryOut(input, use, options),
  });
}

function containment({ name, network, writable }: RunSandbox): string {
  if (name === "none") return "no sandbox holds it, so take care.";
  const others = writable.length === 0 ? "" : ` and ${writable.join(", ")}`;
  return `only this folder${others} and /tmp can be written, ${network ? "the network can be used" : "there is no network"}.`;
}

async function carryOut(
  input: { command: string; timeoutSeconds: number },
  use: ToolUse,
  options: ExecOptions,
): Promise<ToolOutcome> {
  use.signal.throwIfAborted();
  const before = surveyTree(options.workdir);
  const { path, name } = options.keepAt(use.callId);
  const output = new CommandOutput(path);
  const ended = await untilEnd({ ...input, use, options, before, output });
  output.close();
  use.signal.throwIfAborted();
  if (!ended.isSetUp && ended.overtime === undefined)
    return {
      output: `The sandbox (${options.policy.name}) could not be set up: ${ended.trouble}. The command was not run.`,
      failed: true,
    };
  const after = surveyTree(options.workdir);
  const files = changedPaths(before, after);
  const isFailed = ended.code !== 0 || ended.overtime !== undefined;
  const notes = notesOn(files.length, before.isPartial || after.isPartial);
  const shown = output.shown(name);
  return {
    output: [outcomeOf(ended), shown === "" ? "(no output)" : shown, ...notes].join("\n"),
    ...(isFailed ? { failed: true } : {}),
    ...(files.length === 0 ? {} : { files: files.slice(0, MOST_FILES_NAMED) }),
  };
}

interface Started {
  command: string;
  timeoutSeconds: number;
  use: ToolUse;
  options: ExecOptions;
  before: TreeSurvey;
  output: CommandOutput;
}

/** Resolves when the command and everything it started are gone. */
async function untilEnd({ command, timeoutSeconds, use, options, before, output }: Started): Promise<Ended> {
  const begun = performance.now();
  const seconds = Math.max(1, Math.min(timeoutSeconds, Math.floor(options.timeLeft() / 1_000)));
  const running = start(options.sandbox, orderOf(command, options, before), (chunk) => {
    output.add(chunk);
    options.onOutput(use.callId, chunk);
  });
  let overtime: number | undefined;
  const timer = setTimeout(() => {
    overtime = seconds;
    running.kill();
  }, seconds * 1_000);
  use.signal.addEventListener("abort", running.kill, { once: true });
  try {
    const end = await running.done;
    return { ...end, overtime, seconds: (performance.now() - begun) / 1_000 };
  } finally {
    clearTimeout(timer);
    use.signal.removeEventListener("abort", running.kill);
  }
}

function orderOf(text: string, { policy, workdir }: ExecOptions, { secrets, controls }: TreeSurvey): CommandOrder {
  const named = policy.envFiles.map((path) => (path.startsWith("/") ? relative(workdir, path) : path));
  const inside = [...new Set([...secrets, ...named])].filter((path) => path !== "" && !/^(?:\.\.)?(?:\/|$)/.test(path));
  const masked = inside.flatMap((path): Masked[] => {
    const kind = placeKind(join(workdir, path));
    return kind === "folder" || kind === "file" ? [{ path: join(workdir, path), kind }] : [];
  });
  const protectedPaths = controls.map((path) => join(workdir, path));
  const repository = repositoryOf(workdir);
  const shown = repository === undefined ? policy : { ...policy, readable: [...policy.readable, repository] };
  return { command: text, workdir, policy: shown, masked, protectedPaths };
}

function outcomeOf({ code, seconds, overtime }: Ended): string {
  const took = `after ${seconds.toFixed(1)} s`;
  if (overtime !== undefined)
    return `Ended ${took}, with everything it had started: it took longer than the ${overtime} s it may take.`;
  return `Exit code ${code}${signalOf(code)} ${took}.`;
}

const SIGNALS: Record<number, string> = {
  134: "SIGABRT",
  137: "SIGKILL",
  139: "SIGSEGV",
  143: "SIGTERM",
  153: "SIGXFSZ, a file grew too large",
};

function signalOf(code: number): string {
  const name = SIGNALS[code];
  return name === undefined ? "" : ` (${name})`;
}

function notesOn(changed: number, isPartial: boolean): string[] {
  return [
    ...(changed > MOST_FILES_NAMED ? [`(${changed} files were changed; the first ${MOST_FILES_NAMED} are noted)`] : []),
    ...(isPartial ? ["(the working folder is too large to note every change)"] : []),
  ];
}
