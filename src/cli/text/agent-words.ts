import { manyLines } from "./plain-text.ts";
import type { TableSpace } from "./text-table.ts";
import { wrapProse } from "./text-wrap.ts";

const BAR = "│ ";

/** What an agent says, with a bar before each line: no line of it can pass for one of the hall's own. */
export function agentWords(text: string, { paint, width }: TableSpace): string {
  const room = width === undefined ? undefined : Math.max(1, width - BAR.length);
  const lines = wrapProse(manyLines(text), room).split("\n");
  return lines.map((line) => `${paint("dim", BAR.trimEnd())}${line === "" ? "" : ` ${line}`}`).join("\n");
}

/** The same of its beginning alone, and how much is left out; all of it where `most` characters are not given. */
export function agentExcerpt(text: string, space: TableSpace & { most?: number | undefined }): string[] {
  const { most = text.length, paint } = space;
  if (text.length <= most) return [agentWords(text, space)];
  const shown = text.slice(0, most).trimEnd();
  const left = text.length - shown.length;
  return [agentWords(`${shown} …`, space), paint("dim", `… ${left} more characters; use --full to show them`)];
}

/** The same under a title, with an empty line before it, or nothing when nothing was said. */
export function agentLines(title: string, text: string | undefined, space: TableSpace): string[] {
  if (text === undefined || text.trim() === "") return [];
  return ["", space.paint("bold", title), agentWords(text.trim(), space)];
}

/** Who sent a message, as people read it. */
export function speakerName(from: string, project: string): string {
  if (from === "hall") return "guildhall";
  return from === "project" ? project : from;
}
