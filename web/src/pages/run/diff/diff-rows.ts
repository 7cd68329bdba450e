import { type DiffFile, type DiffLine, sideBySide } from "./diff-model.ts";

/** What a windowed list of changes draws, one below the other. `file` counts from 0. */
export type DiffRow = { file: number; key: string } & (
  | { kind: "head" }
  | { kind: "hunk"; text: string }
  | { kind: "note"; text: string }
  | { kind: "line"; line: DiffLine }
  | { kind: "pair"; left?: DiffLine | undefined; right?: DiffLine | undefined }
  | { kind: "foot" }
);

export function rowsOf(
  files: readonly DiffFile[],
  shown: { folded: ReadonlySet<string>; isSplit: boolean },
): DiffRow[] {
  const rows: DiffRow[] = [];
  files.forEach((file, at) => {
    const key = `f${at}`;
    rows.push({ kind: "head", file: at, key });
    if (shown.folded.has(file.path)) return;
    file.hunks.forEach((hunk, number) => {
      const within = `${key} h${number}`;
      rows.push({ kind: "hunk", file: at, key: within, text: hunk.place });
      if (shown.isSplit)
        sideBySide(hunk.lines).forEach((pair, line) => {
          rows.push({ kind: "pair", file: at, key: `${within} p${line}`, ...pair });
        });
      else
        hunk.lines.forEach((line, number) => {
          rows.push({ kind: "line", file: at, key: `${within} l${number}`, line });
        });
    });
    if (file.note !== undefined) rows.push({ kind: "note", file: at, key: `${key} note`, text: file.note });
    rows.push({ kind: "foot", file: at, key: `${key} foot` });
  });
  return rows;
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
    } else isWithin = false;
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
