import { parsePatch, type StructuredPatch } from "diff";
import type { ChangedFile, RunDiff } from "../../../../../src/contract/runs/run.ts";

/** A line of a file, by its numbers before and after. `other` is the line it took the place of, or that took its place. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  old?: number | undefined;
  new?: number | undefined;
  text: string;
  other?: string | undefined;
  /** The file ends here without a line break. */
  isUnended?: boolean;
}

export interface Hunk {
  /** What git says about the place, such as the function it is in. */
  place: string;
  lines: DiffLine[];
}

export interface DiffFile {
  path: string;
  /** Where it was before it was moved. */
  from?: string | undefined;
  change: "added" | "deleted" | "renamed" | "changed";
  additions: number;
  deletions: number;
  hunks: Hunk[];
  /** Why there is nothing, or not all, to be seen of it, and what its lines do not tell. */
  note?: string | undefined;
  /** There is more of it than is shown. */
  isHidden?: boolean;
}

/** The files of a diff in its order; those that it does not reach any more come last. */
export function filesOf({ diff, files, truncated }: Pick<RunDiff, "diff" | "files" | "truncated">): DiffFile[] {
  const known = new Map(files.map((file) => [file.path, file]));
  // Not the ^ of a pattern: it also finds lines after what ends none in a diff, and a file could then stand in for another.
  const sections = diff.split(/(?<=\n)(?=diff --git )/).filter((section) => section.startsWith("diff --git "));
  const shown = sections.flatMap((section, at) => {
    const isCut = truncated && at === sections.length - 1;
    const file = fileOf(section, { isCut, known });
    return file === undefined ? [] : [file];
  });
  const seen = new Set(shown.flatMap(({ path, from }) => [path, from]));
  const unseen = files.filter(({ path }) => !seen.has(path)).map(unshown);
  return [...shown, ...unseen];
}

function unshown({ path, additions, deletions, binary }: ChangedFile): DiffFile {
  const note = binary ? "Binary file, not shown." : "Not shown: the diff is too long.";
  return { path, change: "changed", additions, deletions, hunks: [], note, isHidden: true };
}

function fileOf(
  section: string,
  { isCut, known }: { isCut: boolean; known: Map<string, ChangedFile> },
): DiffFile | undefined {
  const patch = patchOf(section, isCut);
  if (patch === undefined) return undefined;
  const before = nameOf(patch.oldFileName);
  const after = nameOf(patch.newFileName);
  const path = after ?? before;
  if (path === undefined) return undefined;
  const hunks = patch.hunks.map(hunkOf);
  const all = hunks.flatMap(({ lines }) => lines);
  const count = (kind: DiffLine["kind"]) => all.filter((line) => line.kind === kind).length;
  const told = known.get(path);
  const hidden = hiddenNote(section, { patch, isCut, file: told });
  return {
    path,
    ...(patch.isRename && before !== path ? { from: before } : {}),
    change: changeOf(patch, before, after),
    additions: Math.max(count("added"), patch.isRename ? 0 : (told?.additions ?? 0)),
    deletions: Math.max(count("removed"), patch.isRename ? 0 : (told?.deletions ?? 0)),
    hunks,
    note: hidden ?? visibleNote(patch),
    ...(hidden === undefined ? {} : { isHidden: true }),
  };
}

/** What is cut off in the middle of a hunk is shown up to the hunk before. */
function patchOf(section: string, isCut: boolean): StructuredPatch | undefined {
  const tries = isCut ? [section, withoutLastHunk(section), section.split("\n@@ ", 1)[0] ?? ""] : [section];
  for (const text of tries) {
    try {
      const [patch] = parsePatch(withoutBinary(text));
      if (patch !== undefined) return patch;
    } catch {}
  }
  return undefined;
}

function withoutLastHunk(section: string): string {
  return section.slice(0, Math.max(0, section.lastIndexOf("\n@@ ") + 1));
}

/** The bytes of a binary file are for programs. */
function withoutBinary(section: string): string {
  const at = section.indexOf("\nGIT binary patch\n");
  return at < 0 ? section : section.slice(0, at + 1);
}

