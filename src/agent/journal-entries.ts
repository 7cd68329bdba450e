import { JournalEntry } from "../contract/journal.ts";
import type { RunPlan } from "../contract/run.ts";
import { durableLines } from "../store/durable-line.ts";

export const journalLines = durableLines(JournalEntry);

export function planIn(entries: readonly JournalEntry[]): RunPlan | undefined {
  return entries.find((entry) => entry.type === "plan")?.plan;
}
