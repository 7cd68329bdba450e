import { expect, it } from "vitest";
import type { GateSummary } from "../../workspace/gates/gate-file.ts";
import { qualityFigures } from "./figures.ts";

const gate = (id: string, verdict: "pass" | "fail" | "unable", findings: GateSummary["findings"]): GateSummary => ({
  line: {
    ...{
      id,
      projectId: "shop",
      taskId: "TASK-001",
      title: "A cart",
      cycle: Number(id.at(-1)),
      state: "finished",
      verdict,
    },
    ...{
      score: 80,
      threshold: 90,
      base: "b",
      tree: "t",
      files: 1,
      additions: 1,
      deletions: 0,
      costUsd: 0,
      blocking: 0,
    },
    ...{ stages: [], startedAt: "2026-01-01T12:00:00.000Z" },
  },
  findings,
});

it("counts a finding once over the cycles of its task, as resolved when a later one does not have it", () => {
  const cycles = [
    gate("gate-1", "fail", { a: "open", b: "open", c: "refuted" }),
    gate("gate-2", "unable", {}),
    gate("gate-3", "fail", { b: "open", d: "waived" }),
  ];
  const { findings, averageCycles, passedFirst } = qualityFigures(cycles.toReversed(), 0);
  expect(findings).toEqual({ total: 4, resolved: 1, refuted: 1, waived: 1, open: 1 });
  expect({ averageCycles, passedFirst }).toEqual({ averageCycles: null, passedFirst: 0 });
});
