import { z } from "zod";
import { Skipped, Started } from "../../contract/documents/autonomy/trigger.ts";
import { FIRING_OUTCOMES } from "../../contract/words/autonomy/trigger-words.ts";
import { Timestamp } from "../../contract/words/text.ts";
import { type Span, withSpan } from "./spans.ts";

const at = Timestamp;
/** Why a trigger can't fire for now. */
const HOLDS = ["broken", "paused", "project-inactive"] as const;
export type Hold = (typeof HOLDS)[number];

/** What a trigger was given to say beside its own words. */
const Given = z.strictObject({
  /** Facts of the hall, for the prompt. */
  facts: z.string().max(20_000).optional(),
  /** Words from outside, cut to a length that a prompt can bear. */
  outside: z.string().max(100_000).optional(),
});
export type Given = z.infer<typeof Given>;

/** A line of the history of a trigger. */
export const TriggerLine = z.discriminatedUnion("type", [
  /** Its schedule begins: it is new, or what it waits for changed. `source`: what it waits for, as a hash. */
  z.strictObject({ type: z.literal("began"), at, source: z.string() }),
  /** Claimed. The effect has this id, however often it is attempted. */
  z.strictObject({
    type: z.literal("fired"),
    at,
    id: z.string(),
    cause: z.string(),
    slot: at.optional(),
    /** What must not fire again: a delivery, an event, a commit. */
    keys: z.array(z.string().max(300)).max(4).optional(),
    given: Given.optional(),
    /** By the person, who wants it also while the trigger is paused. */
    asked: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal("started"), at, id: z.string(), started: Started }),
  z.strictObject({
    type: z.literal("ended"),
    at,
    id: z.string(),
    outcome: z.enum(FIRING_OUTCOMES).optional(),
    /** Instead of an outcome: it was not carried out. */
    skipped: Skipped.shape.reason.optional(),
    text: z.string().max(2_000).optional(),
  }),
  z.strictObject({ type: z.literal("skipped"), ...Skipped.shape, through: at.optional() }),
  /** It can't fire for now: the person paused it, or its project is not active. */
  z.strictObject({ type: z.literal("held"), at, reason: z.enum(HOLDS) }),
  z.strictObject({ type: z.literal("released"), at }),
  /** The clock was far ahead before: slots that it passed and that did not fire are due again. */
  z.strictObject({ type: z.literal("rewound"), at }),
  /** Of a file that was rewritten: what must not fire again, and up to where slots were dealt with. */
  z.strictObject({
    type: z.literal("known"),
    at,
    keys: z.array(z.string()),
    through: at.optional(),
    fired: z.array(z.tuple([z.int(), z.int()])).optional(),
  }),
  /** The newest commit, or the state of the files, that it has seen. */
  z.strictObject({ type: z.literal("seen"), at, mark: z.string() }),
]);
export type TriggerLine = z.infer<typeof TriggerLine>;
export type Fired = Extract<TriggerLine, { type: "fired" }>;

/** A firing as the history has it. */
export interface HeldFiring extends Fired {
  started?: Started | undefined;
  endedAt?: string | undefined;
  outcome?: (typeof FIRING_OUTCOMES)[number] | undefined;
  skipped?: Skipped["reason"] | undefined;
  text?: string | undefined;
}

export interface TriggerState {
  /** When its schedule began; undefined: never. */
  since?: number | undefined;
  source?: string | undefined;
  /** Up to here every slot was dealt with. */
  through: number;
  /** Times in which every slot fired, in order. */
  fired: Span[];
  /** What must not fire again. */
  keys: Set<string>;
  /** Claimed and not over, the oldest first: the first is in flight, the others wait. */
  open: HeldFiring[];
  /** From the claim to the end of the last firing, and of those that it followed at once. */
  lastFlight?: { from: number; to: number } | undefined;
  held?: { reason: Hold; since: number } | undefined;
  mark?: string | undefined;
  firings: HeldFiring[];
  skips: Skipped[];
}

/** What is kept of each in memory, and in the file when it is rewritten. */
const KEPT = { firings: 500, skips: 500, keys: 20_000, spans: 200 } as const;

const AT_ONCE_MS = 5_000;

export function emptyState(): TriggerState {
  return { through: Number.NEGATIVE_INFINITY, fired: [], keys: new Set(), open: [], firings: [], skips: [] };
}

/** Folds a line into the state. */
export function fold(state: TriggerState, line: TriggerLine): void {
  switch (line.type) {
    case "began":
      state.since = Date.parse(line.at);
      state.source = line.source;
      state.through = state.since;
      state.fired = [];
      return;
    case "fired":
      fired(state, line);
      return;
    case "started": {
      const firing = state.open.find(({ id }) => id === line.id);
      if (firing !== undefined) firing.started = line.started;
      return;
    }
    case "ended":
      ended(state, line);
      return;
    case "skipped": {
      const { type: _, through, ...skip } = line;
      pushed(state.skips, skip, KEPT.skips);
      if (through !== undefined) state.through = Math.max(state.through, Date.parse(through));
      return;
    }
    case "held":
      state.held = { reason: line.reason, since: Date.parse(line.at) };
      return;
    case "released":
      state.held = undefined;
      return;
    case "rewound":
      state.through = Date.parse(line.at);
      return;
    case "known":
      for (const key of line.keys) remember(state.keys, key, KEPT.keys);
      if (line.through !== undefined) state.through = Date.parse(line.through);
      if (line.fired !== undefined) state.fired = line.fired.map(([after, to]) => ({ after, to }));
      return;
    case "seen":
      state.mark = line.mark;
  }
}

function fired(state: TriggerState, line: Fired): void {
  // A claim whose outcome was unknown may have been written twice.
  if (state.firings.some(({ id }) => id === line.id)) return;
  const firing: HeldFiring = { ...line };
  state.open.push(firing);
  pushed(state.firings, firing, KEPT.firings);
  for (const key of line.keys ?? []) remember(state.keys, key, KEPT.keys);
  if (line.slot === undefined) return;
  const slot = Date.parse(line.slot);
  // Slots before it that did not fire were skipped, which moved `through` past them.
  state.fired = withSpan(state.fired, { after: Math.min(Math.max(state.through, 0), slot - 1), to: slot }, KEPT.spans);
  state.through = Math.max(state.through, slot);
}

function ended(state: TriggerState, line: Extract<TriggerLine, { type: "ended" }>): void {
  const index = state.open.findIndex(({ id }) => id === line.id);
  const [firing] = index === -1 ? [] : state.open.splice(index, 1);
  if (firing === undefined) return;
  firing.endedAt = line.at;
  firing.outcome = line.outcome;
  firing.skipped = line.skipped;
  firing.text = line.text;
  firing.given = undefined;
  const began = Date.parse(firing.at);
  const before = state.lastFlight;
  // Catch-ups follow each other: what came due during the first of them is not caught up by the next.
  const isNext = before !== undefined && began >= before.from && began - before.to < AT_ONCE_MS;
  state.lastFlight = { from: isNext ? before.from : began, to: Date.parse(line.at) };
}

function pushed<Item>(list: Item[], item: Item, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}

function remember<Item>(set: Set<Item>, item: Item, most: number): void {
  set.add(item);
  const [oldest] = set;
  if (set.size > most && oldest !== undefined) set.delete(oldest);
}
