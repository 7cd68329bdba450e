import { expect, test } from "vitest";
import { linePath, percentText, placed, type TrendPoint, weakStages } from "./quality-model.ts";

const point = (score: number | null) => ({ gateId: "g", at: "", verdict: "pass", score, cycle: 1 }) as TrendPoint;
const SIZE = { width: 100, height: 50, edge: 5 };

test("scores go from left to right, with 100 at the top, and what has no score leaves no gap in the line", () => {
  const dots = placed([point(0), point(null), point(100)], SIZE);
  expect(dots.map(({ x, y }) => [x, y])).toEqual([
    [5, 45],
    [50, undefined],
    [95, 5],
  ]);
  expect(linePath(dots)).toBe("M5.0 45.0 L95.0 5.0");
  expect(placed([point(400)], SIZE)[0]).toMatchObject({ x: 50, y: 5 });
  expect(linePath([])).toBe("");
});

test("the stage that fails most often is the weakest, and none is weak that never failed", () => {
  const stage = (name: string, failed: number, judged: number, score: number | null = null) =>
    ({ name, failed, judged, score }) as Parameters<typeof weakStages>[0][number];
  const stages = [stage("tests", 1, 10), stage("errors", 3, 6), stage("syntax", 0, 9), stage("simplicity", 1, 10, 40)];
  expect(weakStages(stages).map(({ name }) => name)).toEqual(["errors", "simplicity", "tests"]);
  expect([percentText(1, 3), percentText(0, 0)]).toEqual(["33%", "–"]);
});
