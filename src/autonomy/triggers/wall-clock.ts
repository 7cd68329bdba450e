/** A time in which the wall clock of a zone runs without a change. Milliseconds. */
export interface Stretch {
  start: number;
  /** The first moment that is no part of it. */
  until: number;
  /** Between the wall clock and UTC. */
  offset: number;
  /** The same of the stretch before this one. */
  before: number;
}

/** Clocks that change and change back within this time are not noticed. */
const STEP_MS = 7 * 86_400_000;
/** Beyond, zones have no rules worth asking for. */
const LAST_YEAR = 2_200;

const zones = new Map<string, { offset: (at: number) => number; years: Map<number, Stretch[]> }>();

/** The stretch that a moment is in, cut to its year. Undefined of a zone: that of the machine. */
export function stretchAt(timezone: string | undefined, at: number): Stretch {
  const { offset, years } = zoneOf(timezone);
  const year = new Date(at).getUTCFullYear();
  if (year >= LAST_YEAR) {
    const start = Date.UTC(LAST_YEAR, 0);
    return { start, until: Number.POSITIVE_INFINITY, offset: offset(start), before: offset(start) };
  }
  const stretches = years.get(year) ?? stretchesOf(year, offset);
  years.set(year, stretches);
  return stretches.findLast(({ start }) => start <= at) as Stretch;
}

function stretchesOf(year: number, offset: (at: number) => number): Stretch[] {
  // The clock may have changed in the last hours of the year before.
  const [from, end] = [Date.UTC(year, 0) - STEP_MS, Date.UTC(year + 1, 0)];
  const starts = [{ start: from, offset: offset(from) }, ...changesBetween(from, end, offset)];
  return starts.map((one, index) => ({
    ...one,
    until: starts[index + 1]?.start ?? end,
    before: starts[index - 1]?.offset ?? one.offset,
  }));
}

function changesBetween(from: number, to: number, offset: (at: number) => number): { start: number; offset: number }[] {
  const changes: { start: number; offset: number }[] = [];
  let last = offset(from);
  for (let at = from; at < to; at += STEP_MS) {
    const reached = Math.min(to, at + STEP_MS) - 1;
    const next = offset(reached);
    if (next === last) continue;
    let [low, high] = [at - 1, reached];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === last) low = middle;
      else high = middle;
    }
    changes.push({ start: high, offset: next });
    last = next;
  }
  return changes;
}

function zoneOf(timezone: string | undefined) {
  const key = timezone ?? "";
  const known = zones.get(key) ?? { offset: offsetsIn(timezone), years: new Map<number, Stretch[]>() };
  zones.set(key, known);
  return known;
}

function offsetsIn(timezone: string | undefined): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...(timezone === undefined ? {} : { timeZone: timezone }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (at) => {
    const second = Math.floor(at / 1_000) * 1_000;
    const parts = Object.fromEntries(format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  };
}
