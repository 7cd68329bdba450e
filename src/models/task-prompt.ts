import type { Message } from "../contract/model-call.ts";

const TASK_FILES = "## Task Files";
const TASK = "# Your Task";

/** What an agent was given to do: the first message of its conversation. */
export function promptOf(messages: readonly Message[]): string {
  return messages.find((message) => message.role === "user")?.text ?? "";
}

/** The part of a prompt that is about this task and no other. */
export function taskIn(prompt: string): string {
  const start = prompt.lastIndexOf(`\n${TASK}\n`);
  return start < 0 ? prompt : prompt.slice(start);
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
