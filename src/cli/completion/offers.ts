import {
  type CommandEntry,
  globalOptions,
  longFlag,
  nouns,
  type OptionSpec,
  spellings,
  takesValue,
} from "../command-spec.ts";

/** What can stand behind an option or as an argument. */
export type Offer =
  | { kind: "words"; words: readonly string[] }
  | { kind: "projects" }
  | { kind: "files" }
  | { kind: "nothing" };

export interface OptionOffer {
  spellings: string[];
  help: string;
  /** Undefined for an option without a value. */
  value: Offer | undefined;
}

export interface CommandOffers {
  path: string;
  options: OptionOffer[];
  argument: Offer;
}

export function commandOffers(entries: CommandEntry[]): CommandOffers[] {
  return entries.map(({ path, spec, noun }) => ({
    path,
    options: Object.entries({ ...spec.options, ...globalOptions }).map(([name, option]) => optionOffer(name, option)),
    argument: argumentOffer(spec, noun),
  }));
}

function argumentOffer(spec: CommandEntry["spec"], noun: string | undefined): Offer {
  const args = Object.entries(spec.args ?? {});
  const words = args.flatMap(([, { words: known = [] }]) => known);
  if (words.length > 0) return { kind: "words", words };
  return noun === "project" && args[0]?.[0] === "project" ? { kind: "projects" } : { kind: "nothing" };
}

function optionOffer(name: string, option: OptionSpec): OptionOffer {
  return {
    spellings: spellings(name, option),
    help: option.help,
    value: takesValue(option) ? valueOffer(option) : undefined,
  };
}

function valueOffer({ value, words }: { value: string; words?: readonly string[] }): Offer {
  if (words !== undefined) return { kind: "words", words };
  if (value === "PROJECT") return { kind: "projects" };
  return value === "FILE" || value === "DIR" || value === "PATH" ? { kind: "files" } : { kind: "nothing" };
}

export interface Word {
  word: string;
  help: string;
}

/** What can stand first: nouns and commands without one. */
export function firstWords(entries: CommandEntry[]): Word[] {
  const single = entries.filter(({ noun }) => noun === undefined);
  return [
    ...single.map(({ verb, spec }) => ({ word: verb, help: spec.summary })),
    ...Object.entries(nouns).map(([word, help]) => ({ word, help })),
  ];
}

export function verbsOf(noun: string, entries: CommandEntry[]): Word[] {
  const verbs = entries.filter((entry) => entry.noun === noun);
  return verbs.map(({ verb, spec }) => ({ word: verb, help: spec.summary }));
}

export const workspaceFlag = longFlag("workspace");
