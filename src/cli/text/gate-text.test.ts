import { expect, it } from "vitest";
import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import { gateText } from "./gate-text.ts";
import { plain } from "./paint.ts";

const REPORT: GateReport = {
  ...{ id: "gate-1", title: "Changes", cycle: 1, state: "finished", verdict: "fail", score: null, threshold: 90 },
  ...{ base: "a", tree: "b", files: 1, additions: 1, deletions: 1, cut: [], costUsd: 0, key: "k" },
  ...{ startedAt: "2030-01-01T00:00:00.000Z", stages: [] },
};
const TESTS = { name: "tests" as const, kind: "binary" as const, weight: 20, score: 0, findings: [] };

it("says in one line what stopped a change, and in its finding every line of it", () => {
  const finding: GateFinding = {
    ...{ id: "test-failed-1", code: "test-failed", severity: "critical", file: "add.test.js", line: 4 },
    ...{ message: "adds: Expected values to be equal:\n2 !== 3", state: "open", blocks: true },
  };
  const report: GateReport = { ...REPORT, stages: [{ ...TESTS, verdict: "fail", findings: [finding], evidence: [] }] };
  const lines = gateText(report, { paint: plain, width: 80 }).split("\n");
  expect(lines[1]).toBe("Tests: add.test.js:4: adds: Expected values to be equal: 2 !== 3");
  expect(lines.slice(-2)).toEqual(["      adds: Expected values to be equal:", "      2 !== 3"]);
});

it("shows the end of what a command printed that nothing can be told from", () => {
  const output = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join("\n");
  const command = { type: "command", purpose: "tests", command: "make test", tree: "b", exitCode: 1, output } as const;
  const evidence = [{ ...command, ms: 1, kind: "infra-failure" as const, toolchain: "", cached: false }];
  const report: GateReport = { ...REPORT, verdict: "unable", stages: [{ ...TESTS, verdict: "unable", evidence }] };
  const text = gateText(report, { paint: plain, width: 80 });
  expect(text).toContain("The end of what make test printed\n  line 11\n");
  expect(text.endsWith("  line 30")).toBe(true);
});
