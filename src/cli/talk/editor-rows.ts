import { oneLine } from "../text/plain-text.ts";
import { characters, textWidth } from "../text/text-width.ts";
import type { Region } from "./screen.ts";

export const PROMPT = "› ";
const MOST_ROWS = 8;

interface Laid {
  rows: string[];
  row: number;
  column: number;
}

/** The text being typed as rows behind the prompt; of a long one, those around the cursor. */
export function editorRegion({ text, before }: { text: string; before: string }, columns: number): Required<Region> {
  const { rows, row, column } = layOut(text, before.length, columns - PROMPT.length - 1);
  const first = Math.max(0, Math.min(row - MOST_ROWS + 1, rows.length - MOST_ROWS));
  const shown = rows.slice(first, first + MOST_ROWS);
  const lead = (at: number) => (at === 0 && first === 0 ? PROMPT : at === 0 ? "… " : "  ");
  return {
    rows: shown.map((each, at) => lead(at) + each),
    cursor: { row: row - first, column: PROMPT.length + column },
  };
}

/** Broken wherever a row is full, so that the cursor is where the person sees it. */
function layOut(text: string, cursor: number, width: number): Laid {
  const laid: Laid = { rows: [], row: 0, column: 0 };
  let row = "";
  let taken = 0;
  let at = 0;
  const mark = () => {
    if (at === cursor) Object.assign(laid, { row: laid.rows.length, column: taken });
  };
  const next = () => {
    laid.rows.push(row);
    row = "";
    taken = 0;
  };
  for (const character of text === "" ? [] : characters(text)) {
    const shown = character === "\n" ? "" : oneLine(character);
    if (taken + textWidth(shown) > width) next();
    mark();
    at += character.length;
    if (character === "\n") next();
    row += shown;
    taken += textWidth(shown);
  }
  mark();
  next();
  return laid;
}
