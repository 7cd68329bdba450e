import type { Criterion } from "../../../../../src/contract/documents/task.ts";
import type { CriterionReport } from "../../../../../src/contract/runs/criterion-report.ts";

const KEY_BYTES = 8;

/** What a run said of one criterion; without its text if the criterion was reworded or removed since. */
export interface ReportedCriterion extends CriterionReport {
  text?: string;
}

interface Given {
  reported: readonly CriterionReport[];
  /** The task's criteria as they are now. */
  criteria: readonly Criterion[];
  /** Keys of the criteria that the run was given: its numbers count in that list. */
  planned: readonly string[];
}

export async function withTexts({ reported, criteria, planned }: Given): Promise<ReportedCriterion[]> {
  const keyed = await Promise.all(criteria.map(async ({ text }) => [await keyOf(text), text] as const));
  const texts = new Map(keyed);
  return reported.map((report) => {
    const text = texts.get(planned[report.criterion - 1]);
    return text === undefined ? report : { ...report, text };
  });
}

/** Undefined where the browser hashes nothing: on pages that came over plain HTTP from another machine. */
async function keyOf(text: string): Promise<string | undefined> {
  if (globalThis.crypto.subtle === undefined) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash.subarray(0, KEY_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
