import { describe, expect, test } from "vitest";
import type { MemberReturn } from "../../contract/documents/teams/member-return.ts";
import { type Evidence, judgeReturn } from "./judge-return.ts";
import { attemptsFor, remarkOf, verdictOf } from "./verdict.ts";

const DOCUMENT = { ok: true as const, name: "guide.md", text: "# Guide\n\n## Setup\n\nRun it.\n" };
const RETURNED = {
  docs: { type: "code-gen-docs", artifactPath: "guide.md", keyDecisions: [], warnings: [] },
  code: { type: "code-gen-code", filesChanged: [], skippedFiles: [], warnings: [] },
  analysis: {
    type: "read-only",
    content: DOCUMENT.text,
    findings: [],
    severityCounts: { critical: 0, high: 0, medium: 0, low: 0 },
  },
  validation: { type: "validation", content: DOCUMENT.text, passRate: 100, coverage: 90, remainingFailures: [] },
} satisfies Record<string, MemberReturn>;

function evidence(returned: MemberReturn | undefined, more: Partial<Evidence> = {}): Evidence {
  return {
    type: returned?.type ?? "code-gen-docs",
    returned,
    summary: "Done.",
    artifact: returned?.type === "code-gen-code" ? undefined : DOCUMENT,
    sections: [],
    planned: [],
    files: { paths: ["src/a.ts", "src/b.ts"], changed: ["src/a.ts"], removed: ["src/old.ts"] },
    syntax: { verdict: "pass" },
    ...more,
  };
}

const verdicts = (of: Evidence) =>
  Object.fromEntries(judgeReturn(of).checks.map(({ name, verdict }) => [name, verdict]));
const details = (of: Evidence) => Object.fromEntries(judgeReturn(of).checks.map(({ name, detail }) => [name, detail]));

describe("documents", () => {
  test("exist, have their sections, and have no placeholders [S2-ORCH-05] [S2-DOC-04]", () => {
    expect(verdicts(evidence(RETURNED.docs))).toEqual({
      report: "pass",
      artifact: "pass",
      structure: "pass",
      placeholders: "pass",
    });
    const orchestration = { ...RETURNED.docs, type: "orchestration" as const };
    const gone = { ok: false as const, reason: "there is no file 'guide.md'" };
    for (const returned of [RETURNED.docs, orchestration]) {
      expect(verdicts(evidence(returned, { artifact: gone }))).toEqual({ report: "pass", artifact: "fail" });
      expect(verdicts(evidence(returned, { sections: ["Limits"] })).structure).toBe("fail");
      const half = { ...DOCUMENT, text: `${DOCUMENT.text}\nTODO: the rest\n` };
      expect(verdicts(evidence(returned, { artifact: half })).placeholders).toBe("fail");
    }
  });

  test("are asked for where nothing was reported", () => {
    expect(verdicts(evidence(undefined))).toEqual({ report: "fail" });
  });
});

describe("code", () => {
  test("compiles [S2-CODE-04]", () => {
    expect(verdicts(evidence(RETURNED.code)).syntax).toBe("pass");
    const broken = { verdict: "fail" as const, detail: "src/a.ts:3 Unexpected token" };
    expect(details(evidence(RETURNED.code, { syntax: broken })).syntax).toBe(broken.detail);
    expect(verdicts(evidence(RETURNED.code, { syntax: undefined })).syntax).toBe("unable");
  });

  test("has every planned file, unless it was removed or is explained [S2-CODE-05]", () => {
    const planned = ["src/a.ts", "./src/old.ts", "src/*.ts", "src", "src/new.ts"];
    expect(details(evidence(RETURNED.code, { planned }))["planned-files"]).toContain("Missing: src/new.ts.");
    const skippedFiles = [{ path: "src/new.ts", reason: "a.ts has it" }];
    expect(verdicts(evidence({ ...RETURNED.code, skippedFiles }, { planned }))["planned-files"]).toBe("pass");
    expect(verdicts(evidence(RETURNED.code, { planned, files: undefined }))["planned-files"]).toBe("unable");
  });

  test("is not claimed where nothing changed [S2-CODE-03]", () => {
    const claims = (...filesChanged: string[]) => verdicts(evidence({ ...RETURNED.code, filesChanged }));
    expect(claims("src/a.ts", "./a.ts", "src/old.ts")["files-changed"]).toBe("pass");
    expect(claims("src/b.ts")["files-changed"]).toBe("fail");
  });

  test("needs no report beside a summary", () => {
    const silent = evidence(undefined, { type: "code-gen-code", artifact: undefined });
    expect(verdictOf(judgeReturn(silent).checks)).toBe("pass");
  });
});

