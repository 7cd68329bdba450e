import type { EscalationStep } from "../../contract/documents/escalation.ts";
import type { EscalationType } from "../../contract/documents/escalation-status.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import { needsDelivery } from "./askers.ts";
import type { EscalationEvent, Refusal, Step } from "./escalation-events.ts";
import { answerText } from "./offered-answers.ts";

type Ending = Extract<
  EscalationEvent,
  { type: "resolve" | "resolve-sourced" | "resolve-handed" | "cover" | "dismiss" | "expire" | "withdraw" }
>;
type Ended = { fields: Partial<EscalationFields>; step: Omit<EscalationStep, "at"> } | Refusal;

/**
 * Types whose stated default may take effect by itself. A decision and an approval are the person's, and silence is neither;
 * a blocker names something that is missing, and stays so.
 */
const MAY_EXPIRE: readonly EscalationType[] = ["question"];

export function mayExpire(type: EscalationType): boolean {
  return MAY_EXPIRE.includes(type);
}

/** An open escalation, ended. */
export function resolved(current: EscalationFields, event: Ending, now: Date): Step {
  const ended = endedBy(current, event, now);
  if (typeof ended === "string") return { ok: false, refused: ended };
  const at = now.toISOString();
  const { snoozedUntil: _, ...rest } = current;
  // What is withdrawn has nobody left to tell.
  const isTold = (asker: EscalationFields["askers"][number]) => event.type !== "withdraw" && needsDelivery(asker);
  return {
    ok: true,
    fields: {
      ...rest,
      ...ended.fields,
      status: "resolved",
      resolvedAt: at,
      updatedAt: at,
      askers: current.askers.map((asker) => (isTold(asker) ? asker : { ...asker, deliveredAt: at })),
      history: [...current.history, ...handedFirst(event, at), { at, ...ended.step }].slice(-1_000),
    },
  };
}

function endedBy(current: EscalationFields, event: Ending, now: Date): Ended {
  switch (event.type) {
    case "resolve":
      return answered(current, event, { by: "person" });
    case "resolve-sourced":
      if (isForPerson(current)) return "person-only";
      if (!isSourced(event)) return "unsourced";
      return answered(current, event, { by: event.by });
    case "resolve-handed":
      if (isForPerson(current)) return "person-only";
      return answered(current, event, { by: event.by, reason: event.reason });
    case "cover":
      if (current.permission === undefined) return "person-only";
      return {
        fields: {
          outcome: "answered",
          resolution: event.reason,
          answer: event.answer,
          resolvedBy: "hall",
          scope: "task",
        },
        step: { by: "hall", action: "answered", reason: short(event.reason) },
      };
    case "dismiss":
      return {
        fields: { outcome: "dismissed", resolution: event.reason, answer: null, resolvedBy: "person" },
        step: { by: "person", action: "dismissed", reason: short(event.reason) },
      };
    case "withdraw":
      return {
        fields: { outcome: "withdrawn", resolution: event.reason, answer: null, resolvedBy: "hall" },
        step: { by: "hall", action: "withdrawn", reason: short(event.reason) },
      };
    case "expire":
      return expired(current, now);
  }
}

/** Permission, money and approvals are a person's, whatever is recorded. */
export function isForPerson({ type, origin }: Pick<EscalationFields, "type" | "origin">): boolean {
  return type === "approval" || origin === "budget" || origin === "permission";
}

function isSourced({ sources, given }: Extract<Ending, { type: "resolve-sourced" }>): boolean {
  return sources.length > 0 && sources.every(({ id }) => given.includes(id));
}

function answered(
  current: EscalationFields,
  event: Extract<Ending, { type: "resolve" | "resolve-sourced" | "resolve-handed" }>,
  { by, reason }: { by: string; reason?: string },
): Ended {
  const coded =
    event.type === "resolve" ? current.suggestedAnswers.find(({ code }) => code && code === event.code) : undefined;
  const chosen = coded ?? chosenFrom(current, event.answer);
  if (chosen === "unknown-answer") return chosen;
  const given = event.resolution?.trim() ?? "";
  const suggested = chosen === undefined ? "" : answerText(chosen);
  const resolution = given === "" ? suggested : given;
  if (resolution === "") return "empty";
  const fields: Partial<EscalationFields> = {
    outcome: "answered",
    resolution,
    answer: chosen?.label ?? null,
    resolvedBy: by,
    scope: current.projectId === undefined ? "hall" : "project",
  };
  if (event.type === "resolve-sourced") fields.sources = event.sources;
  if (event.type === "resolve") {
    if (event.scope !== undefined) fields.scope = event.scope;
    if (event.replaces !== undefined) fields.replaces = event.replaces;
    if (event.ruleId !== undefined) fields.ruleId = event.ruleId;
  }
  return { fields, step: { by, action: "answered", ...(reason === undefined ? {} : { reason: short(reason) }) } };
}

/** A label is what was suggested, whatever its case; anything else is a resolution in words. */
function chosenFrom({ suggestedAnswers }: EscalationFields, label: string | undefined) {
  if (label === undefined) return undefined;
  const folded = label.trim().toLowerCase();
  const found =
    suggestedAnswers.find((one) => one.label === label) ??
    suggestedAnswers.find((one) => one.label.trim().toLowerCase() === folded);
  return found ?? ("unknown-answer" as const);
}

function expired({ type, expires }: EscalationFields, now: Date): Ended {
  if (expires === undefined || !mayExpire(type)) return "no-default";
  if (now.getTime() < Date.parse(expires.at)) return "not-yet";
  return {
    fields: { outcome: "expired", resolution: expires.answer, answer: expires.answer, resolvedBy: "hall" },
    step: { by: "hall", action: "expired", reason: "No answer by the stated time; the stated default took effect." },
  };
}

function handedFirst(event: Ending, at: string): EscalationStep[] {
  return event.type === "resolve-handed" ? [{ at, by: "person", action: "handed", reason: event.by }] : [];
}

function short(text: string): string {
  return text.slice(0, 2_000).toWellFormed();
}
