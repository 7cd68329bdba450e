import { describe, expect, it } from "vitest";
import type { GateSummary } from "../../workspace/gates/gate-file.ts";
import { firstVerdicts, questionOf } from "./figures.ts";

describe("the figures of a week", () => {
  it("count the first verdict about a result once, and no pass that took a waiver", () => {
    const gate = (runId: string, cycle: number, verdict: string, waived = false) =>
      ({
        line: { runId, cycle, verdict, endedAt: `2026-03-02T0${cycle}:00:00.000Z` },
        findings: { one: waived ? "waived" : "open" },
      }) as unknown as GateSummary;
    const newestFirst = [
      gate("run-a", 2, "pass"),
      gate("run-a", 1, "fail"),
      // Its target moved, and it was judged again.
      gate("run-b", 1, "fail"),
      gate("run-b", 1, "pass"),
      gate("run-c", 1, "unable"),
      gate("run-d", 1, "pass", true),
    ];
    expect(firstVerdicts(newestFirst).map(({ isPassed }) => isPassed)).toEqual([false, true, false]);
  });

  it("tell what came to the person from what was answered without, and neither from drafts and what was withdrawn", () => {
    const asker = { kind: "run", id: "run-a" } as never;
    const question = (more: object) => {
      const { isAsked, avoided } = questionOf({
        ...{ projectId: "shop", createdAt: "2026-03-02T09:00:00.000Z", askers: [asker], resolvedBy: null },
        ...{ status: "resolved", outcome: "answered" },
        ...more,
      });
      return [isAsked, avoided];
    };
    const open = { outcome: undefined };
    expect(question({ status: "pending", ...open, askers: [asker, asker] })).toEqual([true, 1]);
    expect(question({ status: "draft", ...open })).toEqual([false, 0]);
    expect(question({ resolvedBy: "person" })).toEqual([true, 0]);
    expect(question({ outcome: "dismissed", resolvedBy: "person" })).toEqual([true, 0]);
    expect(question({ resolvedBy: "project:shop" })).toEqual([false, 1]);
    expect(question({ outcome: "expired", resolvedBy: "hall", askers: [asker, asker] })).toEqual([false, 2]);
    expect(question({ outcome: "withdrawn", resolvedBy: "hall", askers: [asker, asker] })).toEqual([false, 0]);
  });
});
