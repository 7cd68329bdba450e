import type { Run } from "../../../src/contract/run.ts";

export interface Advice {
  /** What kind of trouble it is, as far as its words tell. */
  kind: "limit" | "money" | "model" | "other";
  text: string;
}

/** As it is, it would only fail again: its task is to be changed first. */
export function wantsTaskChanged({ kind }: Advice): boolean {
  return kind === "limit";
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
