import { structuredPatch } from "diff";
import { type DiffLine, hunkOf } from "../diff/diff-model.ts";
import { fieldsOf } from "./input-text.ts";

/** What an edit or a write did to a file. Without line numbers: the call does not say where in the file it is. */
export interface FileEdit {
  path: string;
  lines: DiffLine[];
  /** Lines before which others of the file are left out, by their place in the list. */
  gaps: number[];
}

/** Comparing longer texts costs more than it shows. */
const LONGEST = 40_000;
const MOST_EDITS = 1_000;
const CONTEXT_LINES = 3;

interface Call {
  name: string;
  input: string;
  /** What a write replaces, where that is known. */
  before?: string | undefined;
}

/** Undefined for other tools, and where the input is cut or too long to compare. */
export function editOf({ name, input, before = "" }: Call): FileEdit | undefined {
  const fields = fieldsOf(input);
  if (fields === undefined) return undefined;
  const { path, oldText, newText, content } = fields;
  if (typeof path !== "string") return undefined;
  if (name === "edit" && typeof oldText === "string" && typeof newText === "string")
    return editFrom(path, oldText, newText);
  return name === "write" && typeof content === "string" ? editFrom(path, before, content) : undefined;
}

function editFrom(path: string, before: string, after: string): FileEdit | undefined {
  if (before.length + after.length > LONGEST) return undefined;
  const limits = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("", "", ended(before), ended(after), undefined, undefined, limits);
  const lines: DiffLine[] = [];
  const gaps: number[] = [];
  for (const hunk of patch?.hunks ?? []) {
    if (lines.length > 0) gaps.push(lines.length);
    lines.push(...hunkOf(hunk).lines);
  }
  return lines.length === 0 ? undefined : { path, lines, gaps };
}

/** A part of a file says nothing about how the file ends. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
