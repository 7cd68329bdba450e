import type { Asker, EscalationCreate } from "../../contract/documents/escalation.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import { mayExpire } from "./escalation-resolving.ts";
import { nameOf } from "./escalation-steps.ts";

const HOUR_MS = 3_600_000;

/** A question as its document has it first: a draft that nobody but the asker has seen. `note`: what its history says of asking. */
export function newEscalation(body: EscalationCreate, asker: Asker, note?: string): EscalationFields {
  const { type, origin, question, context, suggestedAnswers, priority, blocksInitiative } = body;
  const at = asker.askedAt;
  const by = nameOf(asker);
  return {
    type,
    origin,
    ...(body.projectId === undefined ? {} : { projectId: body.projectId }),
    ...(body.initiative === undefined ? {} : { initiative: body.initiative }),
    question,
    context,
    suggestedAnswers,
    escalatedBy: by,
    escalationPath: [by],
    history: [{ at, by, action: "asked", ...(note === undefined ? {} : { reason: note }) }],
    askers: [asker],
    priority,
    blocksTask: body.blocksTask ?? null,
    blocksInitiative,
    createdAt: at,
    updatedAt: at,
    status: "draft",
    ...unanswered(),
    ...defaultOf(body, at),
  };
}

/** What the document of every question says before there is an answer. */
export function unanswered() {
  const none = { resolution: null, answer: null, resolvedBy: null, resolvedAt: null };
  return { ...none, sources: [], replaces: [], reminders: 0 };
}

function defaultOf({ type, fallback }: EscalationCreate, askedAt: string): Pick<EscalationFields, "expires"> {
  if (fallback === undefined || !mayExpire(type)) return {};
  const at = new Date(Date.parse(askedAt) + fallback.afterHours * HOUR_MS).toISOString();
  return { expires: { at, answer: fallback.answer } };
}

/** The same words in the same order, whatever their case and punctuation. */
export function questionKey(question: string): string {
  return question
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
