import { durationMs, type Skipped, type TriggerLate } from "../../contract/documents/autonomy/trigger.ts";
import type { SkipReason } from "../../contract/words/autonomy/trigger-words.ts";
import { countSlots, newestSlots, type Schedule } from "./schedule.ts";
import { endOf, type Span, without } from "./spans.ts";
import type { TriggerState } from "./trigger-state.ts";

/** A slot this old is on time: a timer may be late, and a daemon restart. */
const ON_TIME_MS = 60_000;
/** Missed slots that are caught up. */
const MOST_CAUGHT_UP = 5;
/** Skipped slots of a cron that are counted one by one. */
const MOST_COUNTED = 1_000;
/** A clock that is behind by more than this was wrong before, and slots it has passed are due again, unless they fired. */
const CLOCK_STEP_MS = 2 * 3_600_000;

type PlanState = Pick<TriggerState, "through" | "fired" | "open" | "lastFlight">;

export interface Planned {
  /** The slot to claim now. */
  fire?: number | undefined;
  /** Slots that never fire. `through` of a skip: every slot up to there is dealt with. */
  skips: (Pick<Skipped, "reason" | "from" | "to" | "count" | "more"> & { through: number })[];
  /** The clock was far ahead before. */
  rewind?: true;
  /** When to look again; undefined: when something happens. */
  nextAt?: number | undefined;
}

/**
 * What is due of a schedule, at one moment. Slots are dealt with in their order: after a skip or a firing, `through` of the state has passed
 * them, so none is due twice, whatever the clock says.
 */
export function plan(
  schedule: Schedule,
  { late, state, now }: { late: TriggerLate; state: PlanState; now: number },
): Planned {
  if (state.open.length > 0) return { skips: [] };
  const { through } = state;
  if (through - now > CLOCK_STEP_MS) return { skips: [], rewind: true };
  const skips: Planned["skips"] = [];
  const skip = (reason: SkipReason, span: Span) =>
    skips.push(...unfired(schedule, state.fired, span).map((slots) => ({ reason, ...slots })));
  const due = newestOf(schedule, without(state.fired, { after: through, to: now }));
  if (due.length === 0) return { skips, nextAt: nextOf(schedule, state.fired, Math.max(through, now)) };
  const chosen = choose(due, { late, state, now });
  let done = through;
  for (const { upTo, reason } of chosen.skips) {
    skip(reason, { after: done, to: upTo });
    done = Math.max(done, upTo);
  }
  if (chosen.fire !== undefined) return { fire: chosen.fire, skips };
  return { skips, nextAt: nextOf(schedule, state.fired, Math.max(now, done)) };
}

/** Slots in a span, without those that fired: after a clock was set back, these come again. */
export function unfired(schedule: Schedule, fired: readonly Span[], span: Span) {
  return without(fired, span).flatMap(({ after, to }) => {
    const count = countSlots(schedule, { from: after, to, most: MOST_COUNTED });
    const first = count === 0 ? undefined : schedule.next(after);
    if (first === undefined) return [];
    const isMore = schedule.count === undefined && count === MOST_COUNTED;
    const range = { from: new Date(first).toISOString(), to: new Date(to).toISOString(), count, through: to };
    return [isMore ? { ...range, more: true as const } : range];
  });
}

/** The newest slots in some spans, oldest first. */
function newestOf(schedule: Schedule, spans: readonly Span[]): number[] {
  const found: number[] = [];
  for (const { after, to } of spans.toReversed()) {
    const most = MOST_CAUGHT_UP + 1 - found.length;
    if (most > 0) found.unshift(...newestSlots(schedule, { from: after, to, most }));
  }
  return found;
}

/** The first slot after a moment that did not fire. */
function nextOf(schedule: Schedule, fired: readonly Span[], after: number): number | undefined {
  const next = schedule.next(after);
  const end = next === undefined ? undefined : endOf(fired, next);
  return end === undefined ? next : nextOf(schedule, fired, end);
}

/** Of slots that are due, the newest ones and oldest first: which fires, and up to where the ones before it are skipped. */
function choose(due: readonly number[], { late, state, now }: { late: TriggerLate; state: PlanState; now: number }) {
  const newest = due.at(-1) as number;
  const earliest = now - durationMs(late.within);
  // Those that came while a firing was under way are not caught up.
  const flight = state.lastFlight;
  const isOverlapped = (slot: number) => flight !== undefined && slot > flight.from && slot <= flight.to;
  const isOnTime = now - newest <= ON_TIME_MS && !isOverlapped(newest);
  const missed = due.filter((slot) => slot !== newest || !isOnTime);
  const caught = caughtUp(missed, { policy: late.policy, earliest, isOverlapped, isOnTime });
  const fire = caught[0] ?? (isOnTime ? newest : undefined);
  const last = fire === undefined ? newest : lastBefore(due, fire);
  return {
    fire,
    skips: last === undefined ? [] : skippedUpTo(last, { policy: late.policy, earliest, flight, missed }),
  };
}

function caughtUp(
  missed: readonly number[],
  {
    policy,
    earliest,
    isOverlapped,
    isOnTime,
  }: { policy: TriggerLate["policy"]; earliest: number; isOverlapped: (slot: number) => boolean; isOnTime: boolean },
): number[] {
  const fit = missed.filter((slot) => slot >= earliest && !isOverlapped(slot));
  if (policy === "skip") return [];
  // One firing stands for all: that of the slot which is due now, if there is one.
  if (policy === "once") return isOnTime ? [] : fit.slice(-1);
  return fit.slice(-MOST_CAUGHT_UP);
}

/** The newest slot before one; where it is the first of those that are known, the moment before it. */
function lastBefore(due: readonly number[], slot: number): number {
  return due[due.indexOf(slot) - 1] ?? slot - 1;
}

/** By reason: what was too late comes before what was only missed, and that before what came during a firing. */
function skippedUpTo(
  last: number,
  {
    policy,
    earliest,
    flight,
    missed,
  }: { policy: TriggerLate["policy"]; earliest: number; flight: PlanState["lastFlight"]; missed: readonly number[] },
): { upTo: number; reason: SkipReason }[] {
  const parts: { upTo: number; reason: SkipReason }[] = [];
  if (policy !== "skip") parts.push({ upTo: Math.min(last, earliest - 1), reason: "too-late" });
  const usual: SkipReason = policy === "all" ? "too-many" : "missed";
  if (flight !== undefined && missed.some((slot) => slot > flight.from)) {
    parts.push({ upTo: Math.min(last, flight.from), reason: usual });
    parts.push({ upTo: Math.min(last, flight.to), reason: "in-flight" });
  }
  parts.push({ upTo: last, reason: usual });
  return parts;
}
