import { RESULT_WORDS } from "../../../../src/contract/result-words.ts";
import type { Run } from "../../../../src/contract/run.ts";
import { isOver } from "../../../../src/contract/run-status.ts";
import { capital } from "../../ui/text/capital.ts";

type Standing = NonNullable<Run["branch"] | Run["changes"]>;

/** How what a run changed stands, on its branch or in the folder itself. */
export function standingOf({ branch, changes }: Pick<Run, "branch" | "changes">): Standing | undefined {
  return branch ?? changes;
}

/** It is over and left no change behind, though it could have, or its answer waits for review. */
export function changedNothing(run: Pick<Run, "branch" | "changes">): boolean {
  // Where its files could not be counted, nobody knows.
  const { state, files } = standingOf(run) ?? {};
  return state === "unchanged" || (state === "review" && files === 0);
}

export function waitsForReview(run: Pick<Run, "branch" | "changes">): boolean {
  return standingOf(run)?.state === "review";
}

/** What a person can do about a run as it is. */
export function deedsFor(run: Run) {
  const over = isOver(run);
  const state = standingOf(run)?.state;
  const waits = state === "review" || state === "kept";
  return {
    stop: !over,
    message: run.status === "running",
    retry: over,
    /** Approve it, or send it back. */
    decide: over && waits,
    /** In a folder without git it is in place, whatever is decided. */
    revert: over && (state === "merged" || state === "applied" || (waits && run.branch === undefined)),
  };
}

export function standingWords(run: Pick<Run, "branch" | "changes">): string | undefined {
  const standing = standingOf(run);
  if (standing === undefined) return undefined;
  const { state, reason } = standing;
  const said =
    state === "merged" && run.branch !== undefined
      ? `Merged into ${run.branch.target}.`
      : `${capital(RESULT_WORDS[state])}.`;
  return reason === undefined ? said : `${said} ${sentence(reason)}`;
}

function sentence(text: string): string {
  const first = capital(text);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
