import type { Config } from "../../contract/documents/config.ts";
import type { Escalation } from "../../contract/documents/escalation.ts";
import type { SubjectKind } from "../../contract/documents/escalation-status.ts";
import type { Clock } from "../../store/ids.ts";
import { expiresAt } from "./expiry-rules.ts";
import { listedIn, questionText, summaryText } from "./question-text.ts";
import { quietHours } from "./quiet-hours.ts";
import type { Notification, ReachState } from "./reach-state.ts";
import { notifying, type Waiting } from "./reminder-rules.ts";

/** After something changed: what is asked in the same moment becomes one message. */
const SETTLE_MS = 1_000;
/** A clock may be set, and a machine may sleep. */
const LONGEST_SLEEP_MS = 3_600_000;
const RETRY_MS = 30_000;

/** Kinds of derived entries that stop work until the person decides. */
const STOPS_WORK: readonly SubjectKind[] = ["budget", "folder", "suspended"];

export interface ReachParts {
  clock: Clock;
  state: ReachState;
  settings: () => Config["escalations"];
  /** Whether there is a channel on which the person is notified. */
  notifies: () => boolean;
  /** All that wait for the person, also those that are snoozed; or those of them that have a document. */
  pending: (which: "all" | "documents") => Promise<Escalation[]>;
  /** The same id again says it once. */
  tell: (message: { id: string; text: string; escalations: string[] }) => Promise<void>;
  /**
   * Notes that the person was notified of an entry; at the same time again, it does nothing. False: it is no longer open.
   * `told`: what receivers of notifications get; of several entries, the first one has all.
   */
  remind: (id: string, at: string, told: readonly Escalation[] | undefined) => Promise<boolean>;
  /** Its stated default takes effect. */
  expire: (id: string) => Promise<void>;
  /** Channels show which entries are open. */
  refresh: () => void;
  onTrouble: (what: string, error: unknown) => void;
}

/** Notifies the person of what waits for them, once, and again when it is due. Sleeps in between. */
export class Reach {
  readonly #parts: ReachParts;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStale = false;
  #isClosed = false;

  constructor(parts: ReachParts) {
    this.#parts = parts;
  }

  /** Something may have changed. Looks soon, once for all that changes until then. */
  hear(): void {
    if (this.#isClosed || this.#isStale) return;
    this.#isStale = true;
    this.#wake(SETTLE_MS);
  }

  /** Never rejects. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      this.#isStale = false;
      await this.#lookNow().catch((error) => {
        this.#parts.onTrouble("notifications of open questions failed; retrying", error);
        this.#wake(RETRY_MS);
      });
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { state, clock, notifies, refresh } = this.#parts;
    clearTimeout(this.#timer);
    if (state.sending !== undefined) await this.#send(state.sending);
    const which = notifies() ? "all" : "documents";
    const entries = await this.#parts.pending(which);
    const { isExpired, next: expiry } = await this.#expire(entries);
    const open = isExpired ? await this.#parts.pending(which) : entries;
    const now = clock();
    const { now: due, next } = notifying(open.map(waitingOf), this.#reminders(), { now, last: state.last });
    const isTold = due.length > 0 && notifies();
    if (isTold) await this.#send({ at: now.toISOString(), ids: due });
    refresh();
    // What was just told has its next time now.
    if (isTold) this.hear();
    else this.#sleep(notifies() ? [expiry, next?.getTime()] : [expiry]);
  }

  #reminders() {
    const { remindHours, quietHours: quiet } = this.#parts.settings();
    return { remindHours, quiet: quietHours(quiet) };
  }

  async #expire(entries: readonly Escalation[]): Promise<{ isExpired: boolean; next: number | undefined }> {
    const now = this.#parts.clock().getTime();
    const timed = entries.flatMap((entry) => {
      const at = expiresAt(entry, { notifies: this.#parts.notifies() });
      return at === undefined ? [] : [{ id: entry.id, at }];
    });
    const due = timed.filter(({ at }) => at <= now);
    for (const { id } of due) await this.#parts.expire(id);
    const later = timed.filter(({ at }) => at > now).map(({ at }) => at);
    return { isExpired: due.length > 0, next: later.length === 0 ? undefined : Math.min(...later) };
  }

  async #send(notification: Notification): Promise<void> {
    const { state, pending, tell, remind } = this.#parts;
    const { at, ids } = notification;
    await state.begin(notification);
    const open = new Map((await pending("all")).map((entry) => [entry.id, entry]));
    const entries = ids.flatMap((id) => open.get(id) ?? []);
    if (entries.length > 0) await tell({ id: `told-${at}`, ...messageOf(entries) });
    let isLed = false;
    for (const { id } of entries) isLed = (await remind(id, at, isLed ? undefined : entries)) || isLed;
    await state.finish(notification);
  }

  #sleep(times: readonly (number | undefined)[]): void {
    const known = times.filter((time) => time !== undefined);
    if (known.length === 0 || this.#isStale) return;
    const left = Math.min(...known) - this.#parts.clock().getTime();
    this.#wake(Math.min(LONGEST_SLEEP_MS, Math.max(0, left)));
  }

  #wake(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.look(), ms).unref();
  }
}

function messageOf(entries: readonly Escalation[]): { text: string; escalations: string[] } {
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) return { text: questionText(first), escalations: [first.id] };
  return { text: summaryText(entries), escalations: listedIn(entries).map(({ id }) => id) };
}

function waitingOf(entry: Escalation): Waiting {
  const { id, snoozedUntil, remindedAt, reminders, urgency, blocksTask, blocksInitiative, askers, subject } = entry;
  const isAwaited = blocksTask !== null || blocksInitiative || askers.some(({ waits }) => waits);
  const blocks = subject === undefined ? isAwaited : STOPS_WORK.includes(subject.kind);
  return { id, snoozedUntil, remindedAt, reminders, urgency, blocks };
}
