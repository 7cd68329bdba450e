import { setImmediate as nextTurn } from "node:timers/promises";
import { formatPatch, type StructuredPatch, structuredPatch } from "diff";
import type { ChangedFile, RunDiff } from "../../contract/runs/run.ts";
import {
  foldersAbove,
  kindOfState,
  linkTarget,
  type PathChange,
  partsOf,
  type TreeState,
} from "../../store/snapshots/tree-objects.ts";

/** Larger files are named and not shown. */
const LONGEST_FILE = 512 * 1_024;
const LONGEST_DIFF = 4_000_000;
/** Beyond this, comparing costs more than it shows: then all old lines are removed and all new ones added. */
const MOST_EDITS = 4_000;
const COMPARING_MS = 2_000;
const CONTEXT_LINES = 3;
const EMPTY = Buffer.alloc(0);

type Shown = Pick<RunDiff, "files" | "diff" | "truncated">;
type Patch = Omit<StructuredPatch, "hunks">;

interface FileDiff {
  file: ChangedFile;
  text: string;
}

/** A unified diff, in the form that git gives it, of files of which only states and contents are at hand. */
export async function diffOfChanges(
  changes: readonly PathChange[],
  contentOf: (state: TreeState) => Buffer | undefined,
): Promise<Shown> {
  const shown: Shown = { files: [], diff: "", truncated: false };
  const above = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  const until = performance.now() + COMPARING_MS;
  for (const change of changes) {
    // A folder goes without saying when something in it is told.
    if (above.has(change.path) && isFolder(change)) continue;
    await nextTurn();
    const { file, text } = diffOf(change, { contentOf, until });
    shown.files.push(file);
    if (shown.diff.length + text.length > LONGEST_DIFF) shown.truncated = true;
    else if (!shown.truncated) shown.diff += text;
  }
  return shown;
}

function isFolder({ before, after }: PathChange): boolean {
  return [before, after].every((state) => state === undefined || kindOfState(state) === "folder");
}

function diffOf(
  { path, before, after }: PathChange,
  of: { contentOf: (state: TreeState) => Buffer | undefined; until: number },
): FileDiff {
  const patch = headOf(path, before, after);
  const head = formatPatch({ ...patch, hunks: [] });
  const named = (binary: boolean, line: string): FileDiff => ({
    file: { path, additions: 0, deletions: 0, binary, ...(binary ? {} : { unshown: true }) },
    text: `${head}${line}\n`,
  });
  const states = [before, after].filter((state) => state !== undefined);
  if (states.some((state) => kindOfState(state) === "folder")) return named(false, "A folder.");
  if (states.some((state) => kindOfState(state) === "unkept")) return named(false, "Its content was not saved.");
  if (states.some((state) => kindOfState(state) === "file" && partsOf(state).size > LONGEST_FILE))
    return named(false, "Too large to display.");
  const contents = new Map(states.map((state) => [state, kindOfState(state) === "file" ? of.contentOf(state) : EMPTY]));
  if ([...contents.values()].includes(undefined)) return named(false, "Not shown: too many changes.");
  const [old, fresh] = [textOf(before, contents), textOf(after, contents)];
  if (old === undefined || fresh === undefined)
    return named(true, `Binary files ${patch.oldFileName} and ${patch.newFileName} differ`);
  const hunks = hunksOf(old, fresh, of.until);
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
  return {
    file: { path, additions: count("+"), deletions: count("-"), binary: false },
    text: formatPatch({ ...patch, hunks }),
  };
}

function headOf(path: string, before: TreeState | undefined, after: TreeState | undefined): Patch {
  const [oldMode, newMode] = [modeOf(before), modeOf(after)];
  return {
    isGit: true,
    oldFileName: before === undefined ? "/dev/null" : `a/${path}`,
    newFileName: after === undefined ? "/dev/null" : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    ...(before === undefined ? { isCreate: true } : {}),
    ...(after === undefined ? { isDelete: true } : {}),
    ...(oldMode === newMode ? {} : { ...(oldMode && { oldMode }), ...(newMode && { newMode }) }),
  };
}

function modeOf(state: TreeState | undefined): string | undefined {
  if (state === undefined) return undefined;
  const kind = kindOfState(state);
  if (kind === "link") return "120000";
  return `${kind === "folder" ? "040" : "100"}${partsOf(state).mode.toString(8).padStart(3, "0")}`;
}

/** Undefined when it is no text. */
function textOf(
  state: TreeState | undefined,
  contents: ReadonlyMap<TreeState, Buffer | undefined>,
): string | undefined {
  if (state === undefined) return "";
  if (kindOfState(state) === "link") return linkTarget(state);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(contents.get(state));
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function hunksOf(old: string, fresh: string, until: number): StructuredPatch["hunks"] {
  if (old === fresh) return [];
  const timeout = until - performance.now();
  if (old === "" || fresh === "" || timeout <= 0) return [wholeHunk(old, fresh)];
  const limits = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS, timeout };
  const patch = structuredPatch("", "", old, fresh, undefined, undefined, limits);
  return patch?.hunks ?? [wholeHunk(old, fresh)];
}

function wholeHunk(old: string, fresh: string): StructuredPatch["hunks"][number] {
  const [removed, added] = [linesOf(old), linesOf(fresh)];
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...signed("-", removed, old), ...signed("+", added, fresh)],
  };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function signed(sign: string, lines: readonly string[], text: string): string[] {
  const isOpen = text !== "" && !text.endsWith("\n");
  return [...lines.map((line) => sign + line), ...(isOpen ? ["\\ No newline at end of file"] : [])];
}
