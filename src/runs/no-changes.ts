import { createHash } from "node:crypto";
import type { Run, RunDiff } from "../contract/run.ts";

export const CHANGED_NOTHING = "it changed nothing; the project asks for a review";
export const UNKNOWN_CHANGES =
  "checkpoints of it are missing, so what it changed is not known; look through the folder before you approve";

/** Why what a run did is only kept. */
export function didNot(status: "failed" | "cancelled"): string {
  return status === "failed" ? "the run failed" : "the run was stopped";
}

/** The diff of a run that changed nothing, with a hash of its own: that, too, is something to agree with or not. */
export function noDiff({ id, branch, changes }: Pick<Run, "id" | "branch" | "changes">): RunDiff {
  const hash = createHash("sha256")
    .update(JSON.stringify([id, "nothing"]))
    .digest("hex")
    .slice(0, 32);
  const standing = { ...(branch === undefined ? {} : { branch }), ...(changes === undefined ? {} : { changes }) };
  return { runId: id, ...standing, base: "", head: "", hash, files: [], controlFiles: [], diff: "", truncated: false };
}
