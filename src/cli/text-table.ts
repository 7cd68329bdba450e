import { type Paint, plain, type Style } from "./paint.ts";
import { oneLine } from "./plain-text.ts";
import { fitText, padText, textWidth } from "./text-width.ts";

export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
  style?: (row: Row) => Style | undefined;
  /** Prose that may be cut when the table is too wide; other columns are cut only when that is not enough. */
  flexible?: boolean;
}

export interface TableSpace {
  /** Columns of the terminal; undefined where nothing has to fit. */
  width: number | undefined;
  paint: Paint;
}

const GAP = "  ";

interface Cell {
  text: string;
  style?: Style | undefined;
}

/** Lays rows out under titles, within the width. A column without any text is left out. */
export function textTable<Row>(columns: Column<Row>[], rows: readonly Row[], space: TableSpace): string {
  const filled = columns
    .map((column) => ({ column, texts: rows.map((row) => oneLine(column.text(row))) }))
    .filter(({ texts }) => texts.some((text) => text !== ""));
  const widths = fitWidths(
    filled.map(({ column, texts }) => widestText([column.title, ...texts])),
    filled.map(({ column }) => column.flexible === true),
    space.width,
  );
  const titles = filled.map(({ column }): Cell => ({ text: column.title }));
  const lines = rows.map((row, at) => {
    const cells = filled.map(({ column, texts }): Cell => ({ text: texts[at] ?? "", style: column.style?.(row) }));
    return lineOf(cells, widths, space.paint);
  });
  return [space.paint("dim", lineOf(titles, widths, plain)), ...lines].join("\n");
}

function lineOf(cells: readonly Cell[], widths: readonly number[], paint: Paint): string {
  const painted = cells.map(({ text, style }, index) => paint(style, padCell(text, widths, index)));
  return painted.join(GAP).trimEnd();
}

/** Takes columns away from the widest until all fit: first from the flexible ones, then from any. */
export function fitWidths(
  wanted: readonly number[],
  flexible: readonly boolean[],
  width: number | undefined,
): number[] {
  const widths = [...wanted];
  const gaps = GAP.length * Math.max(0, widths.length - 1);
  let excess = width === undefined ? 0 : widths.reduce((sum, each) => sum + each, gaps) - width;
  for (const { slimmest, any } of [
    { slimmest: 12, any: false },
    { slimmest: 4, any: true },
    { slimmest: 1, any: true },
  ]) {
    for (; excess > 0; excess--) {
      const widest = widestOf(widths, slimmest, (index) => any || flexible[index] === true);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
  return widths;
}

function widestOf(
  widths: readonly number[],
  slimmest: number,
  mayShrink: (index: number) => boolean,
): number | undefined {
  let widest: number | undefined;
  for (const [index, width] of widths.entries()) {
    const most = widest === undefined ? slimmest : (widths[widest] ?? 0);
    if (width > most && mayShrink(index)) widest = index;
  }
  return widest;
}

function widestText(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function padCell(text: string, widths: readonly number[], index: number): string {
  const width = widths[index] ?? 0;
  const cell = fitText(text, width);
  return index === widths.length - 1 ? cell : padText(cell, width);
}
