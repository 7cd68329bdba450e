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
const LONGEST = 240;

/** What a call is about, without its name: `{"path":"src/login.ts"}` as `src/login.ts`. The input may be no JSON at all. */
export function callWords(input: string): string {
  const given = parsed(input);
  if (given === undefined) return shortened(input);
  const told = TELLING.flatMap((key) => {
    const value = given[key];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  if (told.length > 0) return shortened(told.join(" "));
  return Object.keys(given).length === 0 ? "" : shortened(JSON.stringify(given));
}

/** The input for reading; as it was written when it is no JSON. */
export function inputText(input: string): string {
  const given = parsed(input);
  if (given === undefined) return input;
  const [only] = Object.values(given);
  if (Object.keys(given).length === 1 && typeof only === "string") return only;
  return Object.entries(given)
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return text.includes("\n") ? `${key}:\n${text}` : `${key}: ${text}`;
    })
    .join("\n");
}

/** What an agent does now: the name of a tool and its input, or a few words. */
export function activityWords(activity: string): string {
  const [, name, input] = /^(\w+) (\{.*)$/s.exec(activity) ?? [];
  if (name === undefined || input === undefined) return activity;
  return `${name} ${parsed(input) === undefined ? cutWords(input) : callWords(input)}`.trim();
}

/** An activity is cut, and then its input is no JSON any more. */
function cutWords(input: string): string {
  const value = /"(?:\w+)"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(input)?.[1];
  return shortened(value === undefined ? input : value.replace(/\\n/g, " ").replace(/\\(.)/g, "$1"));
}

function parsed(input: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}
