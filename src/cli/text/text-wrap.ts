import { textWidth } from "./text-width.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are told from text by their escape character
const COLOUR = /\u001b\[\d+m/g;
const LIST_MARK = /^ *(?:(?:[-*+]|\d+[.)]|\[[ x]\] \d+\.) +)?/;
const LABEL = /^ *(?:(?:error|hint): )?(?:\S+(?: \S+)* {2,}){0,2}/;

// A quoted command is one word, so that it can be copied.
const WORD = /( *)('(?:\/(?:[^ '\\]|\\.)*\/)?guildhall [^']*'[^ ]*|[^ ]*)/g;
const WIDEST_INDENT = 0.6;
const SMALL_INDENT = 4;

/** Breaks long lines of prose between words; a list item goes on under its own text. */
export function wrapProse(text: string, width: number | undefined): string {
  return wrapLines(text, width, (line) => LIST_MARK.exec(line)?.[0].length ?? 0);
}

/** Breaks long lines between words; what stands beside a label goes on beside it. */
export function wrapLabelled(text: string, width: number | undefined): string {
  return wrapLines(text, width, (line) => LABEL.exec(line)?.[0].length ?? 0);
}

/** Help, whose example commands stay whole so that they can be copied. */
export function wrapHelp(text: string, width: number | undefined): string {
  const wrap = (line: string) => (line.startsWith("  $ ") ? line : wrapLabelled(line, width));
  return text.split("\n").map(wrap).join("\n");
}

function wrapLines(text: string, width: number | undefined, indentOf: (line: string) => number): string {
  if (width === undefined) return text;
  const wrap = (line: string) => {
    if (visibleWidth(line) <= width) return line;
    const indent = indentOf(line.replace(COLOUR, ""));
    return wrapLine(line, width, indent > width * WIDEST_INDENT ? SMALL_INDENT : indent);
  };
  return text.split("\n").map(wrap).join("\n");
}

/** A word that would not fit into a line of its own stays where it is, whole: paths and addresses can be copied. */
function wrapLine(line: string, width: number, indent: number): string {
  let wrapped = "";
  let taken = 0;
  for (const [, gap = "", word = ""] of line.matchAll(WORD)) {
    const room = visibleWidth(word);
    if (taken > indent && taken + gap.length + room > width && indent + room <= width) {
      wrapped += `\n${" ".repeat(indent)}${word}`;
      taken = indent + room;
    } else {
      wrapped += gap + word;
      taken = (taken + gap.length + room) % width || width;
    }
  }
  return wrapped;
}

/** Without its colours. */
export function visibleWidth(text: string): number {
  return textWidth(text.replace(COLOUR, ""));
}
