import type { Asker, Resolve } from "../../contract/documents/escalation.ts";
import {
  type Grant,
  PERMISSION_ANSWERS,
  type PermissionAnswer,
  type PermissionRequest,
} from "../../contract/documents/permission.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Permit } from "../../contract/runs/guarding.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { ruleText } from "../../contract/words/permission-words.ts";
import type { GuardedCall } from "../../runs/guarding.ts";
import type { Change } from "../../workspace/change.ts";
import { type Core, commit } from "../../workspace/core.ts";
import type { EscalationFields, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { EscalationChanges } from "../asking/escalation-changes.ts";
import type { TaskBlocks } from "../asking/task-blocks.ts";
import type { Consent } from "../guard/run-guard.ts";
import { newEscalation } from "../rules/new-escalation.ts";
import { coveringGrants, type PlacedCall } from "./coverage.ts";
import { ANSWERED, type Decision, decide } from "./decide.ts";
import { permissionAnswers, permissionContext, permissionQuestion } from "./request-text.ts";
import { ruleOf, subjectOf } from "./rule.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "escalations" | "grants" | "replay">;
  changes: EscalationChanges;
  blocks: Pick<TaskBlocks, "settleOf">;
  /** Hours of the answer `hour`, unless it says so itself. */
  hours: () => number;
  /** The input of a call without secrets. */
  redactInput: (input: string, projectId: string) => string;
  /** The file that a call would replace. */
  replacedBy: (call: PlacedCall) => PermissionRequest["replaces"];
  onTrouble: (what: string, error: unknown) => void;
}

const LONGEST_INPUT = 20_000;
const LONGEST_TEXT = 4_000;
const HOUR_MS = 3_600_000;

/** Asks the person about calls, and records what they allow. */
export class Permissions implements Consent {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asked again under the same call it is answered by what is on disk. Durable when it resolves. */
  permit(guarded: GuardedCall): Promise<Permit | { state: "waits"; text: string }> {
    const { core, hall } = this.#parts;
    const call = placed(guarded);
    return core.locks.run(`permit ${call.runId}/${call.callId}`, async () => {
      const request = await hall.escalations.ofCall(call);
      const decided = () =>
        decide({
          ...{ request, brought: guarded.brought },
          covering: coveringGrants(hall.grants.list(), call, core.clock()),
        });
      const decision = await this.#used(guarded, call, decided);
      switch (decision.kind) {
        case "allowed":
          return decision.permit;
        case "refused":
          await this.#note(guarded, refusal(guarded, call, request));
          return { allowed: false, reason: decision.reason };
        case "waits":
          return { state: "waits", text: request?.question ?? "" };
        case "ask":
          return { state: "waits", text: (await this.#ask(guarded, call)).question };
      }
    });
  }

  /** A grant is used, durably, before it is revoked, or not any more. */
  async #used(
    guarded: GuardedCall,
    call: PlacedCall,
    decided: () => Decision,
  ): Promise<Exclude<Decision, { kind: "allowed" }> | { kind: "allowed"; permit: Permit }> {
    const first = decided();
    if (first.kind !== "allowed") return first;
    return this.#parts.hall.grants.whileUnchanged(async () => {
      const decision = decided();
      if (decision.kind !== "allowed") return decision;
      return { kind: "allowed", permit: await this.#allow(guarded, call, decision) };
    });
  }

  /** Who may answer was checked before. The answer and what it allows become durable in one change. */
  async answer(current: StoredEscalation, body: Resolve, change: Change): Promise<StoredEscalation> {
    const { hall, changes } = this.#parts;
    const { id, projectId, permission } = current;
    if (permission === undefined || projectId === undefined)
      throw new HallError("invalid", `${id} asks for no permission.`);
    const answer = checkedAnswer(body);
    const words = body.resolution?.trim() ?? "";
    const resolution = words === "" ? ANSWERED[answer] : words;
    // Of one task: what was decided about a call says nothing about another.
    const event = { type: "resolve" as const, answer, resolution, scope: "task" as const };
    if (answer === "no" || current.status === "resolved") return changes.step(id, event, change);
    const { runId, roleId, callId, rule } = permission;
    const grant = { scope: answer, rule, projectId, roleId, runId, callId, from: id, ...this.#expiry(answer, body) };
    const answered = await hall.grants.addTogether(grant, change, (_, together) =>
      changes.step(id, event, change, together),
    );
    await this.coverOpen();
    return answered;
  }

  /** Calls that wait and are allowed by now continue: the person is not asked twice. After a restart, too. */
  async coverOpen(): Promise<void> {
    const { core, hall, changes, blocks, onTrouble } = this.#parts;
    for (const { id, permission, projectId } of hall.escalations.open()) {
      if (permission === undefined || projectId === undefined) continue;
      const [grant] = coveringGrants(hall.grants.list(), { ...permission, projectId }, core.clock()) ?? [];
      if (grant === undefined) continue;
      const reason = `Allowed by ${grant.id}, the answer to ${grant.from}.`;
      try {
        await blocks.settleOf(await changes.step(id, { type: "cover", answer: grant.scope, reason }));
      } catch (error) {
        // It stays open, and the person can answer it.
        onTrouble(`${id} could not be closed yet`, error);
      }
    }
  }

  #expiry(answer: PermissionAnswer, { hours = this.#parts.hours() }: Resolve): Pick<Grant, "expiresAt"> {
    if (answer !== "hour") return {};
    return { expiresAt: new Date(this.#parts.core.clock().getTime() + hours * HOUR_MS).toISOString() };
  }

  async #allow(
    guarded: GuardedCall,
    call: PlacedCall,
    { by, remark }: Extract<Decision, { kind: "allowed" }>,
  ): Promise<Permit> {
    const drafts = by.map(({ id }) => ({
      type: "permission.used" as const,
      subject: { kind: "grant" as const, id },
      after: told(guarded, call),
    }));
    await this.#note(guarded, drafts);
    return { allowed: true, ...(remark === undefined ? {} : { remark }) };
  }

  /** Under one call once, also after a crash. */
  async #note(
    { run, callId }: GuardedCall,
    drafts: readonly Pick<EventDraft, "type" | "subject" | "after">[],
  ): Promise<void> {
    const { core, hall } = this.#parts;
    const request = { key: `permit/${run.id}/${callId}`, fingerprint: "" };
    if (hall.replay(request) !== undefined) return;
    const actor = { kind: "agent" as const, id: run.id, via: "daemon" as const };
    const events = drafts.map((draft): EventDraft => ({ ...draft, actor, projectId: run.projectId, request }));
    await commit(core, events, () => undefined);
  }

