import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { SkipReason } from "../../contract/words/autonomy/trigger-words.ts";
import { errorText } from "../../contract/words/error-text.ts";
import type { Write } from "../../store/changes/change.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import { DueTimes } from "./due-times.ts";
import { FIRING, type TriggerEffects } from "./effects.ts";
import type { TriggerHistory } from "./history.ts";
import type { FiringEnd } from "./outcome.ts";
import { type Planned, plan, unfired } from "./planner.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";
import type { TriggerDocument, TriggerFiles } from "./trigger-files.ts";
import type { Fired, Given, HeldFiring, Hold, TriggerLine, TriggerState } from "./trigger-state.ts";

/** Triggers that are looked at at the same time: what they start takes the disk and the processor. */
const AT_ONCE = 8;
/** Firings of one trigger that wait for their turn. */
const MOST_WAITING = 100;
/** After an effect that failed for a reason that passes, such as a full disk. */
const RETRY_MS = 5_000;

interface Parts {
  core: Core;
  files: TriggerFiles;
  history: TriggerHistory;
  effects: TriggerEffects;
  onTrouble: (what: string, error: unknown) => void;
}

/** What makes a trigger fire that is no slot. */
export interface Impulse {
  cause: string;
  /** The same key again fires nothing. */
  keys?: string[];
  given?: Given;
  /** By the person. */
  asked?: true;
}

/** The state of a place that a trigger has seen, durable with what it did about it. */
export interface Seen {
  mark: string;
  also?: readonly Write[];
}

export type Accepted = { is: "accepted"; firing: HeldFiring } | { is: "known" } | { is: "skipped"; reason: SkipReason };

/**
 * Fires triggers: claims what is due, starts it, and notes its end. A claim is durable before its effect, and the effect has the id of the
 * claim, so after a crash at any moment the same firing continues.
 */
