import { z } from "zod";
import type { AcceptanceCriterion } from "../../contract/documents/teams/team-spec.ts";
import { CheckedCriterion } from "../../contract/runs/hand-in.ts";
import { Faults, isRecord, listOf, oneLine, type Read } from "./reading.ts";

const Results = z.strictObject({ results: z.array(CheckedCriterion) });

/** Reads what a checker saw: one result for each criterion, with what it rests on. */
export function readCheck(
  value: unknown,
  { criteria }: { criteria: readonly Pick<AcceptanceCriterion, "id">[] },
): Read<CheckedCriterion[]> {
  const faults = new Faults();
  const entries = listOf(isRecord(value) ? value.results : value);
  const seen = new Set<string>();
  const results = entries.map((entry, at) => {
    const path = `results.${at}`;
    if (!isRecord(entry)) {
      faults.add(path, "must be an object with id, met and evidence");
      return entry;
    }
    const id = typeof entry.id === "string" ? entry.id.trim().toUpperCase() : "";
    if (!criteria.some((criterion) => criterion.id === id)) faults.add(`${path}.id`, `unknown criterion '${id}'`);
    else if (seen.has(id)) faults.add(`${path}.id`, `${id} is there twice`);
    seen.add(id);
    if (typeof entry.met !== "boolean") faults.add(`${path}.met`, "must be true or false");
    return { id, met: entry.met, evidence: oneLine(entry.evidence) };
  });
  for (const { id } of criteria) if (!seen.has(id)) faults.add("results", `${id} has no result`);
  const read = faults.judge(Results, { results });
  return read.ok ? { ok: true, value: read.value.results } : read;
}
