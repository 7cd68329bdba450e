import type { CommandSpec } from "../command-spec.ts";
import { project } from "./shared-options.ts";

export const instructionCommands = {
  "instructions list": {
    summary: "list AGENTS.md and CLAUDE.md of a project's working folder, and whether you accepted them",
    options: { project },
    examples: ["instructions list -p shop", "instructions list -p shop --json"],
  },
  "instructions show": {
    summary: "show one of these files, and what changed since you accepted it",
    args: { path: { kind: "one", help: "its path, as 'instructions list' shows it" } },
    options: { project },
    examples: ["instructions show AGENTS.md -p shop"],
  },
  "instructions accept": {
    summary: "accept one of these files as it is now",
    detail:
      "Agents follow the content you accepted last. What was there when you named the folder, what you approved with a " +
      "run, and what you committed on the branch that results go into counts as accepted.",
    args: { path: { kind: "one", help: "its path, as 'instructions list' shows it" } },
    options: {
      project,
      hash: { kind: "text", value: "HASH", help: "refuse unless this is its hash, as 'instructions show' tells it" },
    },
    examples: ["instructions accept AGENTS.md -p shop"],
  },
} as const satisfies Record<string, CommandSpec>;
