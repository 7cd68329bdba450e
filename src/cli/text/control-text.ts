import type { ControlFile } from "../../contract/documents/control-file.ts";
import { CONTROL_IN_FOLDER, CONTROL_KINDS, CONTROL_REASONS } from "../../contract/documents/control-patterns.ts";
import { everySign, oneLine } from "./plain-text.ts";
import type { TableSpace } from "./text-table.ts";
import { padText } from "./text-width.ts";
import { wrapProse } from "./text-wrap.ts";

const WIDEST = "changed".length;

/** The changed files that control the person's tools, by kind, each kind with what it can do. */
export function controlLines(
  files: readonly ControlFile[],
  { paint, width }: TableSpace,
  { all = files.length, isInFolder }: { all?: number | undefined; isInFolder: boolean },
): string[] {
  if (files.length === 0) return [];
  const more = all - files.length;
  return [
    paint("yellow", "Check these files first: they control your tools."),
    ...(isInFolder ? [wrapProse(CONTROL_IN_FOLDER, width)] : []),
    ...CONTROL_KINDS.flatMap((kind) => {
      const some = files.filter((file) => file.kind === kind);
      if (some.length === 0) return [];
      const lines = some.map(({ path, change }) => `  ${padText(change, WIDEST)}  ${oneLine(everySign(path))}`);
      return [wrapProse(`${kind}: ${CONTROL_REASONS[kind]}`, width), ...lines];
    }),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}
