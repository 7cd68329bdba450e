import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { HallError } from "../contract/errors.ts";
import { type Hint, hint } from "../contract/words/hint.ts";
import type { TableEntry } from "./command.ts";
import {
  type ArgumentSpec,
  type CommandSpec,
  exampleText,
  globalOptions,
  nouns,
  type OptionSpec,
  spellings,
  takesValue,
  valueTerm,
} from "./command-spec.ts";
import { commandsFor } from "./command-table.ts";

export interface Globals {
  workspace?: string | undefined;
  json: boolean;
  color: boolean;
}

export type CommandLine =
  | { kind: "run"; command: TableEntry; input: Record<string, unknown>; globals: Globals }
  | { kind: "help"; text: string /** Help that was shown because something is missing. */; wanted: boolean }
  | { kind: "version" };

interface HelpSpace {
  width: number;
  /** How this program is called, as a shell reads it. */
  calledAs: string;
}

/** Reads the words after the program's name. Wrong usage throws HallError("usage"). */
export async function readCommandLine(given: readonly string[], space: HelpSpace): Promise<CommandLine> {
  const words = given[0] === "help" ? [...given.slice(1), "--help"] : given;
  const reading: Reading = { help: "", found: undefined };
  const entries = await commandsFor(firstWord(words));
  const program = buildProgram(entries, reading, space);
  try {
    program.parse(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return { kind: "version" };
    if (error.code === "commander.helpDisplayed") return { kind: "help", text: reading.help, wanted: true };
    if (error.code === "commander.help") return { kind: "help", text: reading.help, wanted: given.length === 0 };
    throw usageError(error, words, entries);
  }
  if (reading.found === undefined) throw new HallError("usage", "Missing command.");
  return reading.found;
}

/** The first word that is no global option, nor the value of one. */
function firstWord(words: readonly string[]): string | undefined {
  let first = 0;
  while (words[first]?.startsWith("-")) first += words[first] === "--workspace" ? 2 : 1;
  return words[first];
}

interface Reading {
  help: string;
  found: CommandLine | undefined;
}

const firstSteps = (calledAs: string) => `First steps:
  $ ${calledAs} init  # in your project's folder
  $ ${calledAs} up    # in a second terminal
  $ ${calledAs} spawn coder -p shop 'Fix the login page'

Run '${calledAs} <command> --help' for options and examples.`;

function buildProgram(entries: TableEntry[], reading: Reading, { width, calledAs }: HelpSpace): Command {
  const program = new Command(calledAs)
    .description("Run teams of AI agents on your projects.")
    .usage("<command> [options]")
    .version("", "-V, --version", "Show the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => addHelp(reading, text),
      writeErr: (text) => addHelp(reading, text),
      outputError: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .configureHelp(HELP)
    .enablePositionalOptions()
    .addHelpText("after", `\n${firstSteps(calledAs)}`);
  addOptions(program, globalOptions);
  const parents = new Map<string | undefined, Command>([[undefined, program]]);
  for (const entry of entries) addCommand(parentOf(entry, parents, program), entry, { reading, calledAs });
  return program;
}

function addHelp(reading: Reading, text: string): void {
  reading.help += text;
}

function parentOf({ noun }: TableEntry, parents: Map<string | undefined, Command>, program: Command): Command {
  const known = parents.get(noun);
  if (known !== undefined || noun === undefined) return known ?? program;
  const parent = program.command(noun).usage("<command> [options]").enablePositionalOptions();
  parent.summary(nouns[noun]).description(sentence(nouns[noun])).helpCommand(false);
  parent.configureHelp(HELP);
  addOptions(parent, globalOptions);
  parents.set(noun, parent);
  return parent;
}

/** Descriptions say everything themselves: the library would add internal values. */
const HELP = {
  subcommandTerm: (command: Command) => command.name(),
  optionDescription: (option: Option) => option.description,
};

function addCommand(
  parent: Command,
  entry: TableEntry,
  { reading, calledAs }: { reading: Reading; calledAs: string },
): void {
  const { path, verb, spec } = entry;
  const command = parent.command(verb).summary(spec.summary).description(describe(spec));
  const args = Object.entries(spec.args ?? {});
  for (const [name, arg] of args) command.argument(argumentTerm(name, arg), arg.help);
  addOptions(command, { ...spec.options, ...globalOptions });
  const examples = () => spec.examples.map((example) => `  $ ${exampleText(example, calledAs)}`).join("\n");
  command.addHelpText("after", () => `\nExamples:\n${examples()}`);
  command.action(() => {
    const input: Record<string, unknown> = { ...command.opts() };
    for (const [index, [name]] of args.entries()) {
      const given: unknown = command.processedArgs[index];
      input[name] = Array.isArray(given) ? given.join(" ") : (given ?? "");
    }
    const globals = globalsOf(command);
    if (spec.ownWorkspace && globals.workspace !== undefined) throw workspaceRefusal(path);
    reading.found = { kind: "run", command: entry, input, globals };
  });
}

function workspaceRefusal(path: string): HallError {
  return new HallError("usage", `'${path}' creates its own workspace and does not accept --workspace.`, {
    hint: hint("command-plain", { command: path }),
  });
}

/** A global option counts wherever it stands: before the noun, before the verb or after it. */
function globalsOf(command: Command): Globals {
  const chain: Command[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) chain.push(each);
  return {
    workspace: chain
      .map((each) => each.getOptionValue("workspace") as string | undefined)
      .find((value) => value !== undefined),
    json: chain.some((each) => each.getOptionValue("json") === true),
    color: chain.every((each) => each.getOptionValue("color") !== false),
  };
}

export function describe(spec: CommandSpec): string {
  return spec.detail === undefined ? sentence(spec.summary) : `${sentence(spec.summary)} ${spec.detail}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

export function argumentTerm(name: string, { kind }: ArgumentSpec): string {
  if (kind === "one") return `<${name}>`;
  return kind === "rest" ? `<${name}...>` : `[${name}...]`;
}

function addOptions(command: Command, options: Record<string, OptionSpec>): void {
  for (const [name, spec] of Object.entries(options)) {
    if (takesValue(spec)) {
      const flags = `${spellings(name, spec).join(", ")} ${valueTerm(spec)}`;
      const option = new Option(flags, helpOf(spec));
      if (spec.kind === "number") option.argParser(spec.clears === true ? readClearable : readNumber);
      if (spec.kind === "list") option.argParser(collectWords);
      if (spec.kind === "many") option.argParser(collect);
      if (spec.kind === "maybe") option.preset("");
      command.addOption(option);
    } else if (spec.kind === "toggle") {
      const [on = "", off = ""] = spellings(name, spec);
      command.option(on, spec.help).addOption(new Option(off, "The opposite"));
    } else {
      command.option(spellings(name, spec).join(", "), spec.help);
    }
  }
}

function helpOf(spec: { help: string; words?: readonly string[] }): string {
  if (spec.words === undefined || spec.words.every((word) => spec.help.includes(word))) return spec.help;
  return `${spec.help}: ${spec.words.join(", ")}`;
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("Must be a number.");
  return value;
}

function readClearable(text: string): number | "" {
  return text === "" ? "" : readNumber(text);
}

function collect(text: string, before: string[] | undefined): string[] {
  return text === "" ? (before ?? []) : [...(before ?? []), text];
}

function collectWords(text: string, before: string[] | undefined): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...(before ?? []), ...words.filter((word) => word !== "")];
}

function usageError(error: CommanderError, words: readonly string[], entries: TableEntry[]): HallError {
  const named = namedCommand(words, entries);
  const [problem = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const text = suggestion === undefined ? undefined : `${suggestion.replace(/^\(|\)$/g, "")} `;
  return new HallError("usage", sentence(problem), {
    hint: misplacedHint(problem, named) ?? hint("command-help", { command: named?.path ?? nounIn(words), text }),
  });
}

/** `guildhall -p shop task list`: the option exists, but it belongs to the command that comes after it. */
function misplacedHint(problem: string, named: TableEntry | undefined): Hint | undefined {
  const flag = /^unknown option '(-.*)'$/.exec(problem)?.[1]?.replace(/=.*$/s, "");
  const { path = "", spec } = named ?? {};
  const known = Object.entries(spec?.options ?? {}).flatMap(([name, option]) => spellings(name, option));
  if (flag === undefined || !known.includes(flag)) return undefined;
  return hint("option-place", { command: `${path} ${flag}` });
}

export function nounIn(words: readonly string[]): string | undefined {
  const first = words.find((word) => !word.startsWith("-")) ?? "";
  return Object.hasOwn(nouns, first) ? first : undefined;
}

/** The command that stands first among the words, wherever its options are. */
function namedCommand(words: readonly string[], entries: TableEntry[]): TableEntry | undefined {
  const operands = ` ${words.filter((word) => /^[a-z]+$/.test(word)).join(" ")} `;
  const places = entries.map((entry) => ({ entry, place: operands.indexOf(` ${entry.path} `) }));
  const found = places.filter(({ place }) => place >= 0).sort((one, other) => one.place - other.place);
  return found[0]?.entry;
}
