import { extname } from "node:path/posix";

/** Languages whose tests can be read here. */
export type Language = "javascript" | "python" | "go" | "rust" | "java" | "ruby";

const LANGUAGES: Readonly<Record<string, Language>> = {
  ".js": "javascript",
  ".jsx": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".ts": "javascript",
  ".tsx": "javascript",
  ".mts": "javascript",
  ".cts": "javascript",
  ".vue": "javascript",
  ".svelte": "javascript",
  ".py": "python",
  ".go": "go",
  ".rs": "rust",
  ".java": "java",
  ".kt": "java",
  ".scala": "java",
  ".cs": "java",
  ".rb": "ruby",
};

const OTHER_CODE = new Set([
  ...[".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m", ".mm", ".swift", ".php", ".ex", ".exs", ".erl", ".hs", ".lua"],
  ...[".pl", ".dart", ".clj", ".fs", ".zig", ".sh", ".bash", ".ps1", ".sql", ".r", ".jl", ".astro"],
]);

export function languageOf(path: string): Language | undefined {
  return LANGUAGES[extname(path).toLowerCase()];
}

/** Whether tests could prove what the file says. */
export function isCodeFile(path: string): boolean {
  return languageOf(path) !== undefined || OTHER_CODE.has(extname(path).toLowerCase());
}

/** Languages in which `#` begins a comment. */
const HASH = new Set<Language>(["python", "ruby"]);

/**
 * The text with comments and the content of strings blanked, line for line and column for column. Tolerant: what it can't tell
 * apart, such as a regular expression from a division after a bracket, it leaves as it is.
 */
export function maskCode(text: string, language: Language): string {
  const out: string[] = [];
  let at = 0;
  const blank = (end: number) => {
    for (; at < Math.min(end, text.length); at++) out.push(text[at] === "\n" ? "\n" : " ");
  };
  while (at < text.length) {
    const end = commentEnd(text, at, language);
    if (end !== undefined) {
      blank(end);
      continue;
    }
    const string = stringAt(text, at, language);
    if (string === undefined) {
      out.push(text[at] ?? "");
      at++;
      continue;
    }
    out.push(...text.slice(at, string.from));
    at = string.from;
    blank(string.to);
    out.push(...text.slice(at, string.end));
    at = string.end;
  }
  return out.join("");
}

function commentEnd(text: string, at: number, language: Language): number | undefined {
  const lineEnd = () => {
    const end = text.indexOf("\n", at);
    return end === -1 ? text.length : end;
  };
  if (HASH.has(language)) return text[at] === "#" ? lineEnd() : undefined;
  if (text.startsWith("//", at)) return lineEnd();
  if (!text.startsWith("/*", at)) return undefined;
  const end = text.indexOf("*/", at + 2);
  return end === -1 ? text.length : end + 2;
}

interface Quoted {
  /** Of the content. */
  from: number;
  to: number;
  /** After the closing quote. */
  end: number;
}

function stringAt(text: string, at: number, language: Language): Quoted | undefined {
  if (language === "rust") {
    const raw = /r(#*)"/y;
    raw.lastIndex = at;
    const found = raw.exec(text);
    if (found !== null && !/\w/.test(text[at - 1] ?? " ")) return closed(text, raw.lastIndex, `"${found[1]}`);
  }
  const quote = text[at] ?? "";
  if (language === "javascript" && quote === "/") return regexAt(text, at);
  if (language === "python")
    for (const triple of ['"""', "'''"])
      if (text.startsWith(triple, at)) return closed(text, at + 3, triple, { escapes: true });
  // A lifetime of Rust, or a character: neither hides a test.
  if (quote === "'" && (language === "rust" || language === "go")) return undefined;
  if (quote === "`" && (language === "javascript" || language === "go"))
    return closed(text, at + 1, "`", { escapes: language === "javascript" });
  if (quote !== '"' && quote !== "'") return undefined;
  return closed(text, at + 1, quote, { escapes: true, oneLine: true });
}

const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+>\n]|\breturn|\bof|\bcase)\s*$/;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y;

/** A regular expression stands where a value begins. */
function regexAt(text: string, at: number): Quoted | undefined {
  if (!BEFORE_REGEX.test(text.slice(Math.max(0, at - 20), at))) return undefined;
  REGEX.lastIndex = at;
  return REGEX.test(text) ? { from: at + 1, to: REGEX.lastIndex - 1, end: REGEX.lastIndex } : undefined;
}

function closed(
  text: string,
  from: number,
  mark: string,
  { escapes = false, oneLine = false }: { escapes?: boolean; oneLine?: boolean } = {},
): Quoted | undefined {
  for (let to = from; to < text.length; to++) {
    if (escapes && text[to] === "\\") to++;
    else if (text.startsWith(mark, to)) return { from, to, end: to + mark.length };
    // An apostrophe in a regular expression or in JSX.
    else if (oneLine && text[to] === "\n") return undefined;
  }
  return oneLine ? undefined : { from, to: text.length, end: text.length };
}
