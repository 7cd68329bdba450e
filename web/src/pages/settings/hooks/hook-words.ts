import type { Hook, HookEvent, HookSource, HookTrace } from "../../../../../src/contract/documents/hook.ts";
import type { Tone } from "../../../ui/badge.tsx";

/** Events after which a refusal only tells the agent something. */
const AFTER_THE_FACT: readonly HookEvent[] = ["SessionStart", "PostToolUse", "EscalationCreated", "GateFinished"];

/** What a hook that fails (timeout, crash, missing program) means; undefined where nothing depends on it. */
export function failureWords({ event, onError }: Pick<Hook, "event" | "onError">): string | undefined {
  if (AFTER_THE_FACT.includes(event)) return undefined;
  return onError === "allow" ? "Allows if it fails" : "Refuses if it fails";
}

/** When hooks run, in the order of the page, and what a refusal does. */
export const EVENT_WORDS: Record<HookEvent, string> = {
  SessionStart: "When an agent starts. Its output is added to the agent's context.",
  PreToolUse: "Before a tool call. A refusal keeps the call from running.",
  PostToolUse: "After a tool call. Its feedback goes to the agent.",
  TaskCreated: "When a task is created. A refusal keeps it from being created.",
  TaskCompleted: "Before a task is marked done. A refusal sends the agent back to work.",
  TeammateIdle: "When an agent has finished its work. A refusal tells it what is missing.",
  PreShutdown: "Before a project or the daemon stops. A refusal names what is still open.",
  EscalationCreated: "When a question reaches the queue.",
  GateFinished: "When a quality gate has judged a change.",
};

export const SOURCE_WORDS: Record<HookSource, { word: string; title: string }> = {
  builtin: { word: "Built-in", title: "Part of Guildhall" },
  config: { word: "config.yml", title: "Set in config.yml of the workspace" },
  file: { word: "hooks/", title: "A file in the hooks folder of the workspace" },
  repository: { word: "Repository", title: "From .claude/settings.json of the project's repository" },
};

export const OUTCOME_WORDS: Record<HookTrace["outcome"], { word: string; tone: Tone }> = {
  allowed: { word: "Allowed", tone: "good" },
  refused: { word: "Refused", tone: "bad" },
  failed: { word: "Failed", tone: "warn" },
};

/** A program and its arguments as one would type them: arguments with spaces or quotes are quoted. */
export function commandLine(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
