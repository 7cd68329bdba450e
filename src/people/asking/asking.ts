import type { ChannelAddress } from "../../contract/documents/channel.ts";
import type { Asker, EscalationCreate, Question } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { AskedOutcome, Asking, AskingAgent } from "../../runs/questions.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { askOnce, knownText } from "../known/ask-once.ts";
import type { KnownAnswers, RecordedAnswer } from "../known/known-answers.ts";
import { isSame } from "../rules/askers.ts";
import { canBlock } from "../rules/blocked-tasks.ts";
import { nameOf } from "../rules/escalation-steps.ts";
import { newEscalation } from "../rules/new-escalation.ts";
import type { EscalationChanges } from "./escalation-changes.ts";
import { QuestionCap } from "./question-limits.ts";
import type { TaskBlocks } from "./task-blocks.ts";

interface Parts {
  core: Core;
  hall: Hall;
  known: KnownAnswers;
  changes: EscalationChanges;
  blocks: Pick<TaskBlocks, "settleOf">;
  /** Whether an initiative of the project is there. */
  hasPlan: (projectId: string, slug: string) => boolean;
  /** Sends a draft on its way. Does not wait. */
  send: (id: string) => void;
}

/** What came of asking. */
export type Asked =
  | { outcome: "asked" | "joined"; escalation: StoredEscalation; notBlocked?: string | undefined }
  | { outcome: "known"; answer: RecordedAnswer };

/** More than this are not asked within the hour that counts. */
const MOST_RECENT = 1_000;
const LATER = "Continue with other work; the answer arrives as a message.";

