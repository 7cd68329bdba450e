import type { GateFinding, GateReport, GateStage } from "../../../../src/contract/documents/quality/gate.ts";
import { STAGE_TABLE, STAGES, type StageName } from "../../../../src/contract/words/gate-words.ts";
import { FINDING_SEVERITIES } from "../../../../src/contract/words/review-words.ts";

/** A finding with where it comes from: a stage of a gate, or a step of an integration check. */
export interface PlacedFinding extends GateFinding {
  from: string;
  /** Code that doesn't compile and failing tests can't be waived. */
  canWaive: boolean;
}

/** It still counts. */
export function isStanding({ state }: Pick<GateFinding, "state">): boolean {
  return state === "open" || state === "disputed";
}

export function isBlocking(finding: Pick<GateFinding, "state" | "blocks">): boolean {
  return finding.blocks && isStanding(finding);
}

interface Source {
  name: string;
  kind?: GateStage["kind"];
  findings: readonly GateFinding[];
}

/** Worst first: what blocks, then what still counts, then what is settled; each by severity and place. */
export function worstFirst(sources: readonly Source[], labelOf: (name: string) => string): PlacedFinding[] {
  const all = sources.flatMap(({ name, kind, findings }) =>
    findings.map((finding) => ({
      ...finding,
      from: labelOf(name),
      canWaive: kind !== "binary" && isStanding(finding),
    })),
  );
  return all.sort(
    (a, b) =>
      weightOf(a) - weightOf(b) ||
      FINDING_SEVERITIES.indexOf(a.severity) - FINDING_SEVERITIES.indexOf(b.severity) ||
      (a.file ?? "").localeCompare(b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

function weightOf(finding: PlacedFinding): number {
  if (isBlocking(finding)) return 0;
  return isStanding(finding) ? 1 : 2;
}

export function stageLabel(name: string): string {
  return (STAGE_TABLE as Readonly<Record<string, { label: string }>>)[name]?.label ?? name;
}

export function findingsOf({ stages }: Pick<GateReport, "stages">): PlacedFinding[] {
  return worstFirst(stages, stageLabel);
}

/** How far a stage is. `waiting`: it comes later. */
export type Progress = "judged" | "running" | "waiting";
export interface ShownStage extends GateStage {
  progress: Progress;
}

/** Every stage in its order; while a gate runs, also those that are still to come. */
export function shownStages({ stages, state }: Pick<GateReport, "stages" | "state">): ShownStage[] {
  const known = new Map(stages.map((stage) => [stage.name, stage]));
  const listed = state === "running" ? STAGES.map((name) => known.get(name) ?? blank(name)) : stages;
  const first = listed.findIndex(({ verdict }) => verdict === undefined);
  return listed.map((stage, at) => {
    const progress =
      stage.verdict !== undefined ? "judged" : state === "running" && at === first ? "running" : "waiting";
    return { ...stage, progress };
  });
}

function blank(name: StageName): GateStage {
  const { kind, weight } = STAGE_TABLE[name];
  return { name, kind, weight, score: null, findings: [], evidence: [] };
}

export interface CycleChange {
  /** Standing before, and not any more. */
  fixed: PlacedFinding[];
  added: PlacedFinding[];
  left: PlacedFinding[];
}

/** What changed between a cycle and the one before; of the first one all is new. */
export function changeBetween(before: GateReport | undefined, after: GateReport): CycleChange {
  const now = findingsOf(after).filter(isStanding);
  const then = before === undefined ? [] : findingsOf(before).filter(isStanding);
  const standing = new Set(now.map(({ id }) => id));
  const known = new Set(then.map(({ id }) => id));
  return {
    fixed: then.filter(({ id }) => !standing.has(id)),
    added: now.filter(({ id }) => !known.has(id)),
    left: now.filter(({ id }) => known.has(id)),
  };
}
