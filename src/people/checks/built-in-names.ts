import { IDLE_RULES } from "./idle-rules.ts";
import { SHUTDOWN_RULES } from "./shutdown-rules.ts";

/** Fills a task's completion notes; it never refuses. */
export const COMPLETION_NOTES = "completion-notes";
export const CRITERIA_ADDRESSED = "criteria-addressed";

const NAMES: ReadonlySet<string> = new Set([
  COMPLETION_NOTES,
  CRITERIA_ADDRESSED,
  ...Object.keys(IDLE_RULES),
  ...Object.keys(SHUTDOWN_RULES),
]);

export function isBuiltIn(name: string): boolean {
  return NAMES.has(name);
}
