/** A project as people call it. */
interface Nameable {
  id: string;
  name: string;
}

/** Scripts whose words are not set apart by spaces, or take endings without one: there a name may stand inside a word. */
const JOINED = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
const EDGE = `[[\\p{L}\\p{M}\\p{N}]--[${JOINED.map((script) => `\\p{Script=${script}}`).join("")}]]`;
const PLACEHOLDER = "\u0000";

/**
 * The ids of the projects that a text names, by id or by name, whatever stands between the words. The longest name wins:
 * "tea-shop" does not name the project "shop".
 */
export function projectsNamed(text: string, projects: readonly Nameable[]): Set<string> {
  const named = new Set<string>();
  let rest = plain(text);
  for (const [key, ids] of longestFirst(projects)) {
    if (!rest.includes(key)) continue;
    const pattern = new RegExp(`(?<!${EDGE})${escaped(key)}(?!${EDGE})`, "gv");
    const left = rest.replace(pattern, PLACEHOLDER);
    if (left === rest) continue;
    for (const id of ids) named.add(id);
    rest = left;
  }
  return named;
}

/** Whether a text mentions a name or an id as words of its own, whatever their case. */
export function mentions(text: string, name: string): boolean {
  const words = plain(name);
  return words !== "" && ` ${plain(text)} `.includes(` ${words} `);
}

/**
 * Whether a text says a statement in whole sentences, case, spaces and punctuation aside. Part of a sentence may say the
 * opposite of it. What leads up to a colon may be left out, as in "Remember: prices are in euros."
 */
export function says(text: string, statement: string): boolean {
  const said = clausesOf(text);
  const asked = clausesOf(statement);
  const isAt = (start: number) =>
    asked.every(({ words }, at) => said[start + at]?.words === words) &&
    said[start + asked.length - 1]?.end !== "colon";
  return asked.length > 0 && said.some((_, start) => isAt(start));
}

interface Clause {
  words: string;
  end: "sentence" | "colon";
}

/** Ends of sentences, and colons; a mark inside a number, a name or an address ends nothing. */
const CLAUSE_END = /([.!?…:]+(?=["'”»’)\]]*(?:\s|$))|[。！？：\n])/u;

function clausesOf(text: string): Clause[] {
  // Clauses and the marks that end them, in turns.
  const parts = text.split(CLAUSE_END);
  return parts.flatMap((part, at): Clause[] => {
    const words = at % 2 === 0 ? plain(part) : "";
    return words === "" ? [] : [{ words, end: /[:：]$/.test(parts[at + 1] ?? "") ? "colon" : "sentence" }];
  });
}

function longestFirst(projects: readonly Nameable[]): [string, string[]][] {
  const byKey = new Map<string, string[]>();
  for (const { id, name } of projects)
    for (const key of new Set([plain(id), plain(name)]))
      if (key !== "") byKey.set(key, [...(byKey.get(key) ?? []), id]);
  return [...byKey].sort(([left], [right]) => right.length - left.length);
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