  /** Straight to the person: nobody else may give consent. */
  async #ask(guarded: GuardedCall, call: PlacedCall): Promise<StoredEscalation> {
    const { core, hall, blocks } = this.#parts;
    const { run } = guarded;
    const plan = core.tasks.record(run.projectId, run.taskId)?.plan;
    const escalation = await hall.escalations.create(this.#request(guarded, call, plan), {
      actor: { kind: "agent", id: run.id, via: "daemon" },
    });
    await blocks.settleOf(escalation);
    return escalation;
  }

  #request({ run }: GuardedCall, call: PlacedCall, plan: string | undefined): EscalationFields {
    const { core, hours, redactInput, replacedBy } = this.#parts;
    const { projectId, roleId, runId, callId, tool } = call;
    const shown = redactInput(call.input, projectId);
    const rule = ruleOf(call);
    const replaces = replacedBy(call);
    const permission: PermissionRequest = {
      ...{ runId, roleId, callId, tool, rule },
      ...(replaces === undefined ? {} : { replaces }),
      input: cutText(shown, LONGEST_INPUT),
      text: cutText(ruleText(rule), LONGEST_TEXT),
    };
    const askedAt = core.clock().toISOString();
    const asker: Asker = { kind: "run", id: runId, projectId, taskId: run.taskId, callId, waits: true, askedAt };
    const asked = {
      ...{ type: "approval" as const, origin: "permission" as const, projectId, priority: "high" as const },
      question: permissionQuestion({ tool, input: shown }),
      context: permissionContext({ ...permission, input: shown }),
      suggestedAnswers: permissionAnswers(permission, { projectId, hours: hours() }),
      ...{ blocksTask: null, blocksInitiative: false },
      ...(plan === undefined ? {} : { initiative: plan }),
    };
    const draft = newEscalation(asked, asker);
    const escalationPath = [...draft.escalationPath, "person"];
    return { ...draft, status: "pending", escalationPath, permission };
  }
}

function placed({ run, callId, tool, input }: GuardedCall): PlacedCall {
  return { projectId: run.projectId, roleId: run.roleId, runId: run.id, callId, tool, input };
}

/** What the log has of a call. */
function told({ run }: GuardedCall, call: PlacedCall): Record<string, unknown> {
  const { runId, callId, tool } = call;
  return { runId, taskId: run.taskId, callId, tool, subject: subjectOf(call) };
}

function refusal(guarded: GuardedCall, call: PlacedCall, request: StoredEscalation | undefined) {
  const subject =
    request === undefined ? { kind: "run" as const, id: call.runId } : { kind: "escalation" as const, id: request.id };
  return [{ type: "permission.refused" as const, subject, after: told(guarded, call) }];
}

/** Only these words are consent. */
function checkedAnswer({ answer, hours, always, scope, replaces }: Resolve): PermissionAnswer {
  const label = PERMISSION_ANSWERS.find((one) => one === answer?.trim().toLowerCase());
  if (label === undefined)
    throw new HallError(
      "invalid",
      `answer: must be one of ${PERMISSION_ANSWERS.join(", ")}; this is a permission request.`,
      {
        hint: "Send your own words as resolution, with one of these answers.",
      },
    );
  if (hours !== undefined && label !== "hour") throw new HallError("invalid", 'hours: only with the answer "hour".');
  if (always || scope !== undefined || replaces.length > 0)
    throw new HallError("invalid", "always, scope and replaces don't apply to a permission request.", {
      hint: 'To allow such calls from now on, send the answer "always".',
    });
  return label;
}
