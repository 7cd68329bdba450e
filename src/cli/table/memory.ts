import type { CommandSpec, OptionSpec } from "../command-spec.ts";
import { ifMatch, yes } from "./shared-options.ts";

const whose = {
  project: {
    kind: "text",
    short: "p",
    value: "PROJECT",
    help: "the memory of this project (else GUILDHALL_PROJECT, else the main agent's)",
  },
  main: { kind: "flag", help: "the main agent's memory, whatever GUILDHALL_PROJECT says" },
} as const satisfies Record<string, OptionSpec>;

const file = { kind: "one", help: "facts/<name>.md, or episodes/YYYY-MM.md" } as const;

export const memoryCommands = {
  "memory list": {
    summary: "list what agents remember, each file with its summary",
    options: whose,
    examples: ["memory list -p shop", "memory list --json"],
  },
  "memory show": {
    summary: "show a file of a memory",
    args: { path: file },
    options: whose,
    examples: ["memory show facts/door.md -p shop", "memory show episodes/2026-11.md"],
  },
  "memory write": {
    summary: "write or correct a file of a memory",
    detail:
      "A fact has at most 15 KB and a line '> Summary: …', made from its first words where it is missing. " +
      "With --if-match, what an agent has written since you read it is not overwritten.",
    args: { path: file },
    options: {
      ...whose,
      file: { kind: "text", value: "FILE", help: "where the text is; - is standard input (needed)" },
      ifMatch,
    },
    examples: [
      "memory write facts/door.md -p shop --file door.md",
      "memory write facts/user.md --main --file - < user.md",
    ],
  },
  "memory remove": {
    summary: "move a file of a memory to the trash",
    args: { path: file },
    options: { ...whose, ifMatch, yes },
    examples: ["memory remove facts/door.md -p shop", "memory remove facts/user.md --main --yes"],
  },
} as const satisfies Record<string, CommandSpec>;
