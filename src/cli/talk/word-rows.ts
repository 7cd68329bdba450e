import { textWidth } from "../text-width.ts";

const LIST_MARK = /^ *(?:(?:[-*+]|\d+[.)]) +)?/;
const WIDEST_INDENT = 0.5;

/**
 * One line of a text as rows of a terminal, broken between words. Rows before the last stay as they are when the line
 * grows at its end, so that they can be shown before it is whole. A word that is too long for a row has one of its own.
 */
export function wordRows(line: string, width: number): string[] {
  const mark = LIST_MARK.exec(line)?.[0].length ?? 0;
  const indent = mark > width * WIDEST_INDENT ? 0 : mark;
  const rows: string[] = [];
  let row = "";
  let taken = 0;
  for (const [, gap = "", word = ""] of line.matchAll(/( *)([^ ]*)/g)) {
    const room = textWidth(word);
    if (taken > indent && taken + gap.length + room > width) {
      rows.push(row);
      row = `${" ".repeat(indent)}${word}`;
      taken = indent + room;
    } else {
      row += gap + word;
      taken += gap.length + room;
    }
  }
  return [...rows, row];
}
