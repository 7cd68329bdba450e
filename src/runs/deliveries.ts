import { setTimeout as delay } from "node:timers/promises";
import type { EventDraft, HallEvent } from "../contract/event.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import { type DeliveryState, type GivenUp, readDeliveryState, writeDeliveryState } from "./delivery-state.ts";
import type { Attempt, Notification, Webhook } from "./webhook.ts";

const PAGE = 500;

export interface Pace {
  /** Between the first two attempts; each further pause is twice as long, up to the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** A notification older than this is given up when it fails once more. */
  giveUpMs: number;
  atOnce: number;
  /** Notifications held in memory; all others wait in the event log. */
  window: number;
  saveMs: number;
}

const PACE: Pace = {
  firstPauseMs: 1_000,
  longestPauseMs: 300_000,
  giveUpMs: 86_400_000,
  atOnce: 4,
  window: 64,
  saveMs: 1_000,
};

interface Parts {
  core: Pick<Core, "events" | "files" | "clock">;
  webhook: Pick<Webhook, "post" | "origin">;
  random: () => number;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<Pace>;
}

interface Delivery {
  event: HallEvent;
  notification: Notification;
  attempts: number;
}

/**
 * Brings to the webhook what the event log says the person is to be told, each at least once, whatever happens to the
 * daemon or the receiver. The log itself is the queue: what it tells of and has no outcome of is delivered.
 */
export class Deliveries {
  readonly #parts: Parts;
  readonly #pace: Pace;
  /** Taken from the log and not done, by the number of their event. */
  readonly #taken = new Map<number, Delivery>();
  readonly #ready: Delivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** Of events after the saved place: those that an earlier life was done with. */
  readonly #done: Set<number>;
  #through: number;
  #isBehind = true;
  #givenUp: GivenUp | undefined;
  #saving: Promise<void> | undefined;
  /** One write after the other, the last of which has the last word; closing waits for all of them. */
  #written: Promise<void> = Promise.resolve();
  readonly #unsubscribe: () => void;

  private constructor(parts: Parts, state: DeliveryState, done: Set<number>) {
    this.#parts = parts;
    this.#pace = { ...PACE, ...parts.pace };
    this.#through = state.after;
    this.#givenUp = state.givenUp;
    this.#done = done;
    this.#unsubscribe = parts.core.events.subscribe((event) => this.#hear(event));
    this.#refill();
  }

  static async open(parts: Parts): Promise<Deliveries> {
    const { events, files } = parts.core;
    const known = readDeliveryState(files);
    const state = known ?? { after: events.head() };
    if (known === undefined) await writeDeliveryState(files, state);
    const outcomes = events.read({ after: state.after, limit: Number.MAX_SAFE_INTEGER, type: "notification" });
    return new Deliveries(parts, state, new Set(outcomes.map(({ after }) => Number(after?.notification))));
  }

  /** What was given up since the receiver last took anything. */
  get givenUp(): GivenUp | undefined {
    return this.#givenUp;
  }

