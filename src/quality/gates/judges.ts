import { judgeSyntax } from "../checks/judge-syntax.ts";
import { judgeTests } from "../checks/judge-tests.ts";
import { judgeProof } from "../proof/judge-proof.ts";
import { rolloutSafety } from "../spec/rollout-safety.ts";
import { specCompliance, traceability } from "../spec/spec-stages.ts";
import type { Judges } from "./subject.ts";

/** Everything that judges without a model; reviewers come along where they can be asked. */
export function gateJudges(review: Judges["review"]): Judges {
  return {
    ...{ syntax: judgeSyntax, tests: judgeTests, proof: (subject) => judgeProof(subject), review },
    ...{ specCompliance, traceability, rolloutSafety },
  };
}
