export type JsonOutcome =
  | {
      ok: true;
      value: unknown /** 1-based line of a member by its path, e.g. "roles/0/name". */;
      lineOf(path: string): number;
    }
  | { ok: false; line: number; reason: string };

const MAX_DEPTH = 64;

/** Reads JSON as strictly as a hand-edited file needs: one document, no key twice, no `__proto__`. Never throws. */
export function parseJsonText(text: string): JsonOutcome {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (plain.trim() === "") return { ok: false, line: 1, reason: "the file is empty" };
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      line: lineFrom(message, plain),
      reason: `it is not JSON: ${message.replace(/ in JSON at position.*$/, "")}`,
    };
  }
  return scanMembers(plain, value);
}

interface Level {
  path: string;
  keys: Set<string> | undefined;
  /** The key or position of the member being read. */
  member: string | number;
}

/** Walks the tokens of valid JSON once, to note where members stand and which key comes twice. */
function scanMembers(text: string, value: unknown): JsonOutcome {
  const lines = new Map<string, number>();
  const stack: Level[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]|\n/g)) {
    const level = stack.at(-1);
    if (token === "\n") line++;
    else if (token === "{" || token === "[") {
      if (stack.length >= MAX_DEPTH) return { ok: false, line, reason: `it is nested deeper than ${MAX_DEPTH} levels` };
      const path = level === undefined ? "" : memberPath(level);
      if (!lines.has(path)) lines.set(path, line);
      stack.push({ path, keys: token === "{" ? new Set() : undefined, member: 0 });
    } else if (token === "}" || token === "]") stack.pop();
    else if (token === ",") {
      if (level?.keys === undefined && level !== undefined) level.member = Number(level.member) + 1;
    } else if (level?.keys !== undefined && token.endsWith(":")) {
      const key = String(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)));
      if (level.keys.has(key)) return { ok: false, line, reason: `the key '${key}' stands twice in one object` };
      if (key === "__proto__") return { ok: false, line, reason: "the key '__proto__' is not allowed" };
      level.keys.add(key);
      level.member = key;
      lines.set(memberPath(level), line);
      line += token.split("\n").length - 1;
    }
  }
  return { ok: true, value, lineOf: (path) => nearestLine(lines, path) };
}

function memberPath(level: Level): string {
  return level.path === "" ? String(level.member) : `${level.path}/${level.member}`;
}

function nearestLine(lines: Map<string, number>, path: string): number {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return 1;
}

function lineFrom(message: string, text: string): number {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? text.split("\n").length : text.slice(0, Number(position)).split("\n").length;
}
