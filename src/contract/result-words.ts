import type { RunLine } from "./now.ts";

type ResultState = NonNullable<RunLine["result"]>["state"];

/** The state of a run's result as commands and pages show it, within a sentence. */
export const RESULT_WORDS: Record<ResultState, string> = {
  working: "in progress",
  unchanged: "no changes",
  merged: "merged",
  applied: "applied to the folder",
  review: "waits for your review",
  kept: "kept",
  rejected: "sent back",
  reverted: "reverted",
};
