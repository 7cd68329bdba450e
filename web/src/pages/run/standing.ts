import type { Run } from "../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { deliveryWords } from "../../../../src/contract/words/delivery-words.ts";
import { GATE_CODE_WORDS, type GateCode, isGateCode } from "../../../../src/contract/words/gate-words.ts";
import { capital } from "../../ui/text/capital.ts";

/** It is over and left no change behind, though it could have, or its answer waits for review. */
export function changedNothing(run: Pick<Run, "delivery">): boolean {
  // Where its files could not be counted, nobody knows.
  const { state, files } = run.delivery ?? {};
  return state === "unchanged" || (state === "review" && files === 0);
}

export function waitsForReview(run: Pick<Run, "delivery">): boolean {
  return run.delivery?.state === "review";
}

/** What a person can do about a run as it is. */
export function deedsFor(run: Run) {
  const over = isOver(run);
  const state = run.delivery?.state;
  const waits = state === "review" || state === "kept";
  return {
    stop: !over,
    message: run.status === "running",
    retry: over,
    /** Approve it, request changes or discard it. */
    decide: over && waits,
    revert: over && state === "delivered",
  };
}

export function standingWords(run: Pick<Run, "delivery">): string | undefined {
  const { delivery } = run;
  if (delivery === undefined) return undefined;
  const { kind, state, reason, reasonCode } = delivery;
  // That the project asks for it says nothing new.
  if (state === "review" && reasonCode === "required") return "Ready for review.";
  if (state === "review" && isGateCode(reasonCode)) return gateSentence(reasonCode, reason);
  const said =
    state === "delivered" && kind === "branch"
      ? `Merged into ${delivery.target}.`
      : `${capital(deliveryWords(delivery))}.`;
  return reason === undefined ? said : `${said} ${sentence(reason)}`;
}

function gateSentence(code: GateCode, reason: string | undefined): string {
  if (code === "gate-running") return "Quality gates are checking this result. You can also decide now.";
  return sentence(reason ?? GATE_CODE_WORDS[code]);
}

function sentence(text: string): string {
  const first = capital(text);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
