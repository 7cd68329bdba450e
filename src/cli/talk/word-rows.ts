import { manyLines } from "../plain-text.ts";
import { characters, textWidth } from "../text-width.ts";

const LIST_MARK = /^ *(?:(?:[-*+]|\d+[.)]) +)?/;
const WIDEST_INDENT = 0.5;
/** Scripts that are written without spaces may be broken anywhere. */
const WORD =
  /( *)([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|$)/gu;

/** A text of agents or people as rows of a terminal, with nothing in them that it would act on. */
export function textRows(text: string, width: number): string[] {
  return manyLines(text)
    .split("\n")
    .flatMap((line) => wordRows(line, width));
}

/**
 * One line of a text as rows, broken between words, and within those that are too long: no row is wider, so that a terminal
 * breaks none by itself. Rows before the last stay as they are when the line grows at its end, so that they can be shown
 * before it is whole.
 */
export function wordRows(line: string, width: number): string[] {
  const mark = LIST_MARK.exec(line)?.[0].length ?? 0;
  const indent = mark > width * WIDEST_INDENT ? 0 : mark;
  const rows: string[] = [];
  let row = "";
  let taken = 0;
  const next = () => {
    rows.push(row);
    row = " ".repeat(indent);
    taken = indent;
  };
  for (const [, gap = "", word = ""] of line.matchAll(WORD)) {
    const room = textWidth(word);
    const isBroken = taken > indent && taken + gap.length + room > width;
    if (isBroken) next();
    else {
      row += gap.slice(0, width - taken);
      taken = Math.min(width, taken + gap.length);
    }
    for (const piece of room > width - taken ? characters(word) : [word]) {
      if (taken > indent && taken + textWidth(piece) > width) next();
      row += piece;
      taken += textWidth(piece);
    }
  }
  return [...rows, row];
}
