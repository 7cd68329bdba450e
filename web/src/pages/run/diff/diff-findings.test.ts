import { expect, test } from "vitest";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { finding, gateReport, stages } from "../../gate/sample-report.ts";
import { foundIn, withoutPlace, withPlace } from "./diff-findings.ts";
import { type DiffFile, filesOf } from "./diff-model.ts";
import { rowAt, rowsOf } from "./diff-rows.ts";

const DIFF = `diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,3 +1,4 @@
 one
-two
+TWO
+three
 four
`;
const files: DiffFile[] = filesOf({ diff: DIFF, files: [], truncated: false } as Parameters<typeof filesOf>[0]);

const gate = (runId: string, given: Parameters<typeof stages>[0]) =>
  gateReport("gate-1", { runId, stages: stages(given) });
const reviewed = (id: string) =>
  ({
    id,
    result: {
      review: { verdict: "approve", findings: [{ severity: "low", file: "src/cart.ts", line: 1, message: "Nice." }] },
    },
  }) as unknown as Run;

test("findings of the newest gate and of reviews stand below their lines, whichever way the diff is shown", () => {
  const found = foundIn(
    "run-1",
    [
      gate("run-1", {
        errors: { findings: [finding("a"), finding("far", { line: 99 }), finding("gone", { state: "resolved" })] },
      }),
    ],
    [reviewed("run-9")],
  );
  const findings = withPlace(found, files);
  for (const isSplit of [false, true]) {
    const rows = rowsOf(files, { folded: new Set(), isSplit, findings });
    const shown = rows.flatMap((row, at) => {
      if (row.kind !== "findings") return [];
      const above = rows[at - 1];
      const line = above?.kind === "line" ? above.line : above?.kind === "pair" ? above.right : undefined;
      return [[row.findings.map(({ message }) => message.slice(0, 5)), line?.new ?? above?.kind]];
    });
    expect(shown).toEqual([
      [["The t"], "head"],
      [["Nice."], 1],
      [["The t"], 3],
    ]);
  }
});

test("the review of a gate's own reviewer is not shown twice, and gates of other runs not at all", () => {
  const review = { type: "model" as const, purpose: "review", model: "m", runId: "run-9" };
  const own = gate("run-1", { errors: { evidence: [{ ...review, costUsd: 0, answer: "", dropped: 0, refuted: 0 }] } });
  expect(foundIn("run-1", [own], [reviewed("run-9")])).toEqual([]);
  expect(foundIn("run-2", [gate("run-1", { errors: { findings: [finding("a")] } })], [])).toEqual([]);
});

test("what is about no file of the diff is told apart, and a place is found by its path and line", () => {
  const found = foundIn(
    "run-1",
    [
      gate("run-1", {
        errors: { findings: [finding("a", { file: "b.ts" }), finding("b"), finding("c", { file: undefined })] },
      }),
    ],
    [],
  );
  expect(withoutPlace(found, files).map(({ id }) => id)).toEqual(["c", "a"]);
  const rows = rowsOf(files, { folded: new Set(), isSplit: false });
  const at = (place: string) => rowAt(rows, files, place);
  const line = rows[at("src/cart.ts:3") ?? -1];
  expect(line?.kind === "line" && line.line.text).toBe("three");
  expect(rows[at("src/cart.ts:99") ?? -1]?.kind).toBe("head");
  expect(at("other.ts:1")).toBeUndefined();
});
