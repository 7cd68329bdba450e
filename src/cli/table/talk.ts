import type { CommandSpec, OptionSpec } from "../command-spec.ts";
import { project } from "./shared-options.ts";

const talking = {
  wait: { kind: "off", help: "return as soon as it is said" },
  timeout: { kind: "number", value: "SECONDS", help: "how long to wait for what comes of it (300 unless given)" },
  history: { kind: "number", value: "N", help: "how many messages of before to show on a terminal (10 unless given)" },
  noHistory: { kind: "flag", help: "show none of them" },
} as const satisfies Record<string, OptionSpec>;

const DETAIL =
  "With a text it is said, and the command shows what comes of it until nobody is at work on it any more; in a pipe nothing " +
  "but the answers is printed. The exit code is 1 when there is no answer. " +
  "Without a text, on a terminal, it is a conversation: answers are shown as they are written, Ctrl-C stops the one under " +
  "way, Ctrl-D leaves. With --json each message is one line. " +
  "What is piped in beside a text is said below it, after an empty line; in a loop that reads its own input, add </dev/null.";

/** Speaking with agents that live on, and reading what they were told and did. */
export const talkCommands = {
  chat: {
    summary: "talk with the main agent",
    detail: DETAIL,
    args: { text: { kind: "maybe-rest", help: "what to say (none, or '-': standard input, if it is no terminal)" } },
    options: {
      channel: { kind: "text", value: "NAME", help: "another conversation of the CLI (default unless given)" },
      ...talking,
    },
    examples: ["chat", 'chat "How is the shop?"', "chat /projects", "chat --json --timeout 60 'What waits for me?'"],
  },
  "project talk": {
    summary: "talk with a project's agent",
    detail: DETAIL,
    args: {
      project: { kind: "one", help: "the project's id" },
      text: { kind: "maybe-rest", help: "what to say (none, or '-': standard input, if it is no terminal)" },
    },
    options: talking,
    examples: [
      "project talk shop",
      'project talk shop "What is open?"',
      { before: "git diff | ", words: "project talk shop 'Review this'" },
    ],
  },
  session: {
    summary: "read what an agent was told, did and said",
    detail:
      "Of the main agent, or of a project's. Calls of tools are folded into one line each, and long texts are cut. Sessions that were full are listed as " +
      "archives; --file reads one of them.",
    options: {
      project: { ...project, help: "the project whose agent it is (else GUILDHALL_PROJECT, else the main agent)" },
      file: { kind: "text", value: "NAME", help: "an archive, as it is listed" },
      before: { kind: "number", value: "OFFSET", help: "the page before this one" },
      limit: { kind: "number", value: "N", help: "how many entries (1 to 1000, 100 unless given)" },
      full: { kind: "flag", help: "with thoughts, long messages and answers whole, and all that tools answered" },
    },
    examples: ["session", "session -p shop --limit 20", "session --json"],
  },
  "channel list": {
    summary: "list the channels in which something was said",
    examples: ["channel list"],
  },
} as const satisfies Record<string, CommandSpec>;
