import { createHash } from "node:crypto";
import type { Run, RunDiff } from "../contract/run.ts";

/** The diff of a run that changed nothing, with a hash of its own: that, too, is something to agree with or not. */
export function noDiff({ id, branch, changes }: Pick<Run, "id" | "branch" | "changes">): RunDiff {
  const hash = createHash("sha256")
    .update(JSON.stringify([id, "nothing"]))
    .digest("hex")
    .slice(0, 32);
  const standing = { ...(branch === undefined ? {} : { branch }), ...(changes === undefined ? {} : { changes }) };
  return { runId: id, ...standing, base: "", head: "", hash, files: [], controlFiles: [], diff: "", truncated: false };
}
