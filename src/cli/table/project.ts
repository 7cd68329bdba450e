import type { ArgumentSpec, CommandSpec, OptionSpec } from "../command-spec.ts";
import { ifMatch, paging, yes } from "./shared-options.ts";

export const PROJECT_STATUSES = ["active", "suspended", "completed", "archived"] as const;

const project = { kind: "one", help: "the project's id" } as const satisfies ArgumentSpec;

const projectFields = {
  description: { kind: "text", short: "d", value: "TEXT", help: "what it is ('-' reads standard input)" },
  goal: { kind: "many", value: "TEXT", help: "a goal; repeat it for more" },
  language: { kind: "list", value: "NAMES", help: "languages, separated by commas" },
  framework: { kind: "list", value: "NAMES", help: "frameworks, separated by commas" },
  tool: { kind: "list", value: "NAMES", help: "tools of the tech stack, separated by commas" },
  scopeIn: { kind: "many", value: "TEXT", help: "something that belongs to it; repeat it for more" },
  scopeOut: { kind: "many", value: "TEXT", help: "something that does not; repeat it for more" },
  repo: { kind: "text", value: "URL", help: "address of its repository" },
  branch: { kind: "text", value: "BRANCH", help: "branch to work on" },
  envFile: { kind: "many", value: "FILE", help: "a file with its environment; repeat it for more" },
  environment: { kind: "list", value: "NAMES", help: "environments allowed, separated by commas" },
  model: { kind: "text", value: "MODEL", help: "model of its agents" },
  workdir: { kind: "text", value: "DIR", help: "folder of the code it works on" },
  requireReview: { kind: "toggle", help: "whether a person reviews before a task is done" },
  maxTokens: { kind: "number", clears: true, value: "N", help: "most tokens for one task" },
  timeout: { kind: "number", clears: true, value: "SECONDS", help: "longest time for one run" },
  network: { kind: "toggle", help: "whether commands of its agents reach the network" },
  readable: { kind: "many", value: "DIR", help: "a folder that commands may read; repeat it for more" },
  writable: { kind: "many", value: "DIR", help: "a folder that commands may change; repeat it for more" },
  memory: { kind: "number", clears: true, value: "MB", help: "most memory for commands" },
  processes: { kind: "number", clears: true, value: "N", help: "most processes of commands at once" },
  unsandboxed: { kind: "toggle", help: "whether commands run without a sandbox where none works" },
} as const satisfies Record<string, OptionSpec>;

export const projectCommands = {
  "project create": {
    summary: "create a project",
    args: { name: { kind: "one", help: "what people call it" } },
    options: {
      id: { kind: "text", value: "ID", help: "its id and folder (else made from the name)" },
      template: { kind: "text", value: "TEMPLATE", help: "start from this built-in template" },
      ...projectFields,
      background: { kind: "text", value: "TEXT", help: "what one should know before ('-' reads standard input)" },
    },
    examples: [
      "project create Shop --goal 'Sell books' --language TypeScript",
      "project create Harbour --template research",
      "project create 'Web site 2' --id site --workdir ~/src/site --require-review",
    ],
  },
  "project templates": {
    summary: "list the built-in templates of projects",
    examples: ["project templates"],
  },
  "project list": {
    summary: "list the projects",
    options: {
      status: { kind: "text", value: "STATUS", help: "only these", words: PROJECT_STATUSES },
      query: { kind: "text", short: "q", value: "TEXT", help: "only projects that match" },
      ...paging,
    },
    examples: ["project list", "project list --status active --json"],
  },
  "project show": {
    summary: "show one project with its files",
    args: { project },
    examples: ["project show shop"],
  },
  "project edit": {
    summary: "change a project",
    detail:
      "Only what is given changes; a list given replaces the former one, and an empty value ('') takes a setting away.",
    args: { project },
    options: { name: { kind: "text", value: "NAME", help: "what people call it" }, ...projectFields, ifMatch },
    examples: ["project edit shop --branch main --no-require-review", "project edit shop --repo ''"],
  },
  "project folder": {
    summary: "show the working folder as it was named and as it is now",
    detail:
      "A folder or repository that is not the one that was named is not used until it is confirmed. The fingerprint belongs to what was shown: if that changed since, nothing is confirmed.",
    args: { project },
    options: { confirm: { kind: "text", value: "FINGERPRINT", help: "confirm the folder as it was shown" } },
    examples: ["project folder shop", "project folder shop --confirm 3f6c09d1…"],
  },
  "project team": {
    summary: "list the roles of a project",
    args: { project },
    examples: ["project team shop"],
  },
  "project suspend": {
    summary: "let an active project rest",
    args: { project },
    examples: ["project suspend shop"],
  },
  "project resume": {
    summary: "wake a suspended project",
    args: { project },
    examples: ["project resume shop"],
  },
  "project complete": {
    summary: "declare a project completed",
    args: { project },
    examples: ["project complete shop"],
  },
  "project reopen": {
    summary: "make a completed project active again",
    args: { project },
    examples: ["project reopen shop"],
  },
  "project archive": {
    summary: "archive a completed project for good",
    args: { project },
    examples: ["project archive shop"],
  },
  "project delete": {
    summary: "archive a project, or move its folder to the trash",
    detail: "Asks first when a person sits at the terminal.",
    args: { project },
    options: { purge: { kind: "flag", help: "move its folder to the workspace's trash" }, yes },
    examples: ["project delete shop", "project delete shop --purge --yes"],
  },
} as const satisfies Record<string, CommandSpec>;