function nameOf(name: string | undefined): string | undefined {
  return name === undefined || name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}

function changeOf(patch: StructuredPatch, before: string | undefined, after: string | undefined): DiffFile["change"] {
  if (patch.isCreate || before === undefined) return "added";
  if (patch.isDelete || after === undefined) return "deleted";
  return patch.isRename ? "renamed" : "changed";
}

function hiddenNote(
  section: string,
  { patch, isCut, file }: { patch: StructuredPatch; isCut: boolean; file: ChangedFile | undefined },
): string | undefined {
  if (patch.isBinary || file?.binary || section.includes("\nGIT binary patch\n")) return "Binary file, not shown.";
  if (file?.unshown) return section.trimEnd().split("\n").at(-1) ?? "Not shown.";
  return isCut ? "The rest is not shown: the diff is too long." : undefined;
}

function visibleNote(patch: StructuredPatch): string | undefined {
  const mode = modeNote(patch);
  if (patch.hunks.length > 0 || mode !== undefined) return mode;
  return patch.isRename ? "Renamed without changes." : "Empty file.";
}

/** What is no plain file does something that its lines do not tell. */
function modeNote({ oldMode, newMode, isDelete }: StructuredPatch): string | undefined {
  if (newMode === undefined || isDelete) return undefined;
  const turned = oldMode === undefined ? [] : [`Mode changed from ${oldMode} to ${newMode}.`];
  return [...turned, ...kindOf(newMode)].join(" ") || undefined;
}

function kindOf(mode: string): string[] {
  if (mode === "120000") return ["Symbolic link. The text is its target."];
  if (mode === "160000") return ["Submodule. The text is its commit; its files are not shown."];
  const isProgram = mode.startsWith("10") && (Number.parseInt(mode, 8) & 0o111) !== 0;
  return isProgram ? [`Executable file (mode ${mode}).`] : [];
}

type RawHunk = StructuredPatch["hunks"][number];

export function hunkOf({ oldStart, oldLines, newStart, newLines, lines: raw }: RawHunk): Hunk {
  const lines: DiffLine[] = [];
  let old = oldStart;
  let fresh = newStart;
  for (const line of raw) {
    const text = line.slice(1);
    const last = lines.at(-1);
    if (line.startsWith("+")) lines.push({ kind: "added", new: fresh++, text });
    else if (line.startsWith("-")) lines.push({ kind: "removed", old: old++, text });
    else if (!line.startsWith("\\")) lines.push({ kind: "same", old: old++, new: fresh++, text });
    else if (last !== undefined) last.isUnended = true;
  }
  pairUp(lines);
  return { place: `@@ −${oldStart},${oldLines} +${newStart},${newLines} @@`, lines };
}

/** In a block of removed lines and the added ones right after it, the first stands for the first, and so on. */
function pairUp(lines: DiffLine[]): void {
  for (const { removed, added } of blocksOf(lines)) {
    removed.forEach((line, at) => {
      const partner = added[at];
      if (partner === undefined) return;
      line.other = partner.text;
      partner.other = line.text;
    });
  }
}

interface Block {
  same: DiffLine[];
  removed: DiffLine[];
  added: DiffLine[];
}

function blocksOf(lines: readonly DiffLine[]): Block[] {
  const blocks: Block[] = [];
  let block: Block = { same: [], removed: [], added: [] };
  for (const line of lines) {
    const isNext =
      line.kind === "same"
        ? block.removed.length + block.added.length > 0
        : line.kind === "removed" && block.added.length > 0;
    if (isNext) {
      blocks.push(block);
      block = { same: [], removed: [], added: [] };
    }
    block[line.kind].push(line);
  }
  return [...blocks, block];
}

/** Two columns: what was on the left, what is on the right. */
export function sideBySide(
  lines: readonly DiffLine[],
): { left?: DiffLine | undefined; right?: DiffLine | undefined }[] {
  return blocksOf(lines).flatMap(({ same, removed, added }) => [
    ...same.map((line) => ({ left: line, right: line })),
    ...Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => ({
      left: removed[at],
      right: added[at],
    })),
  ]);
}
