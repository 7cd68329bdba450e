import type { Escalation } from "../../contract/documents/escalation.ts";
import type { Context } from "../context.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";

const MOST_FILES = 50;

/** The files that an approval merges, for the person to read, and the version of the result that has them. */
export interface ShownResult {
  etag: string | undefined;
  lines: string[];
}

/** Of entries that are no result, and of a result that can't be read, only the version. */
export async function shownResult({ subject, etag }: Escalation, { call }: Context): Promise<ShownResult> {
  if (subject === undefined) return { etag: undefined, lines: [] };
  const params = { runId: subject.id };
  const diff = subject.kind === "review" ? await call("getRunDiff", { params }).catch(() => undefined) : undefined;
  if (diff === undefined) return { etag, lines: [] };
  const { files, hash } = diff;
  const listed = files.slice(0, MOST_FILES).map(({ path, additions, deletions }) => {
    return `  ${oneLine(everySign(path))}  +${additions} -${deletions}`;
  });
  const left = files.length - listed.length;
  const more = left === 0 ? [] : [`  and ${left} more`];
  return { etag: hash, lines: [`${count(files.length, "changed file")}:`, ...listed, ...more] };
}
