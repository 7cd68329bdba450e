import { oneLine } from "./plain-text.ts";

/** What tells most about a call, in this order. */
const TELLING = [
  "command",
  "name",
  "file",
  "role",
  "title",
  "pattern",
  "path",
  "glob",
  "url",
  "query",
  "outcome",
  "text",
];
const LONGEST_VALUE = 200;

/** `read {"path":"src/login.ts"}` as `read src/login.ts`. The input may be cut or no JSON at all. */
export function callText(name: string, input: string): string {
  const values = TELLING.flatMap((key) => toldBy(key, input));
  const told = values.length > 0 ? values.join(" ") : input.trim() === "{}" ? "" : input;
  return oneLine(`${name} ${shortened(told)}`.trim());
}

/** An activity as the agent words it: the name of a tool and its input, or a few words. */
export function activityText(activity: string): string {
  const [, name, input] = /^(\w+) (\{.*)$/s.exec(activity) ?? [];
  return name === undefined || input === undefined ? oneLine(activity) : callText(name, input);
}

function toldBy(key: string, input: string): string[] {
  const text = new RegExp(`"${key}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`, "s").exec(input)?.[1];
  if (text === undefined || text === "") return [];
  try {
    return [JSON.parse(`"${text}"`) as string];
  } catch {
    return [text];
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line;
}
