/** One changed place of a file. Lines count from 1; a side without lines starts at the line before it. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** The new line where the first change is. */
  changedAt: number;
  added: readonly string[];
  removed: readonly string[];
}

export interface FileDiff {
  /** In the old tree; undefined for a new file. */
  from: string | undefined;
  /** In the new tree; undefined for a deleted file. */
  to: string | undefined;
  hunks: Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads what `git diff` prints. Lines are counted as the headers say, so text that looks like a header is text. */
export function parseDiff(diff: string): FileDiff[] {
  const lines = diff.split("\n");
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("diff --git ")) {
      file = { from: undefined, to: undefined, hunks: [] };
      files.push(file);
    } else if (file !== undefined && line.startsWith("--- ")) file.from = pathIn(line.slice(4));
    else if (file !== undefined && line.startsWith("+++ ")) file.to = pathIn(line.slice(4));
    else {
      const header = HUNK.exec(line);
      if (header === null || file === undefined) continue;
      const { hunk, end } = readHunk(lines, at, header);
      file.hunks.push(hunk);
      at = end;
    }
  }
  return files.filter(({ from, to }) => from !== undefined || to !== undefined);
}

function readHunk(lines: readonly string[], at: number, header: RegExpExecArray): { hunk: Hunk; end: number } {
  const [, oldStart = "0", oldLines = "1", newStart = "0", newLines = "1"] = header;
  const added: string[] = [];
  const removed: string[] = [];
  let oldLeft = Number(oldLines);
  let newLeft = Number(newLines);
  let changedAt: number | undefined;
  let end = at;
  while ((oldLeft > 0 || newLeft > 0) && end + 1 < lines.length) {
    end++;
    const line = lines[end] ?? "";
    const mark = line[0] ?? " ";
    if (mark === "\\") continue;
    if (mark === "+" || mark === "-") changedAt ??= Number(newStart) + Number(newLines) - newLeft;
    if (mark !== "+") oldLeft--;
    if (mark !== "-") newLeft--;
    if (mark === "+") added.push(line.slice(1));
    if (mark === "-") removed.push(line.slice(1));
  }
  const numbers = { oldStart: Number(oldStart), oldLines: Number(oldLines), newStart: Number(newStart) };
  const places = { newLines: Number(newLines), changedAt: Math.max(1, changedAt ?? 1) };
  return { hunk: { ...numbers, ...places, added, removed }, end };
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", '"': '"', "\\": "\\" };

/** git quotes names with control characters and quotes, and ends others with a tab where they have a space. */
function pathIn(text: string): string | undefined {
  const name = text.startsWith('"')
    ? text.slice(1, text.lastIndexOf('"')).replaceAll(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
    : text.replace(/\t$/, "");
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}

/** A file without one of its changes. Bytes are one character each, so that nothing else in it changes. */
export function withoutHunk(before: Buffer, after: Buffer, hunk: Hunk): Buffer {
  const old = linesOf(before).slice(firstOf(hunk.oldStart, hunk.oldLines), lastOf(hunk.oldStart, hunk.oldLines));
  const lines = linesOf(after);
  const head = lines.slice(0, firstOf(hunk.newStart, hunk.newLines));
  const tail = lines.slice(lastOf(hunk.newStart, hunk.newLines));
  return Buffer.from([...head, ...old, ...tail].join(""), "latin1");
}

const firstOf = (start: number, count: number) => (count === 0 ? start : start - 1);
const lastOf = (start: number, count: number) => firstOf(start, count) + count;

function linesOf(content: Buffer): string[] {
  return content.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
