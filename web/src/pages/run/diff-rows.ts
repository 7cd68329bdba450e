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
