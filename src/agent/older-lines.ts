import type { RunPurpose } from "../contract/run.ts";

/** As runs and plans were written before their purpose was: what is now a review was an opinion. */
interface Older {
  purpose?: RunPurpose;
  opinion?: { of?: string };
}

/** A run or a plan as it is written now, from a line of this version or of the one before. */
export function withPurpose<Written extends { purpose: RunPurpose; reviewOf?: string | undefined }>(
  written: Written,
): Written {
  const { opinion, ...older } = written as Written & Older;
  if (older.purpose !== undefined) return written;
  if (opinion === undefined) return { ...written, purpose: "work" };
  return { ...(older as Written), purpose: "review", ...(opinion.of === undefined ? {} : { reviewOf: opinion.of }) };
}

/** How results were written before they were one `delivery`: one of the two. */
interface OlderResult {
  branch?: { state: string };
  changes?: { state: string };
}

/** A line of a book, or a run in it, as it is written now: on a branch `merged`, in a folder `applied` were what is `delivered`. */
export function olderResult<Line extends object>(line: Line): Line {
  const { branch, changes, ...rest } = line as Line & OlderResult;
  const known = branch ?? changes;
  const run = "run" in rest ? { run: olderResult(rest.run as object) } : {};
  if (typeof known !== "object") return { ...(rest as Line), ...run };
  const state = known.state === "merged" || known.state === "applied" ? "delivered" : known.state;
  const delivery = { kind: branch === undefined ? "folder" : "branch", ...known, state };
  return { ...(rest as Line), ...run, delivery };
}