test("findings that weigh have a place that exists", () => {
  const finding = { severity: "critical" as const, message: "Leaks." };
  const of = (more: object) => ({ ...RETURNED.analysis, findings: [{ ...finding, ...more }] });
  expect(verdicts(evidence(of({ file: "src/a.ts" }))).findings).toBe("pass");
  expect(verdicts(evidence(of({}))).findings).toBe("fail");
  expect(verdicts(evidence(of({ file: "src/none.ts" }))).findings).toBe("fail");
});

describe("validation", () => {
  const ran = (passed: number, failed: number) => ({
    verdict: failed === 0 ? ("pass" as const) : ("fail" as const),
    counts: { passed, failed, skipped: 0 },
    failures: failed === 0 ? [] : ["adds numbers"],
  });
  const of = (more: Partial<Evidence>, claim: Partial<(typeof RETURNED)["validation"]> = {}) =>
    evidence({ ...RETURNED.validation, passRate: null as never, coverage: null as never, ...claim }, more);

  test.each([
    [95, 5, "pass"],
    [94, 6, "fail"],
    [0, 3, "fail"],
  ])("wants 95 %% of tests to pass: %d of them pass and %d fail [S2-VAL-04]", (passed, failed, verdict) => {
    expect(verdicts(of({ tests: ran(passed, failed) })).tests).toBe(verdict);
  });

  test("believes the runner and not the member [S2-VAL-04]", () => {
    const lied = of({ tests: ran(96, 4) }, { passRate: 100 });
    expect(details(lied).tests).toContain("You reported a pass rate of 100 %, but 96 of 100 tests pass (96 %)");
    expect(verdicts(lied).tests).toBe("fail");
    const unmeasured = of({ tests: { verdict: "unable", detail: "No sandbox.", failures: [] } }, { passRate: 100 });
    expect(verdicts(unmeasured).tests).toBe("unable");
    expect(verdicts(of({ tests: undefined }, { passRate: 100 })).tests).toBe("unable");
  });

  test("wants the coverage that the project asks for, as measured [S2-VAL-05]", () => {
    const seen = (coverage: Evidence["coverage"], claim?: number) =>
      verdicts(of({ tests: ran(1, 0), coverage }, claim === undefined ? {} : { coverage: claim })).coverage;
    expect(seen({ threshold: 80, measured: 80 })).toBe("pass");
    expect(seen({ threshold: 80, measured: 79.9 })).toBe("fail");
    expect(seen({ threshold: 80, measured: 85 }, 99)).toBe("fail");
    expect(seen({ threshold: 80, reason: "No coverage report was found." }, 99)).toBe("unable");
    expect(seen({})).toBe("skipped");
  });
});

describe("the answer to a member", () => {
  const checks = (attempt: number, attempts: number) => ({
    ...{ type: "code-gen-code" as const, runId: "run-1", round: attempt, attempt, attempts, verdict: "fail" as const },
    checks: [
      { name: "syntax" as const, verdict: "fail" as const, detail: "a.ts:1 Unexpected token" },
      { name: "planned-files" as const, verdict: "fail" as const, detail: "Missing: b.ts." },
      { name: "report" as const, verdict: "pass" as const },
    ],
  });

  test("names every check that failed, and allows 2 fixes [S2-CODE-06]", () => {
    const attempts = attemptsFor("code-gen-code");
    expect(remarkOf(checks(1, attempts))).toMatchObject({ refused: true, retriesLeft: 2 });
    expect(remarkOf(checks(1, attempts)).feedback).toMatch(/Syntax: a\.ts:1[\s\S]*Planned files: Missing/);
    expect(remarkOf(checks(3, attempts))).toMatchObject({ refused: true, retriesLeft: 0 });
  });

  test("allows 5 rounds of tests [S2-VAL-02]", () => expect(attemptsFor("validation")).toBe(5));

  test("is nothing where something could not be checked", () => {
    expect(verdictOf([{ name: "tests", verdict: "unable" }])).toBe("unable");
    expect(remarkOf({ ...checks(1, 5), verdict: "unable" })).toEqual({});
  });
});
