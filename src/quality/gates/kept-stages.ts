import type { GateReport } from "../../contract/documents/quality/gate.ts";
import type { StageName } from "../../contract/words/gate-words.ts";
import type { Judges, StageOutcome } from "./subject.ts";

const NOTHING: StageOutcome = { verdict: "skipped", score: null, findings: [], evidence: [] };

/**
 * Judges what a target that moved can break: whether the code compiles, and its tests. What else a report says is about the
 * difference, which is still the same.
 */
export function withKeptStages({ syntax, tests }: Judges, kept: GateReport): Judges {
  const of = (name: StageName): StageOutcome => {
    const stage = kept.stages.find((each) => each.name === name);
    if (stage === undefined) return NOTHING;
    const { verdict = "unable", score, uncapped, reason, findings, evidence } = stage;
    const note = { type: "note" as const, text: `Judged in ${kept.id}, before the target branch moved.` };
    return { verdict, score, uncapped, reason, findings, evidence: [note, ...evidence] };
  };
  return {
    ...{ syntax, tests, proof: async () => NOTHING },
    review: async () => ({
      architecture: of("architecture"),
      simplicity: of("simplicity"),
      errors: of("errors"),
      completeness: of("completeness"),
    }),
    specCompliance: async () => of("spec_compliance"),
    traceability: async () => of("traceability"),
    rolloutSafety: async () => of("rollout_safety"),
  };
}
