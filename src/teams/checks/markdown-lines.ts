/** A line of a Markdown document outside code. */
interface ProseLine {
  /** From 1. */
  number: number;
  /** Without inline code and comments. */
  text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const INDENTED = /^(?: {4}|\t)/;
const INLINE_CODE = /(`+)(?!`).*?[^`]\1(?!`)/g;
/** Longer lines are data, not prose. */
const LONGEST_LINE = 5_000;

/** The lines that people wrote: code blocks, inline code and what comments hide are left out. */
export function proseLines(text: string): ProseLine[] {
  return readProse(text).lines;
}

interface Prose {
  lines: ProseLine[];
  /** Lines of code blocks, and those that are too long to be prose. */
  code: number[];
  /** Where a code block or comment begins that is never closed, so that it hides the rest. */
  open?: number;
}

export function readProse(text: string): Prose {
  const lines: ProseLine[] = [];
  const code: number[] = [];
  let fence: string | undefined;
  let hiddenFrom = 0;
  let isComment = false;
  let isAfterBlank = true;
  let isCode = false;
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.replace(/\r$/, "");
    const [, marks = "", rest = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks.startsWith(fence) && rest.trim() === "") fence = undefined;
      else if (line.trim() !== "") code.push(at + 1);
      continue;
    }
    if (marks !== "" && !isComment) {
      fence = marks;
      hiddenFrom = at + 1;
      continue;
    }
    isCode = INDENTED.test(line) && (isAfterBlank || isCode);
    isAfterBlank = line.trim() === "";
    if (isCode || line.length > LONGEST_LINE) {
      code.push(at + 1);
      continue;
    }
    const seen = withoutComments(line, isComment);
    if (seen.isOpen && !isComment) hiddenFrom = at + 1;
    isComment = seen.isOpen;
    lines.push({ number: at + 1, text: seen.text.replaceAll(INLINE_CODE, " code ") });
  }
  return { lines, code, ...(fence !== undefined || isComment ? { open: hiddenFrom } : {}) };
}

function withoutComments(line: string, isOpen: boolean): { text: string; isOpen: boolean } {
  let text = "";
  let rest = line;
  let isInside = isOpen;
  while (rest !== "") {
    const at = rest.indexOf(isInside ? "-->" : "<!--");
    if (!isInside) text += at === -1 ? rest : rest.slice(0, at);
    if (at === -1) break;
    rest = rest.slice(at + (isInside ? 3 : 4));
    isInside = !isInside;
  }
  return { text, isOpen: isInside };
}
