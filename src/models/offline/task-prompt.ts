import type { Message } from "../../contract/runs/model-call.ts";

const TASK_FILES = "## Task Files";
const TASK = "# Your Task";
const END = "\n\n---\nWork in: ";

/** Before what a person said when they sent a result back. */
export const SENT_BACK =
  "## Review\nAn earlier run did this task. Its work is in your working folder. A person looked at it and sent it back; go on from there:";
/** Before the result that is reviewed. */
export const HANDED_IN = "## What was handed in";

/** What an agent was given to do: the first message of its conversation. */
export function promptOf(messages: readonly Message[]): string {
  return messages.find((message) => message.role === "user")?.text ?? "";
}

/** The part of a prompt that is about this task and no other, without what was made of it. */
export function taskIn(prompt: string): string {
  const start = prompt.lastIndexOf(`\n${TASK}\n`);
  const end = prompt.lastIndexOf(`\n${HANDED_IN}\n`);
  return prompt.slice(Math.max(start, 0), end > start ? end : undefined);
}

/** What the person said who sent the result back with which the agent goes on; undefined when nobody did. */
export function remarksIn(prompt: string): string | undefined {
  const start = prompt.lastIndexOf(`\n${SENT_BACK}\n`);
  const end = prompt.lastIndexOf(END);
  if (start < 0) return undefined;
  return prompt.slice(start + SENT_BACK.length + 1, end < start ? undefined : end).trim();
}

export function titleIn(prompt: string): string {
  return /^\*\*Title:\*\* (.*)$/m.exec(prompt)?.[1] ?? "the task";
}

/** The files that a task names, by the headings under which its prompt shows them. */
export function filesIn(prompt: string): string[] {
  const start = prompt.indexOf(`\n${TASK_FILES}\n`);
  const end = prompt.lastIndexOf(`\n${TASK}\n`);
  if (start < 0) return [];
  const section = prompt.slice(start, end < start ? undefined : end);
  return [...section.matchAll(/^### ([^\s/]\S*)$/gm)].map((match) => match[1] ?? "");
}
