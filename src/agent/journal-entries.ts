import { JournalEntry } from "../contract/runs/journal.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import { durableLines } from "../store/logs/durable-line.ts";

export const journalLines = durableLines(JournalEntry);

export function planIn(entries: readonly JournalEntry[]): RunPlan | undefined {
  return entries.find((entry) => entry.type === "plan")?.plan;
}
