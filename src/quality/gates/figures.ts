import type { GateLine } from "../../contract/documents/quality/gate.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { STAGES } from "../../contract/words/gate-words.ts";
import type { GateSummary } from "../../workspace/gates/gate-file.ts";

type Figures = RouteResponse<"getQuality">;

/** How a project's gates went. `gates`: those that are over, the newest first. */
export function qualityFigures(gates: readonly GateSummary[], escalated: number): Figures {
  const oldestFirst = gates.toReversed();
  const lines = oldestFirst.map(({ line }) => line);
  const works = [...Map.groupBy(lines, workOf).values()];
  const passed = works.filter((cycles) => cycles.some(({ verdict }) => verdict === "pass"));
  return {
    points: lines.map(({ id, endedAt, startedAt, verdict = "unable", score, cycle, taskId }) => ({
      ...{ gateId: id, at: endedAt ?? startedAt, verdict, score, cycle },
      ...(taskId !== undefined && { taskId }),
    })),
    findings: findingFigures(oldestFirst),
    stages: stageFigures(lines),
    passedFirst: works.filter(([first]) => first?.verdict === "pass" && first.cycle === 1).length,
    reviews: works.length,
    averageCycles: average(passed.map((cycles) => Math.max(...cycles.map(({ cycle }) => cycle)))),
    escalated,
  };
}

/** Cycles of one piece of work belong together. */
function workOf({ taskId, runId, id }: GateLine): string {
  return taskId ?? runId ?? id;
}

/** Each finding once, however many cycles have it. */
function findingFigures(oldestFirst: readonly GateSummary[]): Figures["findings"] {
  const works = [...Map.groupBy(oldestFirst, ({ line }) => workOf(line)).values()];
  const states = works.flatMap((cycles) => [...statesAfter(cycles).values()]);
  const sum = (state: string) => states.filter((one) => one === state).length;
  const [resolved, refuted, waived] = [sum("resolved"), sum("refuted"), sum("waived")];
  return { total: states.length, resolved, refuted, waived, open: sum("open") + sum("disputed") };
}

/** What a later cycle does not find any more is resolved. A gate that judged nothing says nothing of it. */
function statesAfter(cycles: readonly GateSummary[]): Map<string, string> {
  const states = new Map<string, string>();
  for (const { line, findings } of cycles) {
    if (line.verdict !== "pass" && line.verdict !== "fail") continue;
    for (const [id, state] of states)
      if (!(id in findings) && (state === "open" || state === "disputed")) states.set(id, "resolved");
    for (const [id, state] of Object.entries(findings)) states.set(id, state);
  }
  return states;
}

function stageFigures(lines: readonly GateLine[]): Figures["stages"] {
  return STAGES.flatMap((name) => {
    const judged = lines
      .flatMap(({ stages }) => stages.filter((stage) => stage.name === name))
      .filter(({ verdict }) => verdict === "pass" || verdict === "fail");
    if (judged.length === 0) return [];
    const scores = judged.flatMap(({ score }) => (score === null ? [] : [score]));
    const failed = judged.filter(({ verdict }) => verdict === "fail").length;
    return [{ name, judged: judged.length, failed, score: average(scores) }];
  });
}

function average(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
}
