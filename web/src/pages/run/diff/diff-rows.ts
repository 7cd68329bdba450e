import type { DiffFinding } from "./diff-findings.ts";
import { type DiffFile, type DiffLine, sideBySide } from "./diff-model.ts";

/** What a windowed list of changes draws, one below the other. `file` counts from 0. */
export type DiffRow = { file: number; key: string } & (
  | { kind: "head" }
  | { kind: "hunk"; text: string }
  | { kind: "note"; text: string }
  | { kind: "line"; line: DiffLine }
  | { kind: "pair"; left?: DiffLine | undefined; right?: DiffLine | undefined }
  | { kind: "findings"; findings: readonly DiffFinding[]; isInLine: boolean }
  | { kind: "foot" }
);

interface Shown {
  folded: ReadonlySet<string>;
  isSplit: boolean;
  /** What was found, by the path of its file. */
  findings?: ReadonlyMap<string, readonly DiffFinding[]>;
}

/** Findings stand below their line; those whose line is not in the diff, below the name of their file. */
export function rowsOf(files: readonly DiffFile[], { folded, isSplit, findings }: Shown): DiffRow[] {
  const rows: DiffRow[] = [];
  files.forEach((file, at) => {
    const key = `f${at}`;
    rows.push({ kind: "head", file: at, key });
    if (folded.has(file.path)) return;
    const found = findings?.get(file.path) ?? [];
    const byLine = Map.groupBy(found, ({ line }) => line);
    const drawn = new Set(file.hunks.flatMap(({ lines }) => lines.map((line) => line.new)));
    const elsewhere = found.filter(({ line }) => line === undefined || !drawn.has(line));
    const addFindings = (within: string, some: readonly DiffFinding[], isInLine: boolean) => {
      if (some.length > 0) rows.push({ kind: "findings", file: at, key: `${within} found`, findings: some, isInLine });
    };
    const addBelow = (within: string, line: number | undefined) =>
      addFindings(within, line === undefined ? [] : (byLine.get(line) ?? []), true);
    addFindings(key, elsewhere, false);
    file.hunks.forEach((hunk, number) => {
      const within = `${key} h${number}`;
      rows.push({ kind: "hunk", file: at, key: within, text: hunk.place });
      if (isSplit)
        sideBySide(hunk.lines).forEach((pair, line) => {
          rows.push({ kind: "pair", file: at, key: `${within} p${line}`, ...pair });
          addBelow(`${within} p${line}`, pair.right?.new);
        });
      else
        hunk.lines.forEach((line, number) => {
          rows.push({ kind: "line", file: at, key: `${within} l${number}`, line });
          addBelow(`${within} l${number}`, line.new);
        });
    });
    if (file.note !== undefined) rows.push({ kind: "note", file: at, key: `${key} note`, text: file.note });
    rows.push({ kind: "foot", file: at, key: `${key} foot` });
  });
  return rows;
}

/** The row of a place such as `src/cart.ts:12`: the line's, or the file's where the line is not in the diff. */
export function rowAt(rows: readonly DiffRow[], files: readonly DiffFile[], place: string): number | undefined {
  const [, path = place, number] = /^(.*):(\d+)$/s.exec(place) ?? [];
  const file = files.findIndex((each) => each.path === path || each.path === place);
  if (file < 0) return undefined;
  const isThere = (line: DiffLine | undefined) => line?.new === Number(number);
  const exact = rows.findIndex(
    (row) =>
      row.file === file && ((row.kind === "line" && isThere(row.line)) || (row.kind === "pair" && isThere(row.right))),
  );
  const found = exact >= 0 ? exact : rows.findIndex((row) => row.file === file);
  return found < 0 ? undefined : found;
}

/** A line that a remark can be made on. `key` is the row's, and in a pair the side's too. */
export interface Spot {
  key: string;
  /** The row it is in. */
  at: number;
  file: number;
  /** The first line of what was changed in one place. */
  isStart: boolean;
}

export type Side = "old" | "new";

export function spotKey(row: string, side: Side): string {
  return `${row} ${side}`;
}

export function spotsOf(rows: readonly DiffRow[]): Spot[] {
  const spots: Spot[] = [];
  let isWithin = false;
  const add = (row: DiffRow, at: number, line: DiffLine) => {
    const isChanged = line.kind !== "same";
    const key = spotKey(row.key, line.kind === "removed" ? "old" : "new");
    spots.push({ key, at, file: row.file, isStart: isChanged && !isWithin });
    isWithin = isChanged;
  };
  rows.forEach((row, at) => {
    if (row.kind === "line") add(row, at, row.line);
    else if (row.kind === "pair") {
      // What did not change stands on both sides; its number after is the one that remarks name.
      if (row.left?.kind === "removed") add(row, at, row.left);
      if (row.right !== undefined) add(row, at, row.right);
    } else if (row.kind !== "findings") isWithin = false;
  });
  return spots;
}

/** Where `by` leads from a spot: from line to line, or from change to change. */
export function spotAfter(spots: readonly Spot[], from: number, { by, isStart }: Step): Spot | undefined {
  for (let at = from + by; at >= 0 && at < spots.length; at += by) if (!isStart || spots[at]?.isStart) return spots[at];
  return undefined;
}

export interface Step {
  by: 1 | -1;
  isStart: boolean;
}