export class TriggerKeeper {
  readonly #parts: Parts;
  readonly #due: DueTimes;
  readonly #schedules = new Map<string, { source: string; since: number; schedule: Schedule | undefined }>();
  /** What firings under way started, and whose they are. */
  readonly #underWay = new Map<string, string>();
  /** Effects that were attempted in this life of the daemon. */
  readonly #attempted = new Set<string>();
  readonly #wanted = new Set<string>();
  readonly #working = new Set<Promise<void>>();
  #isStarted = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#due = new DueTimes({ clock: parts.core.clock, onDue: (names) => names.map((name) => this.look(name)) });
  }

  start(): void {
    this.#isStarted = true;
    this.lookAll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#due.close();
    this.#wanted.clear();
    await Promise.all(this.#working);
  }

  nextAt(name: string): number | undefined {
    return this.#due.of(name);
  }

  /** Something happened; the time of a trigger may have come. */
  heed(): void {
    this.#due.heed();
  }

  lookAll(): void {
    for (const { name } of this.#parts.files.all()) this.look(name);
  }

  /** What a firing started may have ended, or an agent answered its message. */
  ended(startedId: string): void {
    const name = this.#underWay.get(startedId);
    if (name !== undefined) this.look(name);
  }

  /** Has a trigger looked at soon. */
  look(name: string): void {
    if (this.#isClosed || !this.#isStarted) return;
    this.#wanted.add(name);
    this.#work();
  }

  /** Claims something that happened. Durable when it resolves; rejects with HallError when the disk refuses it. */
  async accept(name: string, impulse: Impulse, seen?: Seen): Promise<Accepted> {
    const accepted = await this.#alone(name, async (): Promise<Accepted> => {
      const { core, history } = this.#parts;
      const trigger = this.#known(name);
      const state = history.of(name);
      const { keys = [], asked } = impulse;
      const at = core.clock().toISOString();
      const marked = markLines(at, seen);
      const also = seen?.also ?? [];
      if (keys.some((key) => state.keys.has(key))) {
        await history.tryAppend(name, marked, { also });
        return { is: "known" };
      }
      const reason: SkipReason | undefined = asked
        ? undefined
        : (this.#holdOf(trigger) ?? (state.open.length > MOST_WAITING ? "queue-full" : undefined));
      if (reason !== undefined) {
        const skip: TriggerLine = { type: "skipped", at, reason, count: 1, cause: impulse.cause };
        await history.tryAppend(name, [skip, ...marked], { also });
        return { is: "skipped", reason };
      }
      const line: Fired = { type: "fired", at, id: `${FIRING}${core.nextId()}`, ...impulse };
      await history.tryAppend(name, [line, ...marked], { also });
      return { is: "accepted", firing: state.firings.at(-1) as HeldFiring };
    });
    this.look(name);
    return accepted;
  }

  /** Notes that something did not fire. */
  async skip(name: string, { reason, cause }: { reason: SkipReason; cause: string }, seen?: Seen): Promise<void> {
    const at = this.#parts.core.clock().toISOString();
    const lines: TriggerLine[] = [{ type: "skipped", at, reason, count: 1, cause }, ...markLines(at, seen)];
    await this.#alone(name, () => this.#parts.history.tryAppend(name, lines, { also: seen?.also ?? [] }));
  }

  /** Remembers the newest state that a trigger has seen. */
  async seen(name: string, seen: Seen): Promise<void> {
    const lines = markLines(this.#parts.core.clock().toISOString(), seen);
    await this.#alone(name, () => this.#parts.history.tryAppend(name, lines, { also: seen.also ?? [] }));
  }

  #alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`trigger ${name}`, work);
  }

  #known(name: string): TriggerDocument {
    const trigger = this.#parts.files.find(name);
    if (trigger === undefined) throw new HallError("trigger_not_found", `There is no trigger '${name}'.`);
    return trigger;
  }

  #work(): void {
    for (const name of this.#wanted) {
      if (this.#working.size >= AT_ONCE || this.#isClosed) return;
      this.#wanted.delete(name);
      const work: Promise<void> = this.#alone(name, () => this.#attend(name))
        .catch((error) => {
          if (this.#isClosed) return;
          this.#parts.onTrouble(`the trigger '${name}' could not be looked at; retrying`, error);
          this.#due.set(name, this.#parts.core.clock().getTime() + RETRY_MS);
        })
        .finally(() => {
          this.#working.delete(work);
          this.#work();
        });
      this.#working.add(work);
    }
  }

  /** Until nothing more is to be done for now. */
  async #attend(name: string): Promise<void> {
    const { files, history } = this.#parts;
    const trigger = files.find(name);
    this.#due.set(name, undefined);
    if (trigger === undefined || history.problemOf(name) !== undefined) return;
    const state = history.of(name);
    while (!this.#isClosed) {
      const [flight] = state.open;
      if (flight !== undefined) {
        if (!(await this.#carryOn(trigger, flight))) return;
        continue;
      }
      if (await this.#held(trigger, state)) return;
      const planned = await this.#planned(trigger, state);
      if (planned === "again") continue;
      return this.#due.set(name, planned.nextAt);
    }
  }

  /** Appends what the schedule says. */
  async #planned(trigger: TriggerDocument, state: TriggerState): Promise<Planned | "again"> {
    const { core, history } = this.#parts;
    const { name, source, late } = trigger;
    const now = core.clock().getTime();
    const at = new Date(now).toISOString();
    if (state.source !== source) {
      await history.append(name, [{ type: "began", at, source }]);
      return "again";
    }
    const schedule = this.#scheduleOf(trigger, state);
    if (schedule === undefined) return { skips: [] };
    const planned = plan(schedule, { late, state, now });
    const lines: TriggerLine[] = planned.skips.map(({ through, ...skip }) => ({
      ...{ type: "skipped" as const, at, ...skip },
      through: new Date(through).toISOString(),
    }));
    if (planned.rewind) lines.push({ type: "rewound", at });
    if (planned.fire !== undefined) {
      const slot = new Date(planned.fire).toISOString();
      lines.push({ type: "fired", at, id: `${FIRING}${core.nextId()}`, cause: "schedule", slot });
    }
    await history.append(name, lines);
    return planned.fire !== undefined || planned.rewind ? "again" : planned;
  }

  #scheduleOf({ name, source, on }: TriggerDocument, { since = 0 }: TriggerState): Schedule | undefined {
    const known = this.#schedules.get(name);
    if (known?.source === source && known.since === since) return known.schedule;
    const schedule = scheduleOf(on, since);
    this.#schedules.set(name, { source, since, schedule });
    return schedule;
  }

  /** Whether it can't fire for now. Slots of that time are accounted for when it can again. */
  async #held(trigger: TriggerDocument, state: TriggerState): Promise<boolean> {
    const { core, history } = this.#parts;
    const reason = this.#holdOf(trigger);
    const { held, through, source } = state;
    if (held?.reason === reason) return reason !== undefined;
    const now = core.clock().getTime();
    const at = new Date(now).toISOString();
    const lines: TriggerLine[] = [];
    const schedule = source === trigger.source ? this.#scheduleOf(trigger, state) : undefined;
    // Also those that came before it was held and were not dealt with: they don't fire any more.
    const of = held?.reason ?? reason;
    if (of !== undefined) {
      const span = { after: Number.isFinite(through) ? through : (held?.since ?? now), to: now };
      const missed = schedule === undefined ? [] : unfired(schedule, state.fired, span);
      for (const { through: upTo, ...slots } of missed)
        lines.push({ type: "skipped", at, reason: of, ...slots, through: new Date(upTo).toISOString() });
      if (schedule !== undefined && missed.length === 0)
        lines.push({ type: "known", at, keys: [], through: new Date(Math.max(through, now)).toISOString() });
    }
    if (held !== undefined) lines.push({ type: "released", at });
    if (reason !== undefined) lines.push({ type: "held", at, reason });
    await history.append(trigger.name, lines);
    return reason !== undefined;
  }

  #holdOf({ problem, enabled, projectId }: TriggerDocument): Hold | undefined {
    if (problem !== undefined) return "broken";
    if (!enabled) return "paused";
    const isInactive = projectId !== undefined && this.#parts.core.projects.status(projectId) !== "active";
    return isInactive ? "project-inactive" : undefined;
  }

  /** True: it is over. False: it goes on, and its end is told. */
  async #carryOn(trigger: TriggerDocument, firing: HeldFiring): Promise<boolean> {
    const { effects } = this.#parts;
    if (firing.started === undefined) {
      const hold = this.#holdOf(trigger);
      // The person may have paused it since it was claimed, and it may have started all the same.
      if (hold !== undefined && !(firing.asked && hold === "paused") && !this.#mayHaveStarted(firing))
        return this.#end(trigger, firing, { skipped: hold });
      if (!(await this.#start(trigger, firing))) return true;
    }
    const { started } = firing;
    if (started === undefined) return true;
    this.#underWay.set(started.id, trigger.name);
    const end = effects.endOf(started);
    if (end === undefined) return false;
    this.#underWay.delete(started.id);
    return this.#end(trigger, firing, end);
  }

  #mayHaveStarted({ id }: HeldFiring): boolean {
    return this.#attempted.has(id) || this.#parts.core.runs.get(`run-${id.slice(FIRING.length)}`) !== undefined;
  }

  /** False: it ended, because it can't be started. Rejects with what passes. */
  async #start(trigger: TriggerDocument, firing: HeldFiring): Promise<boolean> {
    const { core, history, effects } = this.#parts;
    const isAgain = true;
    this.#attempted.add(firing.id);
    try {
      const started = await effects.start(trigger, firing, { isAgain });
      this.#attempted.delete(firing.id);
      await history.append(trigger.name, [{ type: "started", at: core.clock().toISOString(), id: firing.id, started }]);
      return true;
    } catch (error) {
      if (!(error instanceof HallError) || isPassing(error)) throw error;
      this.#attempted.delete(firing.id);
      // Its project was suspended, or the person paused it, between the look and the start.
      const hold = this.#holdOf(this.#parts.files.find(trigger.name) ?? trigger);
      const isHeld = hold !== undefined && !(firing.asked && hold === "paused");
      const said = { outcome: "needs-person" as const, text: errorText(error).slice(0, 1_000) };
      await this.#end(trigger, firing, isHeld ? { skipped: hold } : said);
      return false;
    }
  }

  async #end(trigger: TriggerDocument, firing: HeldFiring, end: FiringEnd | { skipped: Hold }): Promise<true> {
    const { core, history } = this.#parts;
    const { name, projectId } = trigger;
    const at = core.clock().toISOString();
    const shown = Object.fromEntries(Object.entries(end).filter(([, value]) => value !== undefined));
    const line: TriggerLine = { type: "ended", at, id: firing.id, ...shown };
    const isTold = "outcome" in end && end.outcome !== "quiet";
    const event: EventDraft = {
      type: "trigger.ended",
      actor: BY_DAEMON,
      subject: { kind: "trigger", id: name },
      after: { firingId: firing.id, ...shown, ...(firing.started === undefined ? {} : { started: firing.started }) },
      ...(projectId === undefined || core.projects.status(projectId) === undefined ? {} : { projectId }),
    };
    await history.append(name, [line], isTold ? { events: [event] } : {});
    return true;
  }
}

function markLines(at: string, seen: Seen | undefined): TriggerLine[] {
  return seen === undefined ? [] : [{ type: "seen", at, mark: seen.mark }];
}

/** A full disk, or an index that is being rebuilt: the same firing is attempted again. */
function isPassing(error: HallError): boolean {
  return error.retryable || error.code === "storage_failed" || error.code === "stopping";
}
