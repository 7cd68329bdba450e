import { createHash } from "node:crypto";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { RunDiff } from "../../contract/runs/run.ts";

/** The diff of a run that changed nothing, with a hash of its own: that, too, is something to agree with or not. */
export function noDiff({ id, delivery }: { id: string; delivery: Delivery }): RunDiff {
  const hash = createHash("sha256")
    .update(JSON.stringify([id, "nothing"]))
    .digest("hex")
    .slice(0, 32);
  return { runId: id, delivery, base: "", head: "", hash, files: [], controlFiles: [], diff: "", truncated: false };
}
