import type { Escalation, Resolve } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";

/** In a message: which answer holds. */
function answerText({ outcome, answer, resolution, resolvedBy }: Escalation): string {
  const by = resolvedBy === null ? "" : ` by the ${resolvedBy}`;
  if (outcome === "dismissed") return `It was dismissed${by}: ${resolution ?? ""}`;
  if (answer === null) return resolution ?? "It no longer waits.";
  return `It was answered${by} with '${answer}'.`;
}

export function answeredAlready(entry: Escalation): HallError {
  return new HallError("escalation_resolved", `${entry.question} ${answerText(entry)}`);
}

export function noLongerThere(entry: Escalation): HallError {
  return new HallError(
    "escalation_resolved",
    `${entry.question} No decision is needed any more. ${answerText(entry)}`,
    {
      hint: hint("escalation-list"),
    },
  );
}

export function unknownAnswer({ suggestedAnswers }: Escalation, { answer, always }: Resolve): HallError {
  const labels = suggestedAnswers.map(({ label }) => `'${label}'`).join(", ");
  if (always)
    return new HallError("escalation_refused", "This entry is about one thing and can't become a rule.", {
      hint: "Answer it without 'always'.",
    });
  if (labels === "")
    return new HallError("escalation_refused", "No answer fixes this; see its context for what does.", {
      hint: "Fix the cause, or dismiss the entry. It disappears when the cause is gone.",
    });
  return new HallError(
    "invalid",
    `answer: must be one of ${labels}${answer === undefined ? "" : `, not '${answer}'`}.`,
  );
}

export function notUndone(entry: Escalation): HallError {
  if (entry.status !== "resolved")
    return new HallError("escalation_refused", `${entry.question} It was not answered yet.`);
  return new HallError("escalation_refused", `${answerText(entry)} It took effect and can't be undone here.`, {
    hint: "Use the page of the run, project or file instead.",
  });
}

export function notPromoted({ question }: Escalation): HallError {
  return new HallError("escalation_refused", `${question} It is not a draft: it is with you already.`);
}

export function notHanded({ question }: Escalation): HallError {
  return new HallError("escalation_refused", `${question} Only you can decide this.`, {
    hint: "Agents can answer questions of agents; results, limits and permissions are yours.",
  });
}
