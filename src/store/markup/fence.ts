import { LIMITS } from "./yaml-layout.ts";

export interface Fenced {
  ok: true;
  /** The YAML between the fences: empty, or lines that each end in a line break. */
  source: string;
  /** Offset of the source, and of the closing fence, in the file. */
  start: number;
  close: number;
  /** Offset of what follows the closing fence's line. */
  body: number;
  eol: "\n" | "\r\n";
}

type FenceOutcome = Fenced | { ok: false; line: number; reason: string };

const BOM = "\ufeff";

/** Splits a file at its fences: a first line '---', and the next line that is '---' again, trailing blanks allowed. */
export function splitFence(text: string): FenceOutcome {
  const first = text.startsWith(BOM) ? 1 : 0;
  const lineBreak = text.indexOf("\n", first);
  const firstEnd = lineBreak === -1 ? text.length : lineBreak;
  if (!isFence(text, first, firstEnd)) return { ok: false, line: 1, reason: explainStart(text.slice(first)) };
  const start = Math.min(firstEnd + 1, text.length);
  const close = findClose(text, start);
  if (close === -1) return { ok: false, line: 1, reason: "the frontmatter is not closed by a line '---'" };
  const source = text.slice(start, close);
  if (source.length > LIMITS.bytes || Buffer.byteLength(source) > LIMITS.bytes) {
    return { ok: false, line: 1, reason: `the frontmatter is larger than ${LIMITS.bytes / 1024} KiB` };
  }
  const closeBreak = text.indexOf("\n", close);
  const body = closeBreak === -1 ? text.length : closeBreak + 1;
  return { ok: true, source, start, close, body, eol: text[firstEnd - 1] === "\r" ? "\r\n" : "\n" };
}

function findClose(text: string, start: number): number {
  for (let at = start; at !== -1; ) {
    const found = text.startsWith("---", at) ? at : text.indexOf("\n---", at) + 1;
    if (found === 0) return -1;
    const lineBreak = text.indexOf("\n", found);
    if (isFence(text, found, lineBreak === -1 ? text.length : lineBreak)) return found;
    at = lineBreak;
  }
  return -1;
}

function isFence(text: string, start: number, lineEnd: number): boolean {
  if (!text.startsWith("---", start)) return false;
  const end = text[lineEnd - 1] === "\r" && lineEnd < text.length ? lineEnd - 1 : lineEnd;
  for (let at = start + 3; at < end; at++) if (text[at] !== " " && text[at] !== "\t") return false;
  return true;
}

function explainStart(text: string): string {
  if (text === "") return "the file is empty; it must start with a line '---'";
  if (text.startsWith("---\r")) return "lines end in a bare carriage return; save the file with LF or CRLF line ends";
  if (text.startsWith("+++")) return "the fence '+++' is TOML; write YAML between two lines '---'";
  if (text.startsWith("----")) return "the fence has more than three dashes; it must be exactly '---'";
  if (text.startsWith("---")) return "the first line must be '---' and nothing else";
  if (/^\s+---/.test(text.slice(0, 1_000))) return "the line '---' must be the very first, without anything before it";
  return "there is no frontmatter; the file must start with a line '---'";
}
