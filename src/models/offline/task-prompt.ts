import type { Message } from "../../contract/runs/model-call.ts";

const TASK_FILES = "## Task Files";
const TASK = "# Your Task";
const TITLE = /^\*\*Title:\*\* (.+)$/m;
const END = "\n\n---\nWork in: ";

/** Before the changes that a person requested. */
export const CHANGES_REQUESTED =
  "## Review\nAn earlier run worked on this task; its work is in your working folder. The reviewer requested changes. Continue from there:";
/** Before the result that is reviewed. */
export const SUBMITTED_WORK = "## Submitted work";

/** What an agent was given to do: the first message of its conversation. */
export function promptOf(messages: readonly Message[]): string {
  return messages.find((message) => message.role === "user")?.text ?? "";
}

/**
 * The part of a prompt that is about this task and no other, without what was made of it. Where the role's template has the
 * description, it is in the system prompt, after the title.
 */
export function taskIn(prompt: string, system = ""): string {
  const start = prompt.lastIndexOf(`\n${TASK}\n`);
  const end = prompt.lastIndexOf(`\n${SUBMITTED_WORK}\n`);
  const own = prompt.slice(Math.max(start, 0), end > start ? end : undefined);
  const title = TITLE.exec(prompt)?.[1];
  const described = title === undefined ? -1 : system.indexOf(title);
  return described < 0 ? own : `${own}\n${system.slice(described)}`;
}

/** What the person said who sent the result back with which the agent goes on; undefined when nobody did. */
export function remarksIn(prompt: string): string | undefined {
  const start = prompt.lastIndexOf(`\n${CHANGES_REQUESTED}\n`);
  const end = prompt.lastIndexOf(END);
  if (start < 0) return undefined;
  return prompt.slice(start + CHANGES_REQUESTED.length + 1, end < start ? undefined : end).trim();
}

export function titleIn(prompt: string): string {
  return TITLE.exec(prompt)?.[1] ?? "the task";
}

/** The id of the task; undefined in a prompt that does not name it. */
export function taskIdIn(prompt: string): string | undefined {
  return /TASKS\/in-progress\/(TASK-\d+)\.md/.exec(prompt.slice(Math.max(0, prompt.lastIndexOf(END))))?.[1];
}

/** The id of the first finding that a reviewer is asked about; undefined when there is none. */
export function findingIn(prompt: string): string | undefined {
  const start = prompt.lastIndexOf(`\n${SUBMITTED_WORK}\n`);
  return start < 0 ? undefined : /^ {4}(rev-[0-9a-f]+) /m.exec(prompt.slice(start))?.[1];
}

/** The files that a task names, by the headings under which its prompt shows them. */
export function filesIn(prompt: string): string[] {
  const start = prompt.indexOf(`\n${TASK_FILES}\n`);
  const end = prompt.lastIndexOf(`\n${TASK}\n`);
  if (start < 0) return [];
  const section = prompt.slice(start, end < start ? undefined : end);
  return [...section.matchAll(/^### ([^\s/]\S*)$/gm)].map((match) => match[1] ?? "");
}
