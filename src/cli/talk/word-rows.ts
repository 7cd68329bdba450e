import { manyLines } from "../text/plain-text.ts";
import { characters, textWidth } from "../text/text-width.ts";

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

export function wordRows(line: string, width: number): string[] {
  return brokenLine({ text: line }, width).rows;
}

/** The end of a line whose beginning was shown, with the indent of the rows that follow. */
export interface LineRest {
  text: string;
  indent?: number;
}

/**
 * One line of a text as rows, broken between words, and within those that are too long: no row is wider, so that a terminal
 * breaks none by itself. Rows before the last stay as they are when the line grows at its end, so that they can be shown
 * before it is whole; `rest` is what the last row holds.
 */
export function brokenLine({ text, indent: given }: LineRest, width: number): { rows: string[]; rest: LineRest } {
  const mark = given ?? LIST_MARK.exec(text)?.[0].length ?? 0;
  const indent = mark > width * WIDEST_INDENT ? 0 : mark;
  const rows: string[] = [];
  let row = given === undefined ? "" : " ".repeat(indent);
  let taken = row.length;
  let rest: LineRest = { text, ...(given === undefined ? {} : { indent: given }) };
  const next = (from: number) => {
    rows.push(row);
    row = " ".repeat(indent);
    taken = indent;
    rest = { text: text.slice(from), indent: mark };
  };
  for (const { index, 1: gap = "", 2: word = "" } of text.matchAll(WORD)) {
    let at = index + gap.length;
    const room = textWidth(word);
    const isBroken = taken > indent && taken + gap.length + room > width;
    if (isBroken) next(at);
    else if (given === undefined || taken > indent || rows.length > 0) {
      row += gap.slice(0, width - taken);
      taken = Math.min(width, taken + gap.length);
    }
    for (const piece of room > width - taken ? characters(word) : [word]) {
      if (taken > indent && taken + textWidth(piece) > width) next(at);
      row += piece;
      taken += textWidth(piece);
      at += piece.length;
    }
  }
  return { rows: [...rows, row], rest };
}
