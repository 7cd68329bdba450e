import type { ArgumentSpec, CommandSpec, OptionSpec } from "../command-spec.ts";
import { ifMatch, modelSettings, paging, project } from "./shared-options.ts";

const role = { kind: "one", help: "the role's id" } as const satisfies ArgumentSpec;

const roleFields = {
  name: { kind: "text", value: "NAME", help: "what people call it" },
  emoji: { kind: "text", value: "EMOJI", help: "its sign" },
  description: { kind: "text", short: "d", value: "TEXT", help: "what it is for ('-' reads standard input)" },
  specialty: { kind: "list", value: "WORDS", help: "what it is good at, separated by commas" },
  ...modelSettings,
  skills: { kind: "list", value: "NAMES", help: "tools and skills it may use, separated by commas" },
  promptFile: { kind: "text", value: "FILE", help: "read the prompt template from this file ('-': standard input)" },
  variables: { kind: "list", value: "NAMES", help: "variables the prompt needs, separated by commas" },
  file: { kind: "text", value: "FILE", help: "read the role as JSON ('-': standard input); options win over it" },
} as const satisfies Record<string, OptionSpec>;

export const roleCommands = {
  "role list": {
    summary: "list the roles",
    options: { query: { kind: "text", short: "q", value: "TEXT", help: "only roles that match" }, ...paging },
    examples: ["role list", "role list --json"],
  },
  "role show": {
    summary: "show one role with its prompt",
    args: { role },
    examples: ["role show backend"],
  },
  "role templates": {
    summary: "list the built-in templates",
    examples: ["role templates"],
  },
  "role create": {
    summary: "create a role, from scratch or from a template",
    options: {
      template: { kind: "text", value: "TEMPLATE", help: "start from this built-in template" },
      id: { kind: "text", value: "ID", help: "its id (else made from the name)" },
      ...roleFields,
    },
    examples: [
      "role create --template coder --id backend --name 'Backend developer'",
      "role create --name Poet --emoji 🪶 --specialty verse,rhyme --prompt-file poet.md",
      "role create --file role.json",
    ],
  },
  "role edit": {
    summary: "change a role",
    detail: "Only what is given changes; a list given replaces the former one, and an empty one ('') empties it.",
    args: { role },
    options: { ...roleFields, ifMatch },
    examples: ["role edit backend --thinking high --skills read,write,exec"],
  },
  "role delete": {
    summary: "delete a role that no project has",
    args: { role },
    examples: ["role delete poet"],
  },
  "role import": {
    summary: "make roles from files of .claude/agents",
    detail:
      "Names of tools are translated; what has no counterpart is told. A tool that the file restricts is left out, and a file " +
      "without a list of tools gets 'read'. A role that is there already is left as it is, unless --replace is given.",
    args: { path: { kind: "one", help: "a file, a folder of such files, or '-' for standard input" } },
    options: {
      replace: { kind: "flag", help: "change a role that is there already" },
      id: { kind: "text", value: "ID", help: "the role's id (else made from the name in the file)" },
    },
    examples: ["role import .claude/agents", "role import reviewer.md --replace"],
  },
  "role export": {
    summary: "print or write a role as a file of .claude/agents",
    args: { role },
    options: {
      to: { kind: "text", value: "DIR", help: "write it into this folder" },
      force: { kind: "flag", help: "write over a file that is there" },
    },
    examples: ["role export backend", "role export backend --to .claude/agents"],
  },
  "role assign": {
    summary: "assign a role to a project",
    args: { role },
    options: {
      project,
      auto: { kind: "flag", help: "let the hall start it by itself (else only on demand)" },
      paused: { kind: "flag", help: "assign it, but do not let it work yet" },
      ...modelSettings,
      skills: { kind: "list", value: "NAMES", help: "tools and skills in this project, separated by commas" },
    },
    examples: ["role assign backend -p shop --auto", "role assign backend -p shop --timeout 900"],
  },
  "role unassign": {
    summary: "take a role off a project",
    args: { role },
    options: { project },
    examples: ["role unassign backend -p shop"],
  },
  "role pause": {
    summary: "keep a role assigned, but let it rest in one project",
    args: { role },
    options: { project },
    examples: ["role pause backend -p shop"],
  },
  "role resume": {
    summary: "let a paused role work again",
    args: { role },
    options: { project },
    examples: ["role resume backend -p shop"],
  },
  "role suggest": {
    summary: "suggest roles for a text or a task, best first",
    args: { text: { kind: "maybe-rest", help: "what has to be done" } },
    options: {
      project,
      task: { kind: "text", value: "TASK", help: "take the text from this task of the project" },
      limit: { kind: "number", value: "N", help: "how many at most (1 to 50, 5 unless given)" },
    },
    examples: ["role suggest fix the login page", "role suggest --task TASK-007 -p shop"],
  },
} as const satisfies Record<string, CommandSpec>;
