import type { MemberReturn } from "../../contract/documents/teams/member-return.ts";
import type { CheckFigures, TaskCheck } from "../../contract/documents/teams/task-checks.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { CheckVerdict, TaskCheckName } from "../../contract/words/teams/check-words.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";
import { placeholdersIn } from "./placeholders.ts";
import { missingFiles } from "./planned-files.ts";
import type { ArtifactRead } from "./read-artifact.ts";
import { structureFaults } from "./structure.ts";

export interface Verified {
  verdict: CheckVerdict;
  detail?: string | undefined;
}

/** What the test runner reported. */
export interface TestFigures extends Verified {
  /** Undefined where it reports no single tests. */
  counts?: { passed: number; failed: number; skipped: number } | undefined;
  failures: readonly string[];
}

/** In percent. */
export interface Coverage {
  threshold?: number | undefined;
  measured?: number | undefined;
  /** Why it could not be measured. */
  reason?: string | undefined;
}

export interface Evidence {
  type: ResponsibilityType;
  /** Undefined: the member did not report. */
  returned: MemberReturn | undefined;
  summary: string;
  /** Undefined where none is asked for. */
  artifact: ArtifactRead | undefined;
  /** Headings that the plan asks for. */
  sections: readonly string[];
  /** Files of the plan. */
  planned: readonly string[];
  /** What its working folder has; undefined where that is not known. */
  files: { paths: readonly string[]; changed: readonly string[]; removed: readonly string[] } | undefined;
  syntax?: Verified | undefined;
  tests?: TestFigures | undefined;
  coverage?: Coverage | undefined;
}

/** Tests that have to pass, in percent. */
const PASS_RATE = 95;
/** Percent points by which a claim may be above what was measured. */
const CLOSE = 1;
const LONGEST = 2_000;
const MOST_NAMED = 10;

/** Each check that applies to the type, in order. Pure. */
export function judgeReturn(evidence: Evidence): { checks: TaskCheck[]; figures?: CheckFigures } {
  const { type, returned, summary } = evidence;
  if (returned === undefined && type !== "code-gen-code")
    return { checks: [check("report", "fail", 'The run has no report. Call "report" with what you return.')] };
  const report =
    summary.trim() === "" ? check("report", "fail", 'Call "report" with a summary.') : check("report", "pass");
  const own = returned?.type === type ? ofType(evidence, returned) : code(evidence, undefined);
  const figures = figuresOf(evidence);
  return {
    checks: [report, ...document(evidence), ...own],
    ...(figures === undefined ? {} : { figures }),
  };
}

function ofType(evidence: Evidence, returned: MemberReturn): TaskCheck[] {
  switch (returned.type) {
    case "orchestration":
    case "code-gen-docs":
      return [];
    case "code-gen-code":
      return code(evidence, returned);
    case "read-only":
      return findings(evidence, returned);
    case "validation":
      return [tests(evidence, returned), coverage(evidence, returned)];
  }
}

/** Nothing empty, hollow or half-written. */
function document({ artifact, sections }: Evidence): TaskCheck[] {
  if (artifact === undefined) return [];
  if (!artifact.ok) return [check("artifact", "fail", `${artifact.reason}.`)];
  const lacking = structureFaults(artifact.text, sections);
  const left = placeholdersIn(artifact.text);
  const named = left.slice(0, MOST_NAMED).map(({ line, text }) => `line ${line} '${text}'`);
  return [
    check("artifact", "pass", artifact.name),
    lacking.length === 0 ? check("structure", "pass") : check("structure", "fail", `${lacking.join("; ")}.`),
    left.length === 0 ? check("placeholders", "pass") : check("placeholders", "fail", `${named.join(", ")}.`),
  ];
}

type Returned<Type extends MemberReturn["type"]> = Extract<MemberReturn, { type: Type }>;

function code(evidence: Evidence, returned: Returned<"code-gen-code"> | undefined): TaskCheck[] {
  return [...changed(evidence, returned), planned(evidence, returned), syntax(evidence)];
}