/** Where questions are asked: known answers first, then one escalation for all who ask the same. */
export class QuestionDesk implements Asking {
  readonly #parts: Parts;
  readonly #cap: QuestionCap;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { escalations } = parts.hall;
    this.#cap = new QuestionCap(parts.core.clock, () => [
      ...escalations.open(),
      ...escalations.list({ status: "resolved", limit: MOST_RECENT }).escalations,
    ]);
  }

  problems(): Problem[] {
    return this.#cap.problems();
  }

  async ask(question: Question, by: AskingAgent): Promise<AskedOutcome> {
    const { actor, asker, body } = this.#placed(question, by);
    const key = `ask/${asker.kind}/${asker.id}/${by.callId}`;
    const asked = await this.askAs(body, asker, { actor, request: { key, fingerprint: "" } });
    if (asked.outcome === "known") return { state: "told", text: knownText(asked.answer) };
    const { id } = asked.escalation;
    if (asker.waits) return { state: "waits", id };
    const done = asked.outcome === "joined" ? `Already asked as ${id}.` : `Recorded as ${id}.`;
    const notBlocked = asked.notBlocked === undefined ? [] : [asked.notBlocked];
    return { state: "told", text: [done, ...notBlocked, LATER].join(" ") };
  }

  /** Under one call of one asker it is asked once. Durable when it resolves. */
  async askAs(given: EscalationCreate, asker: Asker, change: Change): Promise<Asked> {
    const { core, hall, known } = this.#parts;
    const { body, notBlocked } = this.#checked(given);
    return core.locks.run("ask", async () => {
      const before = await this.#askedBefore(asker, change);
      if (before !== undefined) return { outcome: "joined", escalation: before };
      const once = await askOnce(known, body, asker.taskId);
      if (once.outcome === "known") return once;
      if (once.outcome === "joined")
        return {
          outcome: "joined",
          escalation: await this.#join(once.escalation, { body, asker, change }),
          notBlocked,
        };
      this.#cap.take({ by: nameOf(asker), projectId: body.projectId, kind: asker.kind });
      const escalation = await hall.escalations.create(
        newEscalation({ ...body, suggestedAnswers: once.suggestedAnswers }, asker, notBlocked),
        change,
      );
      await this.#parts.blocks.settleOf(escalation);
      this.#parts.send(escalation.id);
      return { outcome: "asked", escalation, notBlocked };
    });
  }

  /** What came of this very call, before a crash or a lost response. */
  async #askedBefore(asker: Asker, { request }: Change): Promise<StoredEscalation | undefined> {
    const { hall } = this.#parts;
    const due = [...hall.escalations.open(), ...hall.escalations.undelivered()];
    const found = due.find(({ askers }) => hasAsked(askers, asker));
    if (found !== undefined || request === undefined) return found;
    const done = hall.replay(request);
    return done === undefined ? undefined : hall.escalations.get(done.subjectId);
  }

  /** Of one agent that asks the same again without waiting, nothing more is to be recorded. */
  async #join(
    same: StoredEscalation,
    { body, asker, change }: { body: EscalationCreate; asker: Asker; change: Change },
  ): Promise<StoredEscalation> {
    const isAgain = same.askers.some(({ kind, id, waits }) => kind === asker.kind && id === asker.id && !waits);
    if (isAgain && !asker.waits) return same;
    const { priority, blocksTask } = body;
    const event = { type: "join" as const, asker, priority, blocksTask: blocksTask ?? undefined };
    const escalation = await this.#parts.changes.step(same.id, event, change);
    await this.#parts.blocks.settleOf(escalation);
    return escalation;
  }

  /** The project, the task and its plan are what the daemon knows, not what the agent says. */
  #placed(question: Question, by: AskingAgent): { actor: Actor; asker: Asker; body: EscalationCreate } {
    const askedAt = this.#parts.core.clock().toISOString();
    const { callId } = by;
    const body = { ...question, origin: "agent" as const };
    switch (by.kind) {
      case "run": {
        const { id, projectId, taskId } = by.run;
        const waits = taskIdOf(question.blocksTask) === taskId;
        const named = this.#parts.core.tasks.record(projectId, taskId)?.plan;
        const plan = named !== undefined && this.#parts.hasPlan(projectId, named) ? named : undefined;
        return {
          actor: { kind: "agent", id, via: "daemon" },
          asker: { kind: "run", id, projectId, taskId, callId, waits, askedAt },
          body: {
            ...{ ...body, projectId, origin: by.origin ?? body.origin },
            ...(plan === undefined ? {} : { initiative: plan }),
          },
        };
      }
      case "project": {
        const { projectId, initiative } = by;
        return {
          actor: { kind: "agent", id: `project:${projectId}`, via: "daemon" },
          asker: { kind: "project", id: projectId, projectId, callId: short(callId), waits: false, askedAt },
          body: { ...body, projectId, ...(initiative === undefined ? {} : { initiative }) },
        };
      }
      case "main": {
        const { channel, projectId } = by;
        const of = projectId === undefined ? {} : { projectId };
        return {
          actor: { kind: "agent", id: "main", via: "daemon" },
          asker: {
            kind: "main",
            id: channelName(channel),
            callId: short(callId),
            waits: false,
            askedAt,
            ...of,
          },
          body: { ...body, ...of },
        };
      }
    }
  }

  /** What it names must be there. A task that can't be blocked is left out, and `notBlocked` says why. */
  #checked(body: EscalationCreate): { body: EscalationCreate; notBlocked?: string } {
    const { core, hall } = this.#parts;
    const { projectId } = body;
    if (projectId !== undefined) hall.projects.get(projectId);
    const blocksTask = taskIdOf(body.blocksTask);
    if (blocksTask === undefined) return { body: { ...body, blocksTask: null } };
    if (projectId === undefined) throw new HallError("invalid", "projectId: is required with blocksTask.");
    const task = core.tasks.record(projectId, blocksTask);
    if (task === undefined)
      throw new HallError("invalid", `blocksTask: there is no task '${blocksTask}' in project '${projectId}'.`);
    if (canBlock(task.status)) return { body: { ...body, blocksTask } };
    const status = task.status === "review" ? "in review" : task.status;
    return { body: { ...body, blocksTask: null }, notBlocked: `${blocksTask} is ${status}, so it is not blocked.` };
  }
}

/** Where the main agent gets the answer. */
function channelName({ type, id }: ChannelAddress): string {
  return `${type}:${id}`;
}

function hasAsked(askers: readonly Asker[], asker: Asker): boolean {
  return asker.callId !== undefined && askers.some((one) => isSame(one, asker));
}

/** `TASK-001`, also where a path to its file was given. */
function taskIdOf(given: string | null | undefined): string | undefined {
  if (given === null || given === undefined || given.trim() === "") return undefined;
  const name =
    given
      .trim()
      .split("/")
      .at(-1)
      ?.replace(/\.(?:md|json)$/, "") ?? "";
  return name.toUpperCase().replace(/^(?:TASK-)?0*(\d+)$/, (_, digits: string) => `TASK-${digits.padStart(3, "0")}`);
}

function short(callId: string): string {
  return callId.slice(-300);
}
