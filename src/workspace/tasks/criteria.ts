import { createHash } from "node:crypto";
import type { Criterion } from "../../contract/documents/task.ts";
import type { CriterionReport } from "../../contract/runs/criterion-report.ts";

export interface ReportedCriteria {
  criteria: readonly Criterion[];
  reported: readonly CriterionReport[];
  /**
   * Keys of the criteria as the agent was given them: its numbers count in that list. A criterion that is not in it was added
   * or reworded later, and the agent does not know it. Absent: the numbers count in the current list.
   */
  planned?: readonly string[] | undefined;
}

/** By which a criterion is recognized without its text. */
export function criterionKey(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Criteria that are neither checked nor reported, with the numbers that the agent knows them by. */
export function unaddressedCriteria(given: ReportedCriteria): { number: number; text: string }[] {
  return given.criteria.flatMap(({ text, done }, index) => {
    const number = numberOf(text, index, given);
    const isOpen = number !== undefined && !done && reportOf(number, given) === undefined;
    return isOpen ? [{ number, text }] : [];
  });
}

/** The criteria with the boxes that the report checks or unchecks. */
export function judgedCriteria(given: ReportedCriteria): Criterion[] {
  return given.criteria.map((criterion, index) => {
    const number = numberOf(criterion.text, index, given);
    const report = number === undefined ? undefined : reportOf(number, given);
    return report === undefined ? criterion : { ...criterion, done: report.met };
  });
}

/** Later reports replace earlier ones on the same criterion. */
export function mergedReports(
  earlier: readonly CriterionReport[],
  later: readonly CriterionReport[],
): CriterionReport[] {
  const byNumber = new Map([...earlier, ...later].map((report) => [report.criterion, report]));
  return [...byNumber.values()].sort((left, right) => left.criterion - right.criterion);
}

function numberOf(text: string, index: number, { planned }: ReportedCriteria): number | undefined {
  if (planned === undefined) return index + 1;
  const place = planned.indexOf(criterionKey(text));
  return place === -1 ? undefined : place + 1;
}

function reportOf(number: number, { reported }: ReportedCriteria): CriterionReport | undefined {
  return reported.findLast(({ criterion }) => criterion === number);
}
