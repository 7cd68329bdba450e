import { MemberReturn, type SeverityCounts } from "../../contract/documents/teams/member-return.ts";
import { FINDING_SEVERITIES } from "../../contract/words/review-words.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";
import { WorkReport } from "../tools/work-report.ts";
import { Faults, type Fields, isRecord, linesOf, listOf, oneLine, type Read, refused } from "./reading.ts";

interface MemberReport {
  report: WorkReport;
  returned: MemberReturn;
}

const REPORT_KEYS: readonly string[] = Object.keys(WorkReport.shape);

/** Reads the report of a member: what every run says of its work, and what members of its type return beside it. */
export function readMemberReport(value: unknown, type: ResponsibilityType): Read<MemberReport> {
  if (!isRecord(value)) return refused("input: must be an object with a summary");
  const given = Object.fromEntries(Object.entries(value).map(([key, entry]) => [camelCase(key), entry]));
  const own = Object.fromEntries(Object.entries(given).filter(([key]) => REPORT_KEYS.includes(key)));
  const report = new Faults().judge(WorkReport, own);
  const returned = returnIn(given, type);
  if (report.ok && returned.ok) return { ok: true, value: { report: report.value, returned: returned.value } };
  return { ok: false, faults: [...(report.ok ? [] : report.faults), ...(returned.ok ? [] : returned.faults)] };
}

/** Models that were taught `artifact_path` write it so. */
function camelCase(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function returnIn(given: Fields, type: ResponsibilityType): Read<MemberReturn> {
  const faults = new Faults();
  const read = READERS[type](given, faults);
  const known = [...REPORT_KEYS, "type", "artifactPath", "content", ...Object.keys(read)];
  for (const key of Object.keys(given)) if (!known.includes(key)) faults.add(key, "is not a known key");
  return faults.judge(MemberReturn, { type, ...documentIn(given, type, faults), ...read });
}

type Reader = (given: Fields, faults: Faults) => Fields;

const decided: Reader = (given) => ({ keyDecisions: linesOf(given.keyDecisions), warnings: linesOf(given.warnings) });

const READERS: Readonly<Record<ResponsibilityType, Reader>> = {
  orchestration: decided,
  "code-gen-docs": decided,
  "code-gen-code": (given) => ({
    filesChanged: linesOf(given.filesChanged),
    skippedFiles: listOf(given.skippedFiles),
    warnings: linesOf(given.warnings),
  }),
  "read-only": (given, faults) => {
    const findings = listOf(given.findings).map(findingIn);
    return { findings, severityCounts: countsIn(given.severityCounts, findings, faults) };
  },
  validation: (given, faults) => ({
    passRate: percentIn("passRate", given, faults),
    coverage: percentIn("coverage", given, faults),
    remainingFailures: linesOf(given.remainingFailures),
  }),
};

/** Only who writes code may leave it out: the summary of the report takes its place. */
function documentIn({ artifactPath, content }: Fields, type: ResponsibilityType, faults: Faults): Fields {
  const isGiven = (value: unknown) => value !== undefined && value !== null && value !== "";
  if (!isGiven(artifactPath) && !isGiven(content) && type !== "code-gen-code")
    faults.add("artifactPath", "is required: the file with your result, or its text as content");
  if (isGiven(artifactPath) && isGiven(content))
    faults.add("content", "must be left out where there is an artifactPath");
  return {
    ...(isGiven(artifactPath) ? { artifactPath } : {}),
    ...(isGiven(content) ? { content } : {}),
  };
}

function findingIn(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { severity, message, fix, file, line } = entry;
  return {
    severity: typeof severity === "string" ? severity.trim().toLowerCase() : severity,
    ...(file === undefined || file === null ? {} : { file }),
    ...(line === undefined || line === null ? {} : { line }),
    message: oneLine(message ?? entry.text),
    ...(fix === undefined || fix === null || fix === "" ? {} : { fix: oneLine(fix) }),
  };
}

/** As the member counted them, compared with its list. */
function countsIn(value: unknown, findings: readonly unknown[], faults: Faults): unknown {
  if (!isRecord(value)) {
    faults.add("severityCounts", "is required: how many findings are critical, high, medium and low");
    return value;
  }
  const given = new Map(Object.entries(value).map(([name, many]) => [name.toLowerCase(), many]));
  for (const name of given.keys())
    if (!FINDING_SEVERITIES.some((one) => one === name)) faults.add(`severityCounts.${name}`, "is not a severity");
  const listed = countFindings(findings);
  for (const severity of FINDING_SEVERITIES) {
    const many = given.get(severity) ?? 0;
    if (typeof many === "number" && many !== listed[severity])
      faults.add(`severityCounts.${severity}`, `is ${many}, but findings has ${listed[severity]}`);
  }
  return Object.fromEntries(FINDING_SEVERITIES.map((severity) => [severity, given.get(severity) ?? 0]));
}

function countFindings(findings: readonly unknown[]): SeverityCounts {
  const of = (severity: string) => findings.filter((one) => isRecord(one) && one.severity === severity).length;
  return { critical: of("critical"), high: of("high"), medium: of("medium"), low: of("low") };
}

/** A share up to 1 counts as one of 100 percent. */
function percentIn(name: string, { [name]: value }: Fields, faults: Faults): unknown {
  if (value === undefined) faults.add(name, "is required: in percent, or null if it could not be measured");
  if (typeof value !== "number") return value ?? null;
  return value > 0 && value <= 1 ? value * 100 : value;
}
