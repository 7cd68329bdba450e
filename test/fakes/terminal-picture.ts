import { characters, textWidth } from "../../src/cli/text/text-width.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal acts on is told from text by these
const PART = /\u001b\[(\??[\d;]*)([A-Za-z])|[\r\n]|[^\u001b\r\n]+/g;

/**
 * What a person sees of this output, line by line, scrolled-away lines included; `cursor` is a line and a column of it.
 * The cursor is set within the last `rows` of them. Knows only what the command line uses, and throws at anything else.
 */
export function pictureOf(output: string, columns: number, rows = 50): { lines: string[]; cursor: [number, number] } {
  const cells: string[][] = [[]];
  let row = 0;
  let column = 0;
  const down = () => {
    row++;
    cells[row] ??= [];
  };
  const put = (character: string) => {
    const width = textWidth(character);
    if (column + width > columns) {
      down();
      column = 0;
    }
    const line = cells[row] ?? [];
    for (let at = line.length; at < column; at++) line[at] = " ";
    line[column] = character;
    if (width === 2) line[column + 1] = "";
    column += width;
  };
  const act = (count: string, letter: string) => {
    const amount = Number(count || "1");
    if (letter === "A") row = Math.max(0, row - amount);
    else if (letter === "C") column += amount;
    else if (letter === "H") {
      row = Math.max(0, cells.length - rows) + Number.parseInt(count || "1", 10) - 1;
      column = 0;
      while (cells.length <= row) cells.push([]);
    } else if (letter === "J" || letter === "K") {
      cells[row] = letter === "K" ? [] : (cells[row] ?? []).slice(0, column);
      if (letter === "J") cells.length = row + 1;
    } else if (letter !== "m" && !count.startsWith("?")) throw new Error(`unknown sequence ${count}${letter}`);
  };
  for (const [part, count = "", letter] of output.replaceAll("\r\n", "\n").matchAll(PART)) {
    if (letter !== undefined) act(count, letter);
    else if (part === "\r") column = 0;
    else if (part === "\n") {
      down();
      column = 0;
    } else for (const character of characters(part)) put(character);
  }
  return { lines: cells.map((line) => line.join("").trimEnd()), cursor: [row, column] };
}
