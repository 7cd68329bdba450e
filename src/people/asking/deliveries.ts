import { backoffMs } from "../../contract/backoff.ts";
import { ChannelAddress } from "../../contract/documents/channel.ts";
import { type Asker, ESCALATION_ID } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallVoice } from "../../projects/hall-voice.ts";
import type { FollowUps } from "../../runs/follow-ups.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Escalations, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { answerText } from "./answer-text.ts";
import type { EscalationChanges } from "./escalation-changes.ts";

interface Parts {
  core: Pick<Core, "nextId" | "locks" | "projects" | "shown">;
  escalations: Pick<Escalations, "get" | "list" | "undelivered">;
  changes: EscalationChanges;
  followUps: Pick<FollowUps, "bring" | "start" | "stateOf" | "unheard">;
  /** Tells agents with a session. False: the project does not listen. */
  voice: Pick<HallVoice, "tell" | "tellMain">;
  onTrouble: (what: string, error: unknown) => void;
}

const MOST_LOOKED_AT = 1_000;
const RETRY = { firstMs: 1_000, longestMs: 60_000 };
const change = { actor: BY_DAEMON };
/** Failures of the workspace, not of what was asked for. */
const PASSING: readonly string[] = ["storage_failed", "stopping", "internal"];

/**
 * Brings each answer to every agent that asked, exactly once. What can't be brought now is brought when its project is active and
 * its task is free, and after a restart.
 */
export class Deliveries {
  readonly #parts: Parts;
  readonly #atWork = new Set<Promise<void>>();
  #tries = 0;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Brings everything that can be brought. Never rejects, and does not wait. */
  look(): void {
    if (this.#isClosed) return;
    for (const { id } of this.#parts.escalations.undelivered()) this.deliver(id);
  }

  deliver(id: string): void {
    if (this.#isClosed) return;
    const work = this.#parts.core.locks
      .run(`deliver ${id}`, () => this.#deliver(id))
      .then(
        () => {
          this.#tries = 0;
        },
        (error) => this.#failed(id, error),
      );
    this.#atWork.add(work);
    void work.then(() => this.#atWork.delete(work));
  }

  /** A run that failed before its model was sent an answer is followed by one that has it. */
  async runEnded(runId: string): Promise<void> {
    const { escalations, followUps, changes } = this.#parts;
    for (const messageId of followUps.unheard(runId, (id) => ESCALATION_ID.test(escalationIn(id)))) {
      const escalation = await escalations.get(escalationIn(messageId));
      const asker = escalation.askers.find((one) => deliveryId(escalation.id, one) === messageId);
      if (asker !== undefined) await changes.step(escalation.id, { type: "unheard", asker }, change);
    }
  }

  /** After a restart: runs that were given an answer may have ended before anyone looked whether they had it. */
  async lookBack(): Promise<void> {
    const { escalations } = this.#parts.escalations.list({ status: "resolved", limit: MOST_LOOKED_AT });
    const runs = escalations.flatMap(({ askers }) =>
      askers.filter(({ kind, deliveredAt }) => kind === "run" && deliveredAt !== undefined),
    );
    for (const { id = "" } of runs) await this.runEnded(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await Promise.all(this.#atWork);
  }

  #failed(id: string, error: unknown): void {
    if (this.#isClosed) return;
    this.#parts.onTrouble(`the answer to ${id} could not be delivered yet`, error);
    clearTimeout(this.#again);
    this.#tries += 1;
    this.#again = setTimeout(
      () => this.look(),
      backoffMs(RETRY, this.#tries, () => 1),
    ).unref();
  }

  async #deliver(id: string): Promise<void> {
    const { core, escalations, changes } = this.#parts;
    // The log may tell of an answer before it can be read.
    await core.shown.caughtUp();
    const escalation = await escalations.get(id);
    if (escalation.status !== "resolved" || this.#isClosed) return;
    const open = escalation.askers.filter(({ deliveredAt }) => deliveredAt === undefined);
    const outcomes = await Promise.allSettled(
      open.map(async (asker) => {
        if (await this.#bring(escalation, asker)) await changes.step(id, { type: "deliver", asker }, change);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** True: the asker has it, or there is nobody left to bring it to. */
  async #bring(escalation: StoredEscalation, asker: Asker): Promise<boolean> {
    const { core, voice } = this.#parts;
    const message = { id: deliveryId(escalation.id, asker), text: answerText(escalation) };
    switch (asker.kind) {
      case "person":
      case "client":
        return true;
      case "main":
        await voice.tellMain(channelOf(asker), message.text, message.id);
        return true;
      case "project": {
        const status = core.projects.status(asker.id ?? "");
        return status === undefined || status === "archived" || voice.tell(asker.id ?? "", message.text, message.id);
      }
      case "run":
        return this.#bringToRun(escalation, asker, message);
    }
  }

  async #bringToRun(
    { id: escalationId, permission }: StoredEscalation,
    asker: Asker,
    message: { id: string; text: string },
  ): Promise<boolean> {
    const { core, followUps, changes } = this.#parts;
    const { id: runId = "", callId, waits } = asker;
    const answer = { ...message, ...(waits ? { callId } : {}) };
    const isBrought = asker.followUpRunId === undefined && (await followUps.bring(runId, answer, change)) === "brought";
    // Consent was for a call of that run: no other run may make use of it.
    if (isBrought || permission !== undefined) return true;
    const state = followUps.stateOf(runId, asker.followUpRunId);
    if (state !== "ready") return state === "gone";
    const followUpRunId = asker.followUpRunId ?? `run-${core.nextId()}`;
    // Known before it starts, so that it starts once.
    await changes.step(escalationId, { type: "follow-up", asker, runId: followUpRunId }, change);
    try {
      return await followUps.start(
        runId,
        { ...message, followUpRunId, isAgain: asker.followUpRunId !== undefined },
        change,
      );
    } catch (error) {
      if (!(error instanceof HallError) || PASSING.includes(error.code)) throw error;
      return this.#tellProject(asker, message, error);
    }
  }

  /** No run can take it, as when its role is gone: the project's agent decides what follows. */
  #tellProject(asker: Asker, { id, text }: { id: string; text: string }, error: HallError): Promise<boolean> {
    const reason = `No run could be started with this answer: ${error.message}`;
    return this.#parts.voice.tell(asker.projectId ?? "", `${text}\n\n${reason}`, id);
  }
}

/** The channel in which the main agent asked. */
function channelOf({ id = "" }: Asker): ChannelAddress {
  const colon = id.indexOf(":");
  return ChannelAddress.parse({ type: id.slice(0, colon), id: id.slice(colon + 1) });
}

/** The escalation of such an id. */
function escalationIn(id: string): string {
  return id.split("/")[0] ?? "";
}

/** Of an answer for one asker: brought again under it, it is brought once. */
function deliveryId(escalationId: string, { kind, id = "", callId = "" }: Asker): string {
  return `${escalationId}/${kind}/${id}/${callId}`.slice(0, 200);
}
