/** One word after the command, in the order of declaration. */
export interface ArgumentSpec {
  /** `rest` takes all remaining words, joined by spaces; `maybe-rest` also takes none. */
  kind: "one" | "rest" | "maybe-rest";
  help: string;
  /** Words that completion offers. */
  words?: readonly string[];
}

interface SwitchSpec {
  /** `flag` is --yes; `off` is --no-open; `toggle` is --ready or --no-ready, and undefined when neither is given. */
  kind: "flag" | "off" | "toggle";
  help: string;
  short?: string;
}

interface ValueSpec {
  /** `list` may be repeated and is split at commas; `many` may be repeated and is kept whole; `maybe` may be left empty. */
  kind: "text" | "number" | "list" | "many" | "maybe";
  /** What the value is called in help. PROJECT, FILE and DIR also tell completion what to offer. */
  value: string;
  help: string;
  short?: string;
  /** Words that completion offers. They are a help, not a rule: the daemon decides what is allowed. */
  words?: readonly string[];
  /** Of a number: it may be '', which takes the setting away. */
  clears?: true;
}

export type OptionSpec = SwitchSpec | ValueSpec;

/** The words after the program's name, and what a shell has before it. */
type Example = string | { before: string; words: string };

export interface CommandSpec {
  summary: string;
  /** Further sentences for --help and the reference. */
  detail?: string;
  args?: Record<string, ArgumentSpec>;
  options?: Record<string, OptionSpec>;
  /** It makes a workspace of its own: --workspace is refused. */
  ownWorkspace?: true;
  examples: readonly [Example, ...Example[]];
}

type ValueOf<Spec> = Spec extends { kind: "number" }
  ? number | (Spec extends { clears: true } ? "" : never)
  : Spec extends { kind: "list" | "many" }
    ? string[]
    : Spec extends { kind: "flag" | "off" | "toggle" }
      ? boolean
      : string;

type ArgumentsOf<Spec> = Spec extends { args: infer Args } ? { [Name in keyof Args]: string } : unknown;

type OptionsOf<Spec> = Spec extends { options: infer Options }
  ? { [Name in keyof Options]?: ValueOf<Options[Name]> | undefined }
  : unknown;

/** What an action receives: its arguments and options by name. */
export type InputOf<Spec> = ArgumentsOf<Spec> & OptionsOf<Spec>;

/** The nouns that have verbs. */
export const nouns = {
  key: "Manage model provider API keys",
  config: "Manage settings in config.yml",
  role: "Manage agent roles and project teams",
  project: "Manage projects",
  task: "Manage a project's tasks",
  team: "Start and steer teams that turn a goal into merged work",
  escalation: "See and answer what waits for your decision",
  run: "Follow, review and control agent runs",
  integration: "Check whether results work as a whole",
  model: "List models and set their prices",
  checkpoint: "List checkpoints of working folders and roll back to them",
  knowledge: "Manage knowledge: short statements shared by agents",
  gate: "Judge changes with quality gates, and read how they were judged",
  grant: "List and revoke permissions given to agents",
  rule: "Manage answer rules: questions that are always answered the same way",
  initiative: "Plan initiatives, and have a project's agent lead them",
  orchestrator: "Manage the orchestrator, which starts agents of projects on initiatives",
  trigger: "Manage triggers: work that starts on a schedule, a webhook or an event",
  hook: "Manage hooks: programs and checks that can refuse what agents do",
  memory: "Manage agent memory: facts and episodes",
  skill: "Manage skill packs",
  instructions: "Manage AGENTS.md and CLAUDE.md files",
  device: "Manage paired phones and browsers",
  channel: "List chat channels",
  service: "Run Guildhall as a service that starts at boot",
  events: "View the event log",
  audit: "Verify the event log",
  index: "Manage the search index",
} as const;

/** Nouns whose exit codes say more than whether the command worked: of wrong usage, and of any other failure. */
export const nounExits: Readonly<Partial<Record<string, { usage: number; failure: number }>>> = {
  gate: { usage: 64, failure: 2 },
  integration: { usage: 64, failure: 2 },
};

/** A command as help and completion show it. */
export interface CommandEntry {
  path: string;
  noun: keyof typeof nouns | undefined;
  verb: string;
  spec: CommandSpec;
}

/** `blockedBy` is written --blocked-by. */
export function longFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function takesValue(spec: OptionSpec): spec is ValueSpec {
  return "value" in spec;
}

/** How the value of an option is written in help: <N>, or [MODEL] where it may be left out. */
export function valueTerm({ kind, value }: ValueSpec): string {
  return kind === "maybe" ? `[${value}]` : `<${value}>`;
}

/** Every spelling of an option: `-p, --project`, or `--ready, --no-ready`. */
export function spellings(name: string, spec: OptionSpec): string[] {
  const long = longFlag(name);
  const off = long.replace("--", "--no-");
  const longs = spec.kind === "off" ? [off] : spec.kind === "toggle" ? [long, off] : [long];
  return spec.short === undefined ? longs : [`-${spec.short}`, ...longs];
}

/** The options every command takes, wherever they stand. */
export const globalOptions = {
  workspace: {
    kind: "text",
    value: "DIR",
    help: "Workspace folder (default: $GUILDHALL_WORKSPACE or ~/.guildhall)",
  },
  json: { kind: "flag", help: "Print JSON only" },
  color: { kind: "off", help: "Disable colors" },
} as const satisfies Record<string, OptionSpec>;

export function exampleText(example: Example, calledAs: string): string {
  return typeof example === "string" ? `${calledAs} ${example}` : `${example.before}${calledAs} ${example.words}`;
}
