import { type Paint, plain, type Style } from "./paint.ts";
import { oneLine } from "./plain-text.ts";
import { fitText, padText, textWidth } from "./text-width.ts";

export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
  style?: (row: Row) => Style | undefined;
  /** Prose that may be cut when the table is too wide; other columns are cut only when that is not enough. */
  flexible?: boolean;
  /** A column that is left out where the table would not fit otherwise; the one with the highest number goes first. */
  spare?: number;
}

export interface TableSpace {
  /** Columns of the terminal; undefined where nothing has to fit. */
  width: number | undefined;
  paint: Paint;
}

const GAP = "  ";
const SLIM = 12;
const READABLE = 20;

interface Cell {
  text: string;
  style?: Style | undefined;
}

interface Filled<Row> {
  column: Column<Row>;
  texts: string[];
  width: number;
}

/** Lays rows out under titles, within the width. A column without any text is left out. */
export function textTable<Row>(columns: Column<Row>[], rows: readonly Row[], space: TableSpace): string {
  const filled = columns.map((column) => fill(column, rows)).filter(({ texts }) => texts.some((text) => text !== ""));
  const kept = withoutSpare(filled, space.width);
  const widths = fitWidths(
    kept.map(({ width }) => width),
    kept.map(({ column }) => column.flexible === true),
    space.width,
  );
  const titles = kept.map(({ column }): Cell => ({ text: column.title }));
  const lines = rows.map((row, at) => {
    const cells = kept.map(({ column, texts }): Cell => ({ text: texts[at] ?? "", style: column.style?.(row) }));
    return lineOf(cells, widths, space.paint);
  });
  return [space.paint("dim", lineOf(titles, widths, plain)), ...lines].join("\n");
}

function fill<Row>(column: Column<Row>, rows: readonly Row[]): Filled<Row> {
  const texts = rows.map((row) => oneLine(column.text(row)));
  return { column, texts, width: widestText([column.title, ...texts]) };
}

/** A cut id or status tells nobody anything, so columns that can be missed go before others are cut below readable. */
function withoutSpare<Row>(columns: readonly Filled<Row>[], width: number | undefined): readonly Filled<Row>[] {
  const needed = columns.map(({ column, width: own }) => (column.flexible === true ? Math.min(READABLE, own) : own));
  if (width === undefined || totalWidth(needed) <= width) return columns;
  const most = Math.max(0, ...columns.map(({ column }) => column.spare ?? 0));
  if (most === 0) return columns;
  return withoutSpare(
    columns.filter(({ column }) => column.spare !== most),
    width,
  );
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * Math.max(0, widths.length - 1));
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
  let excess = width === undefined ? 0 : totalWidth(widths) - width;
  for (const { slimmest, any } of [
    { slimmest: SLIM, any: false },
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
