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
const LONGEST = 200;

/** What a call is about, without its name: `{"path":"src/login.ts"}` as `src/login.ts`. The input may be cut or no JSON at all. */
export function callWords(input: string): string {
  const told = TELLING.map((key) => toldBy(key, input)).filter((value) => value !== "");
  if (told.length > 0) return shortened(told.join(" "));
  return input.trim() === "{}" ? "" : shortened(input);
}

/** The name of a tool and its input, in an activity that is not just a few words. */
export function callIn(activity: string): { name: string; input: string } | undefined {
  const [, name, input] = /^(\w+) (\{.*)$/s.exec(activity) ?? [];
  return name === undefined || input === undefined ? undefined : { name, input };
}

/** The text of a field, as far as it is there; empty when there is none. */
export function toldBy(key: string, input: string): string {
  const text = new RegExp(`"${key}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`, "s").exec(input)?.[1] ?? "";
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}
