import { type ErrorPlace, HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { partyText } from "../../contract/words/party-words.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import type { Refusal } from "./escalation-events.ts";

/** A refusal in words. A second answer is refused with the first one. */
export function refusalError(refused: Refusal, id: string, current: EscalationFields): HallError {
  const refuse = (message: string, place: ErrorPlace = {}) => new HallError("escalation_refused", message, place);
  switch (refused) {
    case "resolved":
      return new HallError("escalation_resolved", `${id} was already ${endText(current)}`, {
        ...(current.permission === undefined ? {} : { hint: hint("grant-revoke") }),
      });
    case "withdrawn":
      return new HallError("escalation_resolved", `${id} was withdrawn: ${sentence(current.resolution ?? "")}`, {
        hint: "No agent waits for an answer any more.",
      });
    case "not-draft":
      return refuse(`${id} is ${current.status} already.`);
    case "not-resolved":
      return refuse(`${id} is not resolved.`);
    case "too-many-askers":
      return refuse(`${id} has 100 askers already.`);
    case "unknown-answer": {
      const labels = current.suggestedAnswers.map(({ label }) => `"${label}"`).join(", ");
      const suggested = labels === "" ? "It has no suggested answers" : `Suggested answers: ${labels}`;
      return new HallError("invalid", `answer: ${suggested}. For any other answer, send resolution.`);
    }
    case "empty":
      return new HallError("invalid", "resolution: is required unless answer is given.");
    case "unsourced":
      return refuse(`${id} can't be answered without a recorded source.`);
    case "person-only":
      return refuse(`${id} needs a person: agents can't give approvals, permissions or money.`);
    case "past":
      return new HallError("invalid", "until: must be in the future.");
    case "no-default":
      return refuse(`${id} has no default that can take effect.`);
    case "not-yet":
      return refuse(`${id} has not expired yet.`);
    case "too-late":
      return refuse(`The answer to ${id} can't be undone any more: the time to undo it is over.`, {
        hint: "Record a new decision that replaces it.",
      });
    case "acted-on":
      return refuse(`The answer to ${id} can't be undone: an agent has it.`, {
        hint: "Message the agent, or record a new decision that replaces it.",
      });
    case "unknown-asker":
      return refuse(`${id} has no such asker.`);
  }
}

function endText({ outcome, resolution, answer, resolvedBy, resolvedAt }: EscalationFields): string {
  const by = resolvedBy === null ? "" : ` by ${partyText(resolvedBy)}`;
  const at = resolvedAt === null ? "" : ` at ${resolvedAt}`;
  if (outcome === "dismissed") return `dismissed${by}${at}: ${sentence(resolution ?? "")}`;
  const text = answer !== null && resolution !== null && !resolution.startsWith(answer) ? `${answer}. ` : "";
  return `answered${by}${at}: ${text}${sentence(resolution ?? answer ?? "")}`;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
