import type { GateEvidence } from "../../contract/documents/quality/gate.ts";
import type { GateSubject, StageOutcome } from "../gates/subject.ts";
import type { Checked, CheckOrder } from "./local-checks.ts";

type Part = Pick<CheckOrder, "purpose" | "scope" | "timeoutMs">;

type Ordered = Pick<GateSubject, "tree" | "baseTree" | "settings" | "signal">;

export function orderOf({ tree, baseTree, settings, signal }: Ordered, part: Part): CheckOrder {
  return { ...part, tree, base: baseTree, settings, signal };
}

export function notesOf({ notes = [] }: Checked): GateEvidence[] {
  return notes.map((text) => ({ type: "note", text }));
}

/** Of a check that did not fail. */
export function undecided(checked: Checked): StageOutcome {
  const { verdict, reason, evidence, cut } = checked;
  return {
    verdict,
    score: verdict === "pass" ? 100 : null,
    ...(reason === undefined ? {} : { reason }),
    findings: [],
    evidence: [...evidence, ...notesOf(checked)],
    ...(cut === undefined ? {} : { cut }),
  };
}
