import type { MemberReturn } from "../../contract/documents/teams/member-return.ts";
import type { CheckFigures, TaskChecks } from "../../contract/documents/teams/task-checks.ts";
import { FINDING_SEVERITIES, findingPlace } from "../../contract/words/review-words.ts";
import { TASK_CHECK_WORDS } from "../../contract/words/teams/check-words.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";

interface Written {
  title: string;
  summary: string;
  returned: MemberReturn | undefined;
  /** What the member wrote, if it did. */
  text: string | undefined;
  /** By git's word; undefined where it is not known. */
  changed: readonly string[] | undefined;
  checks: TaskChecks["checks"];
  figures: CheckFigures | undefined;
}

/** The name of an artifact, unless its member named a file. */
export function artifactName(type: ResponsibilityType, key: string): string {
  switch (type) {
    case "code-gen-code":
      return "implementation-summary.md";
    case "read-only":
      return "analysis-report.md";
    case "validation":
      return "test-report.md";
    default:
      return `${key}.md`;
  }
}

/** What is kept of a member's work for those who come after it. Figures and lists are Guildhall's, the rest is the member's. */
export function artifactText(type: ResponsibilityType, written: Written): string {
  const { returned, text = "" } = written;
  if (type === "code-gen-code") return summaryText(written);
  if (returned?.type === "read-only") return `${findingsText(written, returned)}\n${text}`;
  return type === "validation" ? `${testText(written)}\n${text}` : text;
}

function summaryText({ title, summary, returned, changed, checks, text = "" }: Written): string {
  const code = returned?.type === "code-gen-code" ? returned : undefined;
  const skipped = (code?.skippedFiles ?? []).map(({ path, reason }) => `${path}: ${reason}`);
  return parts([
    `# Implementation of ${title}`,
    summary,
    ...section("Files changed", list(changed ?? code?.filesChanged ?? [])),
    ...section("Planned files that were not needed", list(skipped)),
    ...section("Warnings", list(code?.warnings ?? [])),
    ...section("Checks", checksTable(checks)),
    text,
  ]);
}

function findingsText(
  { title, summary }: Written,
  { findings, severityCounts }: Extract<MemberReturn, { type: "read-only" }>,
): string {
  const rows = FINDING_SEVERITIES.map((name) => `| ${capital(name)} | ${severityCounts[name]} |`).join("\n");
  const bySeverity = FINDING_SEVERITIES.flatMap((severity) => {
    const own = findings.filter((one) => one.severity === severity);
    const lines = own.map((one) => {
      const place = findingPlace(one);
      return `${place === "" ? "" : `${place}: `}${one.message}${one.fix === undefined ? "" : ` Fix: ${one.fix}`}`;
    });
    return section(capital(severity), list(lines));
  });
  return parts([`# Analysis for ${title}`, summary, `| Severity | Findings |\n|---|---|\n${rows}`, ...bySeverity]);
}

function testText({ title, summary, returned, checks, figures = {} }: Written): string {
  const { tests, passRate, coverage, coverageThreshold } = figures;
  const left = returned?.type === "validation" ? returned.remainingFailures : [];
  const rows = [
    ...(tests === undefined ? [] : [`| Passed | ${tests.passed} |`, `| Failed | ${tests.failed} |`]),
    ...(tests === undefined ? [] : [`| Skipped | ${tests.skipped} |`]),
    `| Pass rate | ${percent(passRate)} |`,
    `| Coverage | ${percent(coverage)} |`,
    ...(coverageThreshold === undefined ? [] : [`| Coverage needed | ${percent(coverageThreshold)} |`]),
  ];
  return parts([
    `# Test report of ${title}`,
    summary,
    `| Measured by Guildhall | |\n|---|---|\n${rows.join("\n")}`,
    ...section("Checks", checksTable(checks)),
    ...section("Remaining failures", list(left)),
  ]);
}

function checksTable(checks: TaskChecks["checks"]): string {
  const rows = checks.map(
    ({ name, verdict, detail = "" }) => `| ${TASK_CHECK_WORDS[name]} | ${verdict} | ${cell(detail)} |`,
  );
  return `| Check | Verdict | |\n|---|---|---|\n${rows.join("\n")}`;
}

function percent(value: number | undefined): string {
  return value === undefined ? "not measured" : `${Math.floor(value * 10) / 10} %`;
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 300);
}

function section(title: string, text: string): string[] {
  return text === "" ? [] : [`## ${title}\n\n${text}`];
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function parts(texts: readonly string[]): string {
  return `${texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
