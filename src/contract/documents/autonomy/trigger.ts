import { z } from "zod";
import {
  FIRING_OUTCOMES,
  LATE_POLICIES,
  SKIP_REASONS,
  TRIGGER_EVENTS,
  WEBHOOK_FORMS,
} from "../../words/autonomy/trigger-words.ts";
import { line, prose, Slug, Timestamp } from "../../words/text.ts";

/** The name of a trigger is unique in the hall: it is the name of its file and of its webhook. */
export const TriggerName = Slug;

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,9})(s|m|h|d)$/;
const LONGEST_MS = 400 * UNITS.d;

/** Milliseconds of a text such as `90s`, `30m`, `6h` or `7d`; NaN of any other. */
export function durationMs(text: string): number {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? Number.NaN : Number(count) * UNITS[unit as keyof typeof UNITS];
}

const Duration = z
  .string()
  .regex(DURATION, { error: "must be a number and s, m, h or d, such as 30m", abort: true })
  .refine((text) => durationMs(text) >= UNITS.s, "must be at least 1s")
  .refine((text) => durationMs(text) <= LONGEST_MS, "must be at most 400d");

const TimeZone = line(100).refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const Webhook = z.strictObject({
  /** The name of the environment variable, or of the line in .guildhall/secrets, that has the secret. */
  secretEnv: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, "must be the name of an environment variable"),
  form: z.enum(WEBHOOK_FORMS).default("plain"),
  /** Names of events that count, as the sender calls them; all unless given. */
  events: z.array(line(100)).min(1).max(100).optional(),
});

const sources = {
  cron: line(200).optional(),
  timezone: TimeZone.optional(),
  interval: Duration.optional(),
  webhook: Webhook.optional(),
  /** Patterns of paths in the project's working folder, such as `docs/**`. */
  files: z.array(line(500)).min(1).max(50).optional(),
  event: z.enum(TRIGGER_EVENTS).optional(),
};
const SOURCES = ["cron", "interval", "webhook", "files", "event"] as const;

const one = (names: readonly string[]) => ({ error: `must have exactly one of ${names.join(", ")}` });
const count = (value: object, names: readonly string[]) =>
  names.filter((name) => (value as Record<string, unknown>)[name] !== undefined).length;

/** What a trigger waits for. */
export const TriggerSource = z
  .strictObject(sources)
  .refine((on) => count(on, SOURCES) === 1, one(SOURCES))
  .refine((on) => on.timezone === undefined || on.cron !== undefined, {
    path: ["timezone"],
    error: "is only for cron",
  });
export type TriggerSource = z.infer<typeof TriggerSource>;

const ACTIONS = ["message", "spawn", "team", "orchestrate"] as const;

/** What a trigger starts. A message goes to the project's agent, or to the main agent; `true`: its words are those of the document. */
const TriggerAction = z
  .strictObject({
    message: z.union([z.literal(true), prose(100_000).refine((text) => text !== "", "must not be empty")]).optional(),
    spawn: z.strictObject({ roleId: Slug, title: line(500), description: prose(100_000).optional() }).optional(),
    team: z.strictObject({ goal: prose(20_000).refine((text) => text !== "", "must not be empty") }).optional(),
    orchestrate: z.literal(true).optional(),
  })
  .refine((action) => count(action, ACTIONS) === 1, one(ACTIONS));

/** What happens with slots of cron and interval that were missed. */
export const TriggerLate = z.strictObject({
  policy: z.enum(LATE_POLICIES).default("once"),
  within: Duration.default("1d"),
});
export type TriggerLate = z.infer<typeof TriggerLate>;

const fields = {
  on: TriggerSource,
  do: TriggerAction,
  late: TriggerLate.prefault({}),
  description: line(300).optional(),
};

/** The frontmatter of `triggers/<name>.md` and `projects/<id>/triggers/<name>.md`; the words for the agent are below it. */
export const TriggerFile = z.strictObject({ ...fields, enabled: z.boolean().default(true) });
export type TriggerFile = z.infer<typeof TriggerFile>;

const words = prose(100_000).optional();

export const TriggerCreate = z.strictObject({
  name: TriggerName,
  projectId: Slug.optional(),
  ...fields,
  enabled: z.boolean().default(true),
  words,
});
export type TriggerCreate = z.infer<typeof TriggerCreate>;

export const TriggerUpdate = z.strictObject({
  on: TriggerSource.optional(),
  do: TriggerAction.optional(),
  late: TriggerLate.optional(),
  description: line(300).nullable().optional(),
  enabled: z.boolean().optional(),
  words,
});
export type TriggerUpdate = z.infer<typeof TriggerUpdate>;

/** What it started. */
export const Started = z.strictObject({
  kind: z.enum(["message", "run", "team", "cycle"]),
  id: z.string(),
  projectId: z.string().optional(),
  /** Of a run that was given words from outside: it can only read. */
  outside: z.literal(true).optional(),
});
export type Started = z.infer<typeof Started>;

/** One time that a trigger fired. */
export const Firing = z.strictObject({
  id: z.string(),
  at: Timestamp,
  /** The moment it was due, of cron and interval. */
  slot: Timestamp.optional(),
  /** What fired it: the delivery of a webhook, an event, a commit, or the person. */
  cause: z.string(),
  state: z.enum(["waiting", "running", "ended"]),
  started: Started.optional(),
  endedAt: Timestamp.optional(),
  outcome: z.enum(FIRING_OUTCOMES).optional(),
  /** What came of it, in one line. */
  text: z.string().optional(),
});
export type Firing = z.infer<typeof Firing>;

/** What did not fire: one slot or event, or several with the same reason. */
export const Skipped = z.strictObject({
  at: Timestamp,
  reason: z.enum(SKIP_REASONS),
  /** The first and last slot. */
  from: Timestamp.optional(),
  to: Timestamp.optional(),
  count: z.int().min(1),
  /** There were more than that. */
  more: z.literal(true).optional(),
  /** The event or delivery. */
  cause: z.string().optional(),
});
export type Skipped = z.infer<typeof Skipped>;

/** A trigger as pages and commands show it. */
export const Trigger = z.strictObject({
  name: z.string(),
  projectId: z.string().optional(),
  file: z.string(),
  etag: z.string(),
  on: TriggerSource,
  do: TriggerAction,
  late: TriggerLate,
  description: z.string().optional(),
  enabled: z.boolean(),
  words: z.string(),
  /** `broken`: its file has to be fixed first; what it was before is shown. */
  state: z.enum(["active", "paused", "held", "broken"]),
  problem: z.string().optional(),
  nextAt: Timestamp.optional(),
  /** Why it did not fire last, or what it waits for. */
  why: z.string(),
  last: Firing.optional(),
  inFlight: Firing.optional(),
  /** Accepted and waiting for their turn. */
  waiting: z.int(),
  /** The path of its webhook. */
  path: z.string().optional(),
});
export type Trigger = z.infer<typeof Trigger>;
