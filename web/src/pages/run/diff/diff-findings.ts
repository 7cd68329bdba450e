import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { GateReport } from "../../../../../src/contract/documents/quality/gate.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { useReviews } from "../../../ui/run/reviews.tsx";
import { findingsOf, type PlacedFinding } from "../../gate/report-model.ts";
import type { DiffFile } from "./diff-model.ts";

/** What a gate or a reviewer found, shown in the diff alike. */
export interface DiffFinding extends PlacedFinding {
  /** Different for each in one diff. */
  key: string;
  /** The report it is from; undefined for a review by an agent. */
  gateId?: string | undefined;
  reviewId?: string | undefined;
}

/** Of the newest gate that judged this run, and of each review of it. */
export function useFindings(run: Run): DiffFinding[] {
  const gates = useQuery({ ...queries.runGates(run.id), enabled: run.purpose === "work" }).data?.gates;
  const reviews = useReviews({ projectId: run.projectId, taskId: run.taskId, runId: run.id });
  return useMemo(() => foundIn(run.id, gates ?? [], reviews), [run.id, gates, reviews]);
}

export function foundIn(
  runId: string,
  gates: readonly GateReport[],
  reviews: readonly Pick<Run, "id" | "result">[],
): DiffFinding[] {
  const gate = gates.findLast((each) => each.runId === runId);
  // What was refuted or fixed is in the report alone.
  const ofGate =
    gate === undefined ? [] : findingsOf(gate).filter(({ state }) => state !== "refuted" && state !== "resolved");
  const asked = reviewersOf(gate);
  return [
    ...ofGate.map((finding) => ({ ...finding, key: `${finding.from} ${finding.id}`, gateId: gate?.id })),
    // What a gate's own reviewer found is part of the gate.
    ...reviews.filter(({ id }) => !asked.has(id)).flatMap(ofReview),
  ];
}

function reviewersOf(gate: GateReport | undefined): Set<string> {
  const evidence = gate?.stages.flatMap((stage) => stage.evidence) ?? [];
  return new Set(evidence.flatMap((each) => (each.type === "model" && each.runId !== undefined ? [each.runId] : [])));
}

function ofReview({ id, result }: Pick<Run, "id" | "result">): DiffFinding[] {
  return (result?.review?.findings ?? []).map(({ severity, file, line, message, fix }, at) => ({
    key: `${id} ${at}`,
    id: `${id}-${at}`,
    reviewId: id,
    code: "review",
    severity,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    message,
    ...(fix === undefined ? {} : { fix }),
    state: "open",
    blocks: false,
    from: "Review",
    canWaive: false,
  }));
}

/** By the path of their file, where the diff has it. */
export function withPlace(
  findings: readonly DiffFinding[],
  files: readonly DiffFile[],
): ReadonlyMap<string, DiffFinding[]> {
  const paths = new Set(files.map(({ path }) => path));
  const placed = findings.filter(({ file }) => file !== undefined && paths.has(file));
  return Map.groupBy(placed, ({ file }) => file ?? "");
}

export function withoutPlace(findings: readonly DiffFinding[], files: readonly DiffFile[]): DiffFinding[] {
  const paths = new Set(files.map(({ path }) => path));
  return findings.filter(({ file }) => file === undefined || !paths.has(file));
}
