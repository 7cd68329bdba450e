import { expect, test } from "vitest";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";
import { memberReportTool } from "../tools/member-report-tool.ts";
import { readMemberReport } from "./member-report.ts";

const read = (type: ResponsibilityType, value: object) => {
  const found = readMemberReport({ summary: "Done.", ...value }, type);
  return found.ok ? found.value.returned : found.faults;
};

test.each(["orchestration", "code-gen-docs"] as const)(
  "%s returns its artifact, decisions and warnings [S2-ORCH-04] [S2-DOC-03]",
  (type) => {
    const decided = { artifactPath: "docs/a.md", keyDecisions: ["Use X."], warnings: [] };
    expect(read(type, { artifact_path: "docs/a.md", key_decisions: ["Use X."], warnings: [] })).toEqual({
      type,
      ...decided,
    });
    expect(read(type, decided)).toEqual({ type, ...decided });
    expect(read(type, {})).toEqual([expect.stringContaining("artifactPath: is required")]);
  },
);

test("code returns the files that it changed, and its artifact where it wrote one [S2-CODE-03]", () => {
  const returned = { type: "code-gen-code", filesChanged: ["a.ts"], skippedFiles: [], warnings: ["Slow."] };
  expect(read("code-gen-code", { files_changed: ["a.ts"], warnings: ["Slow."] })).toEqual(returned);
  expect(read("code-gen-code", {})).toEqual({ ...returned, filesChanged: [], warnings: [] });
  const described = { artifact_path: "docs/how.md", files_changed: ["a.ts"], warnings: ["Slow."] };
  expect(read("code-gen-code", described)).toEqual({ ...returned, artifactPath: "docs/how.md" });
});

test("an analysis returns findings by severity, and counts that match them [S2-RO-03] [S2-RO-04]", () => {
  const findings = [
    { severity: "Critical", file: "a.ts", line: 3, message: "Leaks." },
    { severity: "low", message: "Long." },
  ];
  const counts = { Critical: 1, High: 0, Medium: 0, Low: 1 };
  expect(read("read-only", { content: "# A", findings, severity_counts: counts })).toMatchObject({
    findings: [{ severity: "critical" }, { severity: "low" }],
    severityCounts: { critical: 1, high: 0, medium: 0, low: 1 },
  });
  const lied = { content: "# A", findings, severityCounts: { critical: 0, high: 2, blocker: 1 } };
  expect(read("read-only", lied)).toEqual([
    "severityCounts.blocker: is not a severity",
    "severityCounts.critical: is 0, but findings has 1",
    "severityCounts.high: is 2, but findings has 0",
    "severityCounts.low: is 0, but findings has 1",
  ]);
});

test("a validation returns pass rate, coverage and what still fails [S2-VAL-03]", () => {
  const figures = { artifact_path: "report.md", pass_rate: 0.975, coverage: null, remaining_failures: ["a > b"] };
  expect(read("validation", figures)).toEqual({
    ...{ type: "validation", artifactPath: "report.md", passRate: 97.5, coverage: null, remainingFailures: ["a > b"] },
  });
});

test("every fault is named at once, of the report and of what is returned", () => {
  const wrong = {
    outcome: "great",
    findings: [{ severity: "bad", message: "" }],
    content: "x",
    artifactPath: "y",
    z: 1,
  };
  const faults = read("read-only", wrong) as string[];
  expect(faults.map((fault) => fault.slice(0, fault.indexOf(":")))).toEqual([
    "outcome",
    "severityCounts",
    "z",
    "content",
    "findings.0.severity",
    "findings.0.message",
  ]);
});

test("the tool refuses artifacts that don't exist", async () => {
  const tool = memberReportTool("code-gen-docs", { hasFile: (path) => path === "a.md" });
  const use = { callId: "call-1", signal: new AbortController().signal };
  const sent = (artifactPath: string) => tool.run(JSON.stringify({ summary: "Done.", artifactPath }), use);
  expect(await sent("a.md")).toEqual({ output: "Report saved. End your turn now." });
  expect(await sent("b.md")).toMatchObject({ failed: true, output: expect.stringContaining("no file 'b.md'") });
});
