import { LeadReport } from "../../contract/documents/teams/team.ts";
import { Faults, isRecord, linesOf, type Read } from "./reading.ts";

/** Reads the report of a lead. A text alone is its summary. */
export function readReport(value: unknown): Read<LeadReport> {
  const given = isRecord(value) ? value : { summary: value };
  const faults = new Faults();
  const { summary } = given;
  if (typeof summary !== "string" || summary.trim() === "") faults.add("summary", "must be a text that is not empty");
  return faults.judge(LeadReport, {
    summary,
    highlights: linesOf(given.highlights),
    risks: linesOf(given.risks),
    followUps: linesOf(given.followUps),
  });
}
