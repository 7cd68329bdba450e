import type { CommandSpec, InputOf } from "../command-spec.ts";
import { budgetCommands } from "./budget.ts";
import { checkpointCommands } from "./checkpoint.ts";
import { hallCommands } from "./hall.ts";
import { instructionCommands } from "./instructions.ts";
import { knowledgeCommands } from "./knowledge.ts";
import { memoryCommands } from "./memory.ts";
import { projectCommands } from "./project.ts";
import { roleCommands } from "./role.ts";
import { runCommands } from "./run.ts";
import { skillCommands } from "./skill.ts";
import { talkCommands } from "./talk.ts";
import { taskCommands } from "./task.ts";

export const commands = {
  ...hallCommands,
  ...roleCommands,
  ...projectCommands,
  ...taskCommands,
  ...talkCommands,
  ...runCommands,
  ...budgetCommands,
  ...checkpointCommands,
  ...knowledgeCommands,
  ...memoryCommands,
  ...skillCommands,
  ...instructionCommands,
};

export type CommandPath = keyof typeof commands;
export type CommandInput<Path extends CommandPath> = InputOf<(typeof commands)[Path]>;

/** The nouns that have verbs. */
export const nouns = {
  role: "reusable templates of agents, and their place in projects",
  project: "long-lived spaces with a board, a memory and a team",
  task: "the work items of a project",
  run: "one agent at work on one task",
  checkpoint: "what is kept of working folders before agents change them",
  knowledge: "short statements that last, of projects and of the hall",
  memory: "what agents keep for later: facts and episodes",
  skill: "packs of instructions that agents use for certain kinds of work",
  instructions: "AGENTS.md and CLAUDE.md, which agents follow once you accepted them",
  channel: "where agents and the person speak with each other",
  events: "the log of every change",
  audit: "proof that the log is whole",
  index: "the search index, a cache of the files",
} as const;

export interface TableEntry {
  path: CommandPath;
  noun: keyof typeof nouns | undefined;
  verb: string;
  spec: CommandSpec;
}

export function tableEntries(): TableEntry[] {
  return (Object.keys(commands) as CommandPath[]).map((path) => {
    const [first = path, verb] = path.split(" ");
    if (verb === undefined) return { path, noun: undefined, verb: first, spec: commands[path] };
    return { path, noun: first as keyof typeof nouns, verb, spec: commands[path] };
  });
}
