import type { Run } from "../../../../src/contract/run.ts";
import { isOver } from "../../../../src/contract/run-status.ts";

type Standing = NonNullable<Run["branch"] | Run["changes"]>;

/** How what a run changed stands, on its branch or in the folder itself. */
export function standingOf({ branch, changes }: Pick<Run, "branch" | "changes">): Standing | undefined {
  return branch ?? changes;
}

/** What a person can do about a run as it is. */
export function deedsFor(run: Run) {
  const over = isOver(run);
  const state = standingOf(run)?.state;
  return {
    stop: !over,
    message: run.status === "running",
    retry: over,
    /** Approve it, or send it back. */
    decide: over && (state === "review" || state === "kept"),
    revert: over && (state === "merged" || state === "applied"),
  };
}

const words: Record<Standing["state"], string> = {
  working: "It is still being changed.",
  unchanged: "It changed nothing.",
  merged: "Merged",
  applied: "It is in the folder.",
  review: "Waits for your review.",
  kept: "What it did is kept as it left it.",
  rejected: "It was sent back.",
  reverted: "It was taken back.",
};

export function standingWords(run: Pick<Run, "branch" | "changes">): string | undefined {
  const standing = standingOf(run);
  if (standing === undefined) return undefined;
  const { state, reason } = standing;
  const said = state === "merged" && run.branch !== undefined ? `Merged into ${run.branch.target}.` : words[state];
  return reason === undefined ? said : `${said} ${sentence(reason)}`;
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

export interface Advice {
  /** What kind of trouble it is, as far as its words tell. */
  kind: "limit" | "money" | "model" | "other";
  text: string;
}

const LIMITS: readonly { pattern: RegExp; text: string }[] = [
  {
    pattern: /repeated the same call/i,
    text: "It went round in circles. Say in the task what it should do instead, then retry.",
  },
  {
    pattern: /used all of its \d+ turns/i,
    text: "Make the task smaller, or raise the most turns of a run (limits.turns in config.yml), then retry.",
  },
  {
    pattern: /tokens of the/i,
    text: "Make the task smaller, or raise the most tokens of a task in the project's settings, then retry.",
  },
  {
    pattern: /took longer|\btime\b|timed? ?out/i,
    text: "Make the task smaller, or give the role a longer time limit, then retry.",
  },
];

/** What helps against why a run ended without completing. */
export function adviceFor({ status, error = "" }: Pick<Run, "status" | "error">): Advice {
  if (status === "cancelled")
    return { kind: "other", text: "It was stopped. Retry starts it again from the beginning." };
  if (/budget|money|\$\d/i.test(error)) return { kind: "money", text: "Raise the limit under Costs, then retry." };
  const limit = LIMITS.find(({ pattern }) => pattern.test(error));
  if (limit !== undefined) return { kind: "limit", text: limit.text };
  if (/\bkey\b|provider|model|quota|refused/i.test(error))
    return {
      kind: "model",
      text: "Look at the providers under Settings, or choose another model for the role, then retry.",
    };
  return {
    kind: "other",
    text: "Read what it did last, then retry; a message in the task's description helps the next run.",
  };
}
