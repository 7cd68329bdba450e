import type { z } from "zod";
import { Discussion, Exploration } from "../../contract/runs/hand-in.ts";
import { Faults, isRecord, linesOf, listOf, oneLine, type Read } from "./reading.ts";

/** What a subagent found for a member. */
export function readExploration(value: unknown): Read<z.infer<typeof Exploration>> {
  const { summary, findings } = isRecord(value) ? value : { summary: value, findings: [] };
  const notes = listOf(findings).map((one) => (isRecord(one) ? { ...one, note: oneLine(one.note) } : one));
  return new Faults().judge(Exploration, { summary, findings: notes });
}

/** How a proposal was rated, side by side. */
export function readDiscussion(value: unknown): Read<z.infer<typeof Discussion>> {
  const entries = listOf(isRecord(value) ? value.perspectives : value);
  const perspectives = entries.map((one) => {
    if (!isRecord(one)) return one;
    const [severity] = linesOf(one.severity);
    const named = typeof severity === "string" ? { severity: severity.toLowerCase() } : {};
    return { ...one, note: oneLine(one.note), ...named };
  });
  return new Faults().judge(Discussion, { perspectives });
}
