import type { Asker, EscalationStep } from "../../contract/documents/escalation.ts";
import { TASK_PRIORITIES } from "../../contract/documents/task-status.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";
import { isSame, needsDelivery } from "./askers.ts";
import type { EscalationEvent, Passed, Refusal, Step } from "./escalation-events.ts";
import { resolved } from "./escalation-resolving.ts";

type EventOf<Type extends EscalationEvent["type"]> = Extract<EscalationEvent, { type: Type }>;

const MOST_ASKERS = 100;

/** What becomes of an escalation. The only place where its status, answer and deliveries are decided. */
export function escalationStep(current: EscalationFields, event: EscalationEvent, now: Date): Step {
  const at = now.toISOString();
  switch (event.type) {
    case "join":
      return joined(current, event, at);
    case "promote":
      return current.status === "draft" ? toPerson(current, event, at) : refuse(closedOr(current, "not-draft"));
    case "pass":
      return passed(current, event, at);
    case "resolve":
    case "resolve-sourced":
    case "resolve-handed":
    case "cover":
    case "dismiss":
    case "expire":
    case "withdraw":
      return current.status === "resolved" ? refuse(closed(current)) : resolved(current, event, now);
    case "leave":
      return left(current, event, now);
    case "undo":
      return undone(current, event, now);
    case "snooze":
      return snoozed(current, event, now);
    case "follow-up":
      return ofAsker(current, event, (asker) =>
        asker.followUpRunId ? undefined : { ...asker, followUpRunId: event.runId },
      );
    case "deliver":
      return ofAsker(current, event, (asker) => (asker.deliveredAt ? undefined : { ...asker, deliveredAt: at }));
    case "unheard":
      return ofAsker(current, event, ({ deliveredAt, ...asker }) =>
        deliveredAt === undefined || asker.followUpRunId !== undefined ? undefined : asker,
      );
  }
}

function refuse(refused: Refusal): Step {
  return { ok: false, refused };
}

function closed({ outcome }: EscalationFields): Refusal {
  return outcome === "withdrawn" ? "withdrawn" : "resolved";
}

function closedOr(current: EscalationFields, other: Refusal): Refusal {
  return current.status === "resolved" ? closed(current) : other;
}

function changed(current: EscalationFields, fields: Partial<EscalationFields>, step: EscalationStep): Step {
  const history = [...current.history, step].slice(-1_000);
  return { ok: true, fields: { ...current, ...fields, history, updatedAt: step.at } };
}

function joined(current: EscalationFields, event: EventOf<"join">, at: string): Step {
  if (current.askers.some((asker) => isSame(asker, event.asker))) return { ok: true, fields: undefined };
  if (current.status === "resolved") return refuse(closed(current));
  if (current.askers.length >= MOST_ASKERS) return refuse("too-many-askers");
  const rank = (priority: EscalationFields["priority"]) => TASK_PRIORITIES.indexOf(priority);
  const priority = rank(event.priority) > rank(current.priority) ? event.priority : current.priority;
  const blocksTask = current.blocksTask ?? event.blocksTask ?? null;
  const askers = [...current.askers, event.asker];
  return changed(current, { askers, priority, blocksTask }, { at, by: nameOf(event.asker), action: "joined" });
}

/** As history and path name an asker. */
export function nameOf({ kind, id }: Pick<Asker, "kind" | "id">): string {
  return id === undefined || kind === "main" || kind === "person" ? kind : `${kind}:${id}`;
}

function toPerson(
  before: EscalationFields,
  { by, reason, passed: reviewers = [] }: EventOf<"promote">,
  at: string,
): Step {
  const current = reviewers.reduce((fields, reviewer) => withPass(fields, reviewer, at), before);
  const escalationPath = [...current.escalationPath, "person"];
  const fields = { status: "pending" as const, escalationPath };
  return changed(current, fields, { at, by, action: "promoted", ...(reason === undefined ? {} : { reason }) });
}

function passed(current: EscalationFields, event: EventOf<"pass">, at: string): Step {
  if (current.status !== "draft") return refuse(closedOr(current, "not-draft"));
  return { ok: true, fields: { ...withPass(current, event, at), updatedAt: at } };
}

function withPass(current: EscalationFields, { by, reason }: Passed, at: string): EscalationFields {
  const { escalationPath: path, history } = current;
  const escalationPath = path.includes(by) ? path : [...path, by];
  return { ...current, escalationPath, history: [...history, { at, by, action: "passed", reason }] };
}

function left(current: EscalationFields, { asker, reason }: EventOf<"leave">, now: Date): Step {
  if (current.status === "resolved" || !current.askers.some((one) => isSame(one, asker)))
    return { ok: true, fields: undefined };
  const askers = current.askers.filter((one) => !isSame(one, asker));
  if (askers.length === 0) return resolved(current, { type: "withdraw", reason }, now);
  const step = { at: now.toISOString(), by: "hall", action: "edited" as const, reason };
  return changed(current, { askers }, step);
}

/** An answer that an agent has is in effect; taking it back would leave work that rests on nothing. */
function undone(current: EscalationFields, { undoMs }: EventOf<"undo">, now: Date): Step {
  const { outcome, resolvedAt, askers } = current;
  if (current.status !== "resolved" || resolvedAt === null) return refuse("not-resolved");
  if (outcome !== "answered" && outcome !== "dismissed") return refuse("withdrawn");
  if (askers.some((asker) => needsDelivery(asker) && (asker.deliveredAt ?? asker.followUpRunId) !== undefined))
    return refuse("acted-on");
  if (now.getTime() > Date.parse(resolvedAt) + undoMs) return refuse("too-late");
  const { outcome: _, scope: _scope, statementId: _statement, ruleId: _rule, ...rest } = current;
  const open = askers.map(({ deliveredAt: _delivered, ...asker }) => asker);
  const none = { resolution: null, answer: null, resolvedBy: null, resolvedAt: null, sources: [], replaces: [] };
  const isPersons = current.escalationPath.includes("person");
  const escalationPath = isPersons ? current.escalationPath : [...current.escalationPath, "person"];
  return changed(
    rest,
    { ...none, status: "pending", askers: open, escalationPath },
    { at: now.toISOString(), by: "person", action: "reopened" },
  );
}

function snoozed(current: EscalationFields, { until }: EventOf<"snooze">, now: Date): Step {
  if (current.status === "resolved") return refuse(closed(current));
  const { snoozedUntil: before, ...rest } = current;
  if (until === null && before === undefined) return { ok: true, fields: undefined };
  if (until !== null && Date.parse(until) <= now.getTime()) return refuse("past");
  const step = { at: now.toISOString(), by: "person", action: "snoozed" as const };
  return changed(rest, until === null ? {} : { snoozedUntil: until }, { ...step, reason: until ?? "shown again" });
}

/** Deliveries are no part of its history: the asker's entry says it. */
function ofAsker(
  current: EscalationFields,
  { asker: key }: { asker: EventOf<"deliver">["asker"] },
  edit: (asker: Asker) => Asker | undefined,
): Step {
  if (current.status !== "resolved") return refuse("not-resolved");
  const found = current.askers.find((one) => isSame(one, key));
  if (found === undefined) return refuse("unknown-asker");
  const next = edit(found);
  if (next === undefined) return { ok: true, fields: undefined };
  const askers = current.askers.map((one) => (one === found ? next : one));
  return { ok: true, fields: { ...current, askers } };
}
