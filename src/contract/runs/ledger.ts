import { z } from "zod";

const usd = z.number().nullable();
const whose = {
  at: z.string(),
  projectId: z.string(),
  runId: z.string().optional(),
  /** The run that all of its tree come from. */
  treeId: z.string().optional(),
  /** The team that the run belongs to. */
  teamId: z.string().optional(),
  /** For work that the orchestrator started, or its own decision. */
  led: z.literal(true).optional(),
  model: z.string(),
};

/** An upper estimate of one call, held from before it is sent until what it cost is known. */
const Reservation = z.strictObject({
  id: z.string(),
  ...whose,
  /** null: the price is not known. */
  usd,
  input: z.number(),
  output: z.number(),
});
export type Reservation = z.infer<typeof Reservation>;

const Spent = z.strictObject({
  usd,
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
export type Spent = z.infer<typeof Spent>;

const Charge = z.strictObject({
  id: z.string(),
  at: z.string(),
  /** `broken`: it ended without an answer, and this is a guess. `lost`: the daemon died meanwhile, and it counts as estimated. */
  how: z.enum(["answered", "broken", "lost"]),
  ...Spent.shape,
  /** Part of `output` that was thinking. */
  reasoning: z.number().optional(),
  /** Whose call it was, for when the line of its reservation is damaged. */
  of: z.strictObject(whose).optional(),
});
export type Charge = z.infer<typeof Charge>;

const Sum = z.strictObject({
  usd: z.number(),
  tokens: z.number(),
  /** What calls of unknown price come to at an assumed one, in US dollars; not part of `usd`. */
  assumed: z.number(),
});
export type Sum = z.infer<typeof Sum>;

/** A provider whose quota is used up, so that a restart does not ask it again for every run. */
const KeptPause = z.strictObject({
  provider: z.string(),
  until: z.string().refine((until) => !Number.isNaN(Date.parse(until))),
  reason: z.string(),
  tries: z.number(),
});
export type KeptPause = z.infer<typeof KeptPause>;

/** What one run used, as runs tell it. */
const RunSum = z.strictObject({
  usd: z.number(),
  /** As in a sum; absent in files of before it was kept. */
  assumed: z.number().default(0),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  unpriced: z.number(),
});
export type RunSum = z.infer<typeof RunSum>;

/** What calls that belong to no run cost in a period, a day or a month. */
const TalkSum = z.strictObject({
  ...RunSum.shape,
  period: z.string(),
  projectId: z.string(),
  model: z.string(),
  calls: z.number(),
});
export type TalkSum = z.infer<typeof TalkSum>;

const Sums = z.record(z.string(), Sum);

const Carried = z.strictObject({
  total: Sum,
  /** Nothing, unless the day's first file was taken away. */
  day: z.strictObject({ id: z.string(), sum: Sum, projects: Sums, led: Sum.optional() }),
  projects: Sums,
  /** Of trees that were not over. */
  trees: Sums,
  /** Of all teams; absent in files of before there were teams. */
  teams: Sums.optional(),
  runs: z.record(z.string(), RunSum.extend({ treeId: z.string() })),
  /** Absent in files of before there were conversations. */
  talks: z.array(TalkSum).optional(),
  open: z.array(Reservation),
  warned: z.array(z.string()),
  paused: z.array(KeptPause),
});
export type Carried = z.infer<typeof Carried>;

/** The lines of costs/<day>.jsonl. The daemon alone writes them. */
export const LedgerLine = z.discriminatedUnion("type", [
  /** The first of every file: what earlier ones come to, so that no other has to be read. */
  z.strictObject({ type: z.literal("opened"), at: z.string(), carried: Carried }),
  z.strictObject({ type: z.literal("reserved"), ...Reservation.shape }),
  z.strictObject({ type: z.literal("settled"), ...Charge.shape }),
  /** The person was told; not again for the same mark. */
  z.strictObject({ type: z.literal("warned"), at: z.string(), mark: z.string() }),
  z.strictObject({ type: z.literal("paused"), at: z.string(), ...KeptPause.shape }),
  z.strictObject({ type: z.literal("resumed"), at: z.string(), provider: z.string() }),
]);
export type LedgerLine = z.infer<typeof LedgerLine>;
