import type { TaskCard } from "../../../../src/contract/card.ts";

type Outcome = NonNullable<TaskCard["outcome"]>;

const words: Record<Outcome, string | undefined> = {
  full: undefined,
  partial: "Done in part",
  escalated: "Handed up",
  skipped: "Skipped",
};

/** What is said of work that is over and is not all done; nothing of the rest. */
export function lackingWords(outcome: Outcome | undefined): string | undefined {
  return outcome === undefined ? undefined : words[outcome];
}
