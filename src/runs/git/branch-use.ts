import { HallError } from "../../contract/errors.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { namedCheckout } from "../../store/git/git-checkout.ts";
import type { RunRecords } from "../../workspace/records.ts";
import type { Delivered } from "../results/delivery-place.ts";
import type { Git } from "./git.ts";

/** Runs of one task that are looked through for others on the same branch. */
const MOST_RUNS = 200;

/** Another run that works, or left its result, on the same branch: a run that continues a result uses the branch of that. */
export function otherUser(runs: Pick<RunRecords, "list">, run: Delivered<"branch">): string | undefined {
  const { id, projectId, taskId, delivery } = run;
  return runs.list({ projectId, taskId, limit: MOST_RUNS }).find((other) => {
    const { id: otherId, delivery: found } = other.run;
    return otherId !== id && found?.kind === "branch" && found.name === delivery.name && isInUse(other.run);
  })?.run.id;
}

function isInUse(run: Run): boolean {
  return !isOver(run) || run.delivery?.state === "review" || run.delivery?.state === "kept";
}

/** A checkout whose branch is deleted would be left without a commit. */
export async function assertNotCheckedOut(git: Git, place: Workplace): Promise<void> {
  const { repository, branch, worktree } = place;
  const { out } = await git.run({ gitDir: repository }, ["worktree", "list", "--porcelain", "-z"]);
  for (const [at, record] of out.split("\0\0").entries()) {
    const lines = record.split("\0");
    const listed = lines[0]?.slice("worktree ".length) ?? "";
    if (!lines.includes(`branch refs/heads/${branch}`) || listed === worktree) continue;
    // The first is the repository's own, which git knows by another name in its sandbox.
    const path = at === 0 ? (namedCheckout(repository) ?? repository.replace(/\/\.git$/, "")) : listed;
    throw new HallError("merge_refused", `The branch '${branch}' is checked out in '${path}'.`, {
      hint: "Switch to another branch there, then retry.",
    });
  }
}
