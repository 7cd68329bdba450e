import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorTable, HallError } from "../contract/errors.ts";
import { hint } from "../contract/words/hint.ts";
import { PROGRAM_FOLDER } from "../program.ts";
import { type CommandLine, nounIn, readCommandLine } from "./command-line.ts";
import { nounExits } from "./command-spec.ts";
import { allCommands } from "./command-table.ts";
import type { Context } from "./context.ts";
import { failureExit, failureText } from "./failure.ts";
import type { Host } from "./host.ts";
import { createClient } from "./http/client.ts";
import { chooseWorkspace, findDaemon } from "./http/connection.ts";
import { createOutput, type OutputChoice, paintFor, widthOf } from "./output.ts";
import { wrapHelp } from "./text/text-wrap.ts";

/** Runs one command line and answers its exit code. Never rejects. */
export async function runCommandLine(words: readonly string[], host: Host): Promise<number> {
  // Even a command line that cannot be understood is answered in JSON when it asks for it.
  let choice: OutputChoice = { json: words.includes("--json"), color: !words.includes("--no-color") };
  try {
    const line = await readCommandLine(words, { width: widthOf(host.out, host.env) ?? 100, calledAs: host.calledAs });
    if (line.kind !== "run") return await showText(line, host, { ...choice, words });
    choice = line.globals;
    return await runCommand(line, host);
  } catch (error) {
    const asked = { calledAs: host.calledAs, debug: host.env.GUILDHALL_DEBUG === "1" };
    const space = { paint: paintFor(host.err, host.env, choice), width: widthOf(host.err, host.env) };
    host.err.write(failureText(error, { ...space, ...asked, json: choice.json }));
    return exitOf(error, words);
  }
}

/** Of a noun with exit codes of its own, a failure must not look like one of its answers. */
function exitOf(error: unknown, words: readonly string[]): number {
  const own = nounExits[nounIn(words) ?? ""];
  if (own === undefined) return failureExit(error);
  const isUsage = error instanceof HallError && (error.code === "usage" || error.code === "invalid");
  return isUsage ? own.usage : own.failure;
}

async function runCommand({ command, input, globals }: CommandLine & { kind: "run" }, host: Host): Promise<number> {
  const workspace = chooseWorkspace(globals.workspace, host.env);
  const client = createClient(() => findDaemon(workspace, host));
  const context: Context = { workspace, host, output: createOutput(host, globals), allCommands, ...client };
  try {
    return (await command.action(input as never, context)) ?? 0;
  } catch (error) {
    throw withHelpOf(command.path, error);
  }
}

/** A command that was used wrongly, and had no better hint, refers to its own help. */
function withHelpOf(path: string, error: unknown): unknown {
  const isPlain = error instanceof HallError && error.code === "usage" && error.hint === errorTable.usage.hint;
  return isPlain ? new HallError("usage", error.message, { hint: hint("command-help", { command: path }) }) : error;
}

async function showText(
  line: Exclude<CommandLine, { kind: "run" }>,
  host: Host,
  { json, words }: OutputChoice & { words: readonly string[] },
): Promise<number> {
  if (line.kind === "version") {
    host.out.write(`${readVersion()}\n`);
    return 0;
  }
  const { text } = line;
  if (line.wanted) {
    host.out.write(wrapHelp(text, widthOf(host.out, host.env)));
    return 0;
  }
  const failure = new HallError("usage", "Missing command.");
  if (json) throw failure;
  host.err.write(wrapHelp(text, widthOf(host.err, host.env)));
  return exitOf(failure, words);
}

function readVersion(): string {
  const text = readFileSync(join(PROGRAM_FOLDER, "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
