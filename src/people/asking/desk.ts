import type { Asker, Escalation, EscalationCreate, Resolve } from "../../contract/documents/escalation.ts";
import { urgencyOf } from "../../contract/documents/escalation-urgency.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { EscalationEvent } from "../rules/escalation-events.ts";
import { escalationStep } from "../rules/escalation-steps.ts";
import { refusalError } from "../rules/refusals.ts";
import type { QuestionDesk } from "./asking.ts";
import type { EscalationChanges } from "./escalation-changes.ts";
import type { EscalationPath } from "./path.ts";
import type { TaskBlocks } from "./task-blocks.ts";

interface Parts {
  core: Core;
  hall: Hall;
  questions: Pick<QuestionDesk, "askAs">;
  changes: EscalationChanges;
  path: Pick<EscalationPath, "hand">;
  blocks: Pick<TaskBlocks, "settleOf">;
  permissions: Pick<Permissions, "answer">;
  /** For how long an answer can be taken back. */
  undoMs: () => number;
}

/** What people do with escalations. Only a person answers: agents have no way here, and a client's token is refused. */
export class EscalationDocuments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async get(id: string): Promise<Escalation> {
    return this.shown(await this.#parts.hall.escalations.get(id));
  }

  async ask(body: EscalationCreate, change: Change) {
    assertActorMay(change.actor, "ask");
    const asked = await this.#parts.questions.askAs(body, this.#askerOf(change), change);
    if (asked.outcome !== "known") return { outcome: asked.outcome, escalation: this.shown(asked.escalation) };
    const { question, answer, resolution, citation: source, escalationId } = asked.answer;
    const earlier = escalationId === undefined ? {} : { escalation: await this.get(escalationId) };
    return { outcome: asked.outcome, ...earlier, known: { question, answer, resolution, source } };
  }

  async resolve(id: string, body: Resolve, change: Change): Promise<Escalation> {
    assertActorMay(change.actor, "answer");
    const current = await this.#parts.hall.escalations.get(id);
    if (current.permission !== undefined)
      return this.#answered(await this.#parts.permissions.answer(current, body, change));
    const { resolution, answer, scope, replaces, always, hours } = body;
    if (hours !== undefined) throw new HallError("invalid", `hours: ${id} is not a permission request.`);
    const isReview = current.review !== undefined || current.team !== undefined;
    if (isReview && (always || (scope !== undefined && scope !== "task")))
      throw new HallError("invalid", `always and scope don't apply to ${id}: it is about one result.`);
    // What was decided about one result says nothing about another.
    const event = {
      type: "resolve" as const,
      resolution,
      answer,
      scope: isReview ? ("task" as const) : scope,
      replaces,
    };
    return this.#answered(await (always ? this.#always(id, event, change) : this.#step(id, event, change)));
  }

  async promote(id: string, reason: string | undefined, change: Change): Promise<Escalation> {
    assertActorMay(change.actor, "answer");
    return this.shown(await this.#step(id, { type: "promote", by: "person", reason }, change));
  }

  async dismiss(id: string, reason: string, change: Change): Promise<Escalation> {
    assertActorMay(change.actor, "answer");
    return this.#answered(await this.#step(id, { type: "dismiss", reason }, change));
  }

  async undo(id: string, change: Change): Promise<Escalation> {
    assertActorMay(change.actor, "answer");
    const { hall, changes } = this.#parts;
    const event = { type: "undo" as const, undoMs: this.#parts.undoMs() };
    const { ruleId, permission, review, status } = await hall.escalations.get(id);
    if (review !== undefined && status === "resolved")
      throw new HallError("escalation_refused", `The answer to ${id} can't be undone: it was carried out.`);
    if (permission !== undefined && status === "resolved")
      throw new HallError("escalation_refused", `The answer to ${id} can't be undone: the agent continues with it.`, {
        hint: hint("grant-revoke"),
      });
    // A rule that the answer became ends with it, in one change; the person may have removed it already.
    const rule = hall.answerRules.list().find((one) => one.id === ruleId);
    const undone =
      rule === undefined
        ? this.#step(id, event, change)
        : hall.answerRules.removeTogether(rule.id, change, (together) => changes.step(id, event, change, together));
    return this.#answered(await undone);
  }

  async snooze(id: string, until: string | null, change: Change): Promise<Escalation> {
    assertActorMay(change.actor, "answer");
    return this.shown(await this.#step(id, { type: "snooze", until }, change));
  }

  async hand(id: string, to: "main" | "project", change: Change): Promise<Escalation> {
    assertActorMay(change.actor, "answer");
    return this.#answered(await this.#parts.path.hand(id, to, change));
  }

  #step(id: string, event: EscalationEvent, change: Change): Promise<StoredEscalation> {
    return this.#parts.changes.step(id, event, change);
  }

  /** The rule and the answer become durable in one change. */
  async #always(id: string, event: Extract<EscalationEvent, { type: "resolve" }>, change: Change) {
    const { core, hall, changes } = this.#parts;
    const current = await hall.escalations.get(id);
    const step = escalationStep(current, event, core.clock());
    if (!step.ok) throw refusalError(step.refused, id, current);
    const { question, projectId } = current;
    const isOfProject = projectId !== undefined && step.fields?.scope !== "hall";
    const rule = {
      question,
      answer: step.fields?.answer ?? null,
      resolution: step.fields?.resolution ?? "",
      scope: isOfProject ? ("project" as const) : ("hall" as const),
      ...(isOfProject ? { projectId } : {}),
      from: id,
    };
    return hall.answerRules.addTogether(rule, change, ({ id: ruleId }, together) =>
      changes.step(id, { ...event, ruleId }, change, together),
    );
  }

  /** Whoever reads the answer of this request sees its task freed, or blocked again; where that fails, it is done later. */
  async #answered(escalation: StoredEscalation): Promise<Escalation> {
    await this.#parts.blocks.settleOf(escalation).catch(() => undefined);
    return this.shown(escalation);
  }

  shown(stored: StoredEscalation): Escalation {
    const now = this.#parts.core.clock();
    const undoMs = this.#parts.undoMs();
    // What a permission allowed is revoked, not undone.
    const isAnswer =
      stored.resolvedAt !== null && [stored.permission, stored.review, stored.team].every((one) => one === undefined);
    const mayUndo = isAnswer && escalationStep(stored, { type: "undo", undoMs }, now).ok;
    const until = new Date(Date.parse(stored.resolvedAt ?? "") + undoMs);
    return {
      ...stored,
      urgency: urgencyOf(stored, now),
      ...(mayUndo ? { undoUntil: until.toISOString() } : {}),
    };
  }

  #askerOf({ actor, request }: Change): Asker {
    const askedAt = this.#parts.core.clock().toISOString();
    const callId = request === undefined ? {} : { callId: request.key.slice(0, 300) };
    return {
      kind: kindOf(actor),
      ...(actor.id === undefined ? {} : { id: actor.id }),
      ...callId,
      waits: false,
      askedAt,
    };
  }
}

function kindOf({ kind }: Actor): "person" | "client" {
  return kind === "client" ? "client" : "person";
}
