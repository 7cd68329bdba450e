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

/** The same under a title, with an empty line before it, or nothing when nothing was said. */
export function agentLines(title: string, text: string | undefined, space: TableSpace): string[] {
  if (text === undefined || text.trim() === "") return [];
  return ["", space.paint("bold", title), agentWords(text.trim(), space)];
}
