import type { CommandSpec, OptionSpec } from "../command-spec.ts";
import { ifMatch, project } from "./shared-options.ts";

// The words of contract/knowledge.ts, which cannot be loaded here without its schemas; a test keeps them the same.
export const KNOWLEDGE_TOPICS = ["conventions", "preferences", "decisions", "patterns"] as const;

const topic = {
  kind: "text",
  short: "t",
  value: "TOPIC",
  help: "the page it stands on",
  words: KNOWLEDGE_TOPICS,
} as const satisfies OptionSpec;
const hall = { kind: "flag", help: "the hall's own, whatever GUILDHALL_PROJECT says" } as const satisfies OptionSpec;
const statement = { kind: "one", help: "the statement's id, or its last characters" } as const;
const seen = { ...project, help: "this project's and the hall's (else GUILDHALL_PROJECT, else all)" } as const;
const limit = { kind: "number", value: "N", help: "how many at most (1 to 1000, 100 unless given)" } as const;

export const knowledgeCommands = {
  "knowledge list": {
    summary: "list what is known, the newest first",
    options: { project: seen, hall, topic, limit },
    examples: ["knowledge list", "knowledge list -p shop -t decisions", "knowledge list --hall --json"],
  },
  "knowledge search": {
    summary: "search what is known, the nearest and newest first",
    args: { query: { kind: "rest", help: "words that it should have" } },
    options: { project: seen, hall, topic, limit },
    examples: ["knowledge search package manager", "knowledge search tests -p shop"],
  },
  "knowledge add": {
    summary: "add a statement to a project's knowledge, or to the hall's",
    detail:
      "The same words again, whatever their case and punctuation, are merged: the newest date and all origins stay.",
    args: { text: { kind: "rest", help: "one sentence or two" } },
    options: {
      project: { ...project, help: "the project it holds for (else GUILDHALL_PROJECT, else all projects)" },
      hall,
      topic,
      origin: { kind: "text", value: "TEXT", help: "where it comes from, such as a task ('person' unless given)" },
    },
    examples: [
      "knowledge add 'Use pnpm, not npm.'",
      "knowledge add 'Prices are in cents.' -p shop -t decisions --origin TASK-012",
    ],
  },
  "knowledge edit": {
    summary: "say a statement in other words",
    args: { statement, text: { kind: "rest", help: "the new words" } },
    options: { project: seen, hall, ifMatch },
    examples: ["knowledge edit 3f2a9b 'Use pnpm 10, not npm.'"],
  },
  "knowledge promote": {
    summary: "copy a project's statement to the hall's knowledge",
    args: { statement },
    options: {
      project,
      topic: { ...topic, help: "the hall's page it goes to (its own, unless given, or conventions)" },
    },
    examples: ["knowledge promote 3f2a9b -p shop"],
  },
  "knowledge remove": {
    summary: "remove a statement",
    args: { statement },
    options: { project: seen, hall, ifMatch },
    examples: ["knowledge remove 3f2a9b -p shop", "knowledge remove conventions-0c1d3f2a9b --hall"],
  },
} as const satisfies Record<string, CommandSpec>;