/** The working folder may be a part of the repository. */
function changed({ files }: Evidence, returned: Returned<"code-gen-code"> | undefined): TaskCheck[] {
  const claimed = returned?.filesChanged ?? [];
  if (files === undefined || claimed.length === 0) return [];
  const isChanged = (path: string) =>
    [...files.changed, ...files.removed].some((one) => one === path || one.endsWith(`/${path}`));
  const others = claimed.map((path) => path.replace(/^\.\//, "")).filter((path) => !isChanged(path));
  if (others.length === 0) return [check("files-changed", "pass", counted(claimed.length, "file"))];
  return [check("files-changed", "fail", `Listed in filesChanged, but unchanged: ${listed(others)}.`)];
}

function planned({ planned: wanted, files }: Evidence, returned: Returned<"code-gen-code"> | undefined): TaskCheck {
  if (wanted.length === 0) return check("planned-files", "skipped", "The plan names no files.");
  if (files === undefined) return check("planned-files", "unable", "The working folder could not be read.");
  const skipped = (returned?.skippedFiles ?? []).map(({ path }) => path);
  const missing = missingFiles({ files: wanted, skipped, ...files });
  if (missing.length > 0)
    return check(
      "planned-files",
      "fail",
      `Missing: ${listed(missing)}. Create them, or name them in skippedFiles with the reason.`,
    );
  return check("planned-files", "pass", skipped.length === 0 ? undefined : `Not needed: ${listed(skipped)}.`);
}

function syntax({ syntax: seen }: Evidence): TaskCheck {
  return seen === undefined
    ? check("syntax", "unable", "The code could not be compiled here.")
    : check("syntax", seen.verdict, seen.detail);
}

/** Whoever only reads leaves everything as it was. Counts were compared with the list when it reported. */
function findings({ files }: Evidence, { findings: all, severityCounts }: Returned<"read-only">): TaskCheck[] {
  const { critical, high, medium, low } = severityCounts;
  const counts = `${critical} critical, ${high} high, ${medium} medium, ${low} low`;
  const unplaced = all.filter(({ severity, file }) => (severity === "critical" || severity === "high") && !file);
  if (unplaced.length > 0)
    return [check("findings", "fail", `Critical and high findings need a file: ${unplaced[0]?.message ?? ""}`)];
  const gone = files === undefined ? [] : all.flatMap(({ file }) => (file && !isThere(files.paths, file) ? file : []));
  if (gone.length > 0) return [check("findings", "fail", `No such file: ${listed([...new Set(gone)])}.`)];
  return [check("findings", "pass", counts)];
}

function isThere(paths: readonly string[], file: string): boolean {
  const path = file.replace(/^\.\//, "");
  return paths.some((one) => one === path || one.endsWith(`/${path}`));
}

/** Only what Guildhall measured counts; a claim above it is a fault of its own. */
function tests({ tests: seen }: Evidence, { passRate: claimed }: Returned<"validation">): TaskCheck {
  if (seen === undefined) return check("tests", "unable", "The tests could not be run.");
  if (seen.verdict === "unable" || seen.verdict === "skipped") return check("tests", "unable", seen.detail);
  const { counts } = seen;
  const rate = rateOf(seen);
  if (rate === undefined || counts === undefined) return check("tests", seen.verdict, seen.detail);
  const measured = `${counts.passed} of ${counts.passed + counts.failed} tests pass (${shown(rate)} %)`;
  if (claimed !== null && claimed > rate + CLOSE)
    return check(
      "tests",
      "fail",
      `You reported a pass rate of ${shown(claimed)} %, but ${measured}.${failuresOf(seen)}`,
    );
  if (rate < PASS_RATE) return check("tests", "fail", `${measured}; ${PASS_RATE} % are needed.${failuresOf(seen)}`);
  return check("tests", "pass", `${measured}.`);
}

function coverage({ coverage: seen }: Evidence, { coverage: claimed }: Returned<"validation">): TaskCheck {
  const { threshold, measured, reason } = seen ?? {};
  if (measured === undefined) {
    if (threshold === undefined) return check("coverage", "skipped", "The project sets no threshold.");
    return check(
      "coverage",
      "unable",
      `${reason ?? "No coverage report was found."} ${shown(threshold)} % are needed.`,
    );
  }
  const figure = `${shown(measured)} % of lines are covered`;
  if (claimed !== null && claimed > measured + CLOSE)
    return check("coverage", "fail", `You reported ${shown(claimed)} %, but ${figure}.`);
  if (threshold === undefined) return check("coverage", "pass", `${figure}; the project sets no threshold.`);
  const verdict = measured >= threshold ? "pass" : "fail";
  return check("coverage", verdict, `${figure}; ${shown(threshold)} % are needed.`);
}

function rateOf({ counts }: TestFigures): number | undefined {
  const all = counts === undefined ? 0 : counts.passed + counts.failed;
  return counts === undefined || all === 0 ? undefined : (counts.passed / all) * 100;
}

function figuresOf({ tests: seen, coverage: covered }: Evidence): CheckFigures | undefined {
  const passRate = seen && rateOf(seen);
  const figures: CheckFigures = {
    ...(seen?.counts === undefined ? {} : { tests: seen.counts }),
    ...(passRate === undefined ? {} : { passRate }),
    ...(covered?.measured === undefined ? {} : { coverage: covered.measured }),
    ...(covered?.threshold === undefined ? {} : { coverageThreshold: covered.threshold }),
  };
  return Object.keys(figures).length === 0 ? undefined : figures;
}

function failuresOf({ failures }: TestFigures): string {
  return failures.length === 0 ? "" : ` Failing: ${listed(failures)}.`;
}

function check(name: TaskCheckName, verdict: CheckVerdict, detail?: string): TaskCheck {
  return { name, verdict, ...(detail === undefined ? {} : { detail: cutText(detail, LONGEST) }) };
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function shown(percent: number): string {
  return String(Math.floor(percent * 10) / 10);
}

function counted(many: number, word: string): string {
  return `${many} ${word}${many === 1 ? "" : "s"}`;
}