  /** What is under way is broken off; it is delivered in another life. */
  async close(): Promise<void> {
    this.#unsubscribe();
    this.#closing.abort();
    await Promise.all(this.#underWay);
    await this.#saving;
    await this.#save();
  }

  #hear(event: HallEvent): void {
    if (this.#isBehind) return;
    if (this.#taken.size >= this.#pace.window && notificationOf(event) !== undefined) this.#isBehind = true;
    else this.#take(event);
  }

  /** Takes as many from the log as there is room for. */
  #refill(): void {
    while (this.#isBehind && this.#taken.size < this.#pace.window) {
      const page = this.#parts.core.events.read({ after: this.#through, limit: PAGE });
      if (page.length === 0) this.#isBehind = false;
      for (const event of page) if (this.#taken.size < this.#pace.window) this.#take(event);
    }
  }

  #take(event: HallEvent): void {
    this.#through = event.seq;
    const notification = notificationOf(event);
    if (notification === undefined || this.#done.delete(event.seq)) return;
    const delivery = { event, notification, attempts: 0 };
    this.#taken.set(event.seq, delivery);
    this.#ready.push(delivery);
    this.#next();
  }

  #next(): void {
    while (this.#underWay.size < this.#pace.atOnce && !this.#closing.signal.aborted) {
      const delivery = this.#ready.shift();
      if (delivery === undefined) return;
      const work: Promise<void> = this.#attempt(delivery).finally(() => {
        this.#underWay.delete(work);
        this.#refill();
        this.#next();
      });
      this.#underWay.add(work);
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { event, notification } = delivery;
    delivery.attempts++;
    const attempt = await this.#parts.webhook.post(event.id, notification, this.#closing.signal);
    if (attempt.kind === "delivered") return this.#finish(delivery, attempt);
    if (this.#closing.signal.aborted) return;
    const age = this.#parts.core.clock().getTime() - Date.parse(event.at);
    if (attempt.kind === "refused" || age > this.#pace.giveUpMs) return this.#finish(delivery, attempt);
    void this.#again(delivery, attempt.pauseMs);
  }

  async #again(delivery: Delivery, asked = 0): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#pace;
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (delivery.attempts - 1));
    const pause = Math.max(asked, longest * (0.5 + this.#parts.random() / 2));
    try {
      await delay(pause, undefined, { signal: this.#closing.signal, ref: false });
    } catch {
      return;
    }
    this.#ready.push(delivery);
    this.#next();
  }

  /** An outcome that the log cannot take is forgotten with this life; the receiver then hears of it once more. */
  async #finish(delivery: Delivery, attempt: Attempt): Promise<void> {
    const { core, webhook, onTrouble } = this.#parts;
    if (attempt.kind === "delivered") this.#givenUp = undefined;
    else this.#giveUp(attempt.reason);
    try {
      await core.events.append(outcomeOf(delivery, attempt, webhook.origin));
    } catch (error) {
      onTrouble("the outcome of a notification could not be recorded", error);
    }
    this.#taken.delete(delivery.event.seq);
    this.#saving ??= this.#saveSoon();
  }

  #giveUp(reason: string): void {
    const at = this.#parts.core.clock().toISOString();
    this.#givenUp = { count: (this.#givenUp?.count ?? 0) + 1, reason, at };
  }

  async #saveSoon(): Promise<void> {
    await delay(this.#pace.saveMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
    this.#saving = undefined;
    if (!this.#closing.signal.aborted) await this.#save();
  }

  #save(): Promise<void> {
    this.#written = this.#written.then(() => this.#write());
    return this.#written;
  }

  /** Lost without harm: the log then tells again what was done already. */
  async #write(): Promise<void> {
    const after = Math.min(this.#through, ...[...this.#taken.keys()].map((seq) => seq - 1));
    const state = { after, ...(this.#givenUp === undefined ? {} : { givenUp: this.#givenUp }) };
    await writeDeliveryState(this.#parts.core.files, state).catch((error) =>
      this.#parts.onTrouble("the place of the notifications in the log could not be saved", error),
    );
  }
}

function notificationOf({ type, subject, projectId = "", after = {}, at }: HallEvent): Notification | undefined {
  const about = { run: subject.id, task: String(after.taskId ?? ""), project: projectId, at };
  if (type === "run.notified")
    return { event: type, ...about, summary: String(after.text ?? ""), saidBy: "agent", status: "running" };
  if (type === "budget.warned" || type === "provider.paused") {
    const run = subject.kind === "run" ? subject.id : "";
    return { event: type, ...about, run, summary: String(after.text ?? ""), saidBy: "hall", status: "warning" };
  }
  if (type !== "run.ended" || after.notify !== true) return undefined;
  const saidBy = after.summary ? "agent" : "hall";
  const summary = String(after.summary || after.error || "");
  const cause = typeof after.cause === "string" ? { cause: after.cause } : {};
  return { event: type, ...about, summary, saidBy, status: String(after.status), ...cause };
}

function outcomeOf({ event, attempts }: Delivery, attempt: Attempt, to: string): EventDraft {
  const { projectId, subject, seq } = event;
  const about = { actor: BY_DAEMON, projectId, subject };
  return attempt.kind === "delivered"
    ? { type: "notification.delivered", ...about, after: { notification: seq, to, attempts, status: attempt.status } }
    : { type: "notification.failed", ...about, after: { notification: seq, to, attempts, reason: attempt.reason } };
}
