import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { GateLine } from "../../../../src/contract/documents/quality/gate.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import type { GateVerdict } from "../../../../src/contract/words/gate-words.ts";
import { queries } from "../../api/queries.ts";
import type { Tone } from "../badge.tsx";

export interface GateState {
  word: string;
  tone: Tone;
  /** Absent while it waits for its turn. */
  gateId: string | undefined;
}

/** The newest gate of a task. Without a verdict it has not finished. */
export interface TaskGate {
  id?: string | undefined;
  verdict?: GateVerdict | undefined;
  cycle: number;
}

const VERDICT_STATES: Record<GateVerdict, { word: string; tone: Tone } | undefined> = {
  pass: { word: "Gate passed", tone: "good" },
  fail: { word: "Gate failed", tone: "bad" },
  unable: { word: "Not judged", tone: "warn" },
  skipped: undefined,
};

/** How a task stands with its newest gate; undefined when that no longer matters. */
export function taskGateState({ id: gateId, verdict, cycle }: TaskGate, status: TaskStatus): GateState | undefined {
  if (status === "done" || status === "cancelled" || status === "failed") return undefined;
  if (verdict === undefined) return { word: "Checking", tone: "info", gateId };
  const isWaiting = status === "review" || status === "blocked";
  if (verdict === "fail" && !isWaiting) return { word: `Rework after cycle ${cycle}`, tone: "warn", gateId };
  const shown = isWaiting ? VERDICT_STATES[verdict] : undefined;
  return shown === undefined ? undefined : { ...shown, gateId };
}

/** What the gate of a result adds to its state, which already says if it waits because of the gate. */
export function runGateState({ delivery }: Pick<RunLine, "delivery">): GateState | undefined {
  const { verdict, id: gateId } = delivery?.gate ?? {};
  if (verdict === "pass" && delivery?.state === "review") return { word: "Gate passed", tone: "good", gateId };
  if (verdict === "fail" && delivery?.state === "rejected") return { word: "Gate failed", tone: "bad", gateId };
  return undefined;
}

/** So many of the newest reports tell how the tasks of a project stand. */
const NEWEST = 200;

/** The newest gate of each task of a project, also one that waits for its turn. */
export function useTaskGates(projectId: string): ReadonlyMap<string, TaskGate> {
  const gates = useQuery(queries.gates(projectId, { limit: NEWEST })).data?.gates;
  const checking = useQuery(queries.now()).data?.checking;
  return useMemo(() => {
    const own = (checking ?? []).filter((run) => run.projectId === projectId);
    return new Map([...(gates ?? []).toReversed().flatMap(ofTask), ...own.map(waiting)]);
  }, [gates, checking, projectId]);
}

function ofTask({ id, taskId, state, verdict, cycle }: GateLine): [string, TaskGate][] {
  return taskId === undefined ? [] : [[taskId, { id, verdict: state === "running" ? undefined : verdict, cycle }]];
}

function waiting({ taskId, delivery }: RunLine): [string, TaskGate] {
  return [taskId, { id: delivery?.gate?.id, cycle: delivery?.gate?.cycle ?? 1 }];
}
