import type { JournalEntry } from "../contract/journal.ts";
import type { RunPlan } from "../contract/run.ts";
import { fitsItsType, isNumber, isText, isThing, type Shape } from "../store/line-shape.ts";
import { withPurpose } from "./older-lines.ts";

const ENTRIES: Record<JournalEntry["type"], Shape> = {
  plan: { plan: isThing },
  started: { at: isText },
  failure: { reason: isText },
  waiting: { reason: isText, text: isText, at: isText },
  resumed: { at: isText },
  answer: { text: isText, usage: isThing, at: isText },
  result: { id: isText, name: isText, output: isText },
  message: { id: isText, text: isText },
  summary: { text: isText, usage: isThing, through: isNumber },
  ended: { end: isThing },
};

export function isEntry(value: unknown): value is JournalEntry {
  return fitsItsType(value, ENTRIES);
}

export function planIn(entries: readonly JournalEntry[]): RunPlan | undefined {
  const plan = entries.find((entry) => entry.type === "plan")?.plan;
  return plan && withPurpose(plan);
}
