import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";

type Quality = RouteResponse<"getQuality">;
export type TrendPoint = Quality["points"][number];

/** Those that failed, the most often failing first. */
export function weakStages(stages: Quality["stages"]): Quality["stages"] {
  return stages
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed / b.judged - a.failed / a.judged || (a.score ?? 100) - (b.score ?? 100));
}

export function percentText(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((part / whole) * 100)}%`;
}

export interface Placed {
  x: number;
  /** Undefined: it has no score. */
  y: number | undefined;
  point: TrendPoint;
}

/** Where each point of a trend is drawn, from left to right and 100 at the top. */
export function placed(points: readonly TrendPoint[], size: { width: number; height: number; edge: number }): Placed[] {
  const { width, height, edge } = size;
  const step = points.length > 1 ? (width - 2 * edge) / (points.length - 1) : 0;
  return points.map((point, at) => ({
    x: points.length === 1 ? width / 2 : edge + at * step,
    y: point.score === null ? undefined : edge + (1 - clamped(point.score) / 100) * (height - 2 * edge),
    point,
  }));
}

function clamped(score: number): number {
  return Math.max(0, Math.min(100, score));
}

/** The line through all points that have a score. */
export function linePath(points: readonly Placed[]): string {
  return points
    .flatMap(({ x, y }) => (y === undefined ? [] : [`${x.toFixed(1)} ${y.toFixed(1)}`]))
    .map((place, at) => `${at === 0 ? "M" : "L"}${place}`)
    .join(" ");
}
