import type { WaitCode } from "../runs/activity.ts";

/** What a run waits for, as people are told: "waiting for …", "Waits for …". */
export const WAIT_WORDS: Record<WaitCode, string> = {
  budget: "budget",
  quota: "quota",
  network: "the network",
  disk: "the disk",
  answer: "an answer",
  turn: "its turn",
};

/** What ends the wait; budget and turn have links in its place. */
export const WAIT_HINTS: Record<WaitCode, string | undefined> = {
  budget: undefined,
  quota: "It continues automatically when the provider's limit resets.",
  network: "It continues automatically when the provider answers again.",
  disk: "It continues automatically when the disk can be written again. Free up space, or make the disk writable.",
  answer: "It continues with the answer, even after a restart. It uses no process while it waits.",
  turn: undefined,
};
