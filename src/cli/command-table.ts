import type { Command, TableEntry } from "./command.ts";
import type { nouns } from "./command-spec.ts";

/**
 * The files of commands, in the order of help. `words` are the first words of a file's commands: a command line loads only
 * the files that its first word names, because what is loaded decides how long a command takes.
 */
const files = [
  { words: ["up"], load: () => import("./nouns/setup/up.ts") },
  { words: ["open", "down", "restart", "stop"], load: () => import("./nouns/setup/daemon.ts") },
  { words: ["pair", "device"], load: () => import("./nouns/setup/pair.ts") },
  { words: ["service"], load: () => import("./nouns/setup/service.ts") },
  { words: ["status"], load: () => import("./nouns/status.ts") },
  { words: ["now"], load: () => import("./nouns/now.ts") },
  { words: ["briefing"], load: () => import("./nouns/autonomy/briefing.ts") },
  { words: ["escalation"], load: () => import("./nouns/escalation.ts") },
  { words: ["escalation"], load: () => import("./nouns/escalation-edit.ts") },
  { words: ["doctor"], load: () => import("./nouns/setup/doctor.ts") },
  { words: ["key"], load: () => import("./nouns/setup/key.ts") },
  { words: ["config"], load: () => import("./nouns/setup/config.ts") },
  { words: ["init"], load: () => import("./nouns/setup/init.ts") },
  { words: ["demo"], load: () => import("./nouns/setup/demo.ts") },
  { words: ["search", "index"], load: () => import("./nouns/search.ts") },
  { words: ["events", "audit"], load: () => import("./nouns/events.ts") },
  { words: ["completion"], load: () => import("./nouns/setup/completion.ts") },
  { words: ["role"], load: () => import("./nouns/role.ts") },
  { words: ["role"], load: () => import("./nouns/role-edit.ts") },
  { words: ["role"], load: () => import("./nouns/role-team.ts") },
  { words: ["project"], load: () => import("./nouns/project.ts") },
  { words: ["project"], load: () => import("./nouns/project-edit.ts") },
  { words: ["project"], load: () => import("./nouns/project-folder.ts") },
  { words: ["portfolio"], load: () => import("./nouns/autonomy/portfolio.ts") },
  { words: ["import"], load: () => import("./nouns/autonomy/import.ts") },
  { words: ["task"], load: () => import("./nouns/task.ts") },
  { words: ["task"], load: () => import("./nouns/task-edit.ts") },
  { words: ["initiative"], load: () => import("./nouns/autonomy/initiative.ts") },
  { words: ["chat", "project", "session", "channel"], load: () => import("./nouns/talk.ts") },
  { words: ["team"], load: () => import("./nouns/teams/team.ts") },
  { words: ["team"], load: () => import("./nouns/teams/team-read.ts") },
  { words: ["team"], load: () => import("./nouns/teams/team-control.ts") },
  { words: ["team"], load: () => import("./nouns/teams/team-talk.ts") },
  { words: ["team"], load: () => import("./nouns/teams/team-autonomy.ts") },
  { words: ["spawn"], load: () => import("./nouns/spawn.ts") },
  { words: ["run"], load: () => import("./nouns/run.ts") },
  { words: ["run"], load: () => import("./nouns/run-control.ts") },
  { words: ["run"], load: () => import("./nouns/run-review.ts") },
  { words: ["integration"], load: () => import("./nouns/quality/integration.ts") },
  { words: ["cost", "budget"], load: () => import("./nouns/budget.ts") },
  { words: ["figures"], load: () => import("./nouns/autonomy/figures.ts") },
  { words: ["model"], load: () => import("./nouns/model.ts") },
  { words: ["checkpoint"], load: () => import("./nouns/checkpoint.ts") },
  { words: ["knowledge"], load: () => import("./nouns/knowledge.ts") },
  { words: ["knowledge"], load: () => import("./nouns/knowledge-life.ts") },
  { words: ["gate"], load: () => import("./nouns/quality/gate.ts") },
  { words: ["grant"], load: () => import("./nouns/grant.ts") },
  { words: ["rule"], load: () => import("./nouns/rule.ts") },
  { words: ["hook"], load: () => import("./nouns/hook.ts") },
  { words: ["trigger"], load: () => import("./nouns/autonomy/trigger.ts") },
  { words: ["orchestrator"], load: () => import("./nouns/autonomy/orchestrator.ts") },
  { words: ["memory"], load: () => import("./nouns/memory.ts") },
  { words: ["skill"], load: () => import("./nouns/skill.ts") },
  { words: ["instructions"], load: () => import("./nouns/instructions.ts") },
] as const satisfies CommandFile[];

interface CommandFile {
  words: readonly string[];
  load: () => Promise<{ commands: Record<string, Command> }>;
}

type PathsOf<File> = File extends { load: () => Promise<{ commands: infer Commands }> } ? keyof Commands : never;
export type CommandPath = PathsOf<(typeof files)[number]>;

/** Every command. */
export async function allCommands(): Promise<TableEntry[]> {
  return entriesOf(files);
}

/** The commands that a command line with this first word can mean; all of them when it names none. */
export async function commandsFor(word: string | undefined): Promise<TableEntry[]> {
  const named = (files as readonly CommandFile[]).filter(({ words }) => words.some((each) => each === word));
  if (named.length === 0) return allCommands();
  return (await entriesOf(named)).filter(({ path }) => path.split(" ")[0] === word);
}

async function entriesOf(wanted: readonly CommandFile[]): Promise<TableEntry[]> {
  const loaded = await Promise.all(wanted.map(({ load }) => load()));
  return loaded.flatMap(({ commands }) => Object.entries(commands).map(([path, each]) => entry(path, each)));
}

function entry(path: string, each: Command): TableEntry {
  const [first = path, verb] = path.split(" ");
  if (verb === undefined) return { ...each, path, noun: undefined, verb: first };
  return { ...each, path, noun: first as keyof typeof nouns, verb };
}
