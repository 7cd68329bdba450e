import type { WaitCode } from "../../../../../src/contract/runs/activity.ts";
import { assumedUsd } from "../../../../../src/contract/runs/assumed-price.ts";
import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Usage } from "../../../../../src/contract/runs/model-call.ts";

/** From the answer before, or the start, to this answer: the tools of the answer before, and the model. */
export interface Step {
  turn: number;
  from: number;
  to: number;
  /** Milliseconds of it that the run stood still. */
  waited: number;
  /** How often the model was asked in vain. */
  failures: number;
  /** Tools that the answer called; `ms` is what is known of how long they were at work, one after the other. */
  calls: { name: string; failed: boolean; count: number; ms?: number | undefined }[];
  tokens: number;
  costUsd: number;
  /** False: the cost is an estimate. */
  isKnown: boolean;
  model: string;
}

export interface Timeline {
  from: number;
  to: number;
  steps: Step[];
  waits: { from: number; to: number; reason: WaitCode }[];
  /** Times at which a process took the run up again. */
  resumed: number[];
  mostUsd: number;
}

type Result = Extract<JournalEntry, { type: "result" }>;
type Answer = Extract<JournalEntry, { type: "answer" }>;

/** `now` is where a run that goes on ends for the time being. */
export function timelineOf(entries: readonly JournalEntry[], now: number): Timeline | undefined {
  const times = entries.flatMap((entry) => ("at" in entry ? [Date.parse(entry.at)] : []));
  const [from] = times;
  if (from === undefined) return undefined;
  const hasEnded = entries.at(-1)?.type === "ended";
  const to = Math.max(from + 1, hasEnded ? (times.at(-1) ?? now) : now);
  const waits = waitsOf(entries, to);
  const results = new Map(entries.flatMap((entry) => (entry.type === "result" ? [[entry.id, entry] as const] : [])));
  const steps: Step[] = [];
  let last = from;
  let failures = 0;
  for (const entry of entries) {
    if (entry.type === "failure") failures += 1;
    if (entry.type !== "answer") continue;
    const at = Date.parse(entry.at);
    steps.push(stepOf(entry, { turn: steps.length + 1, from: last, to: at, waits, results, failures }));
    last = at;
    failures = 0;
  }
  const resumed = entries.flatMap((entry) => (entry.type === "started" ? [Date.parse(entry.at)] : [])).slice(1);
  return { from, to, steps, waits, resumed, mostUsd: Math.max(0, ...steps.map(({ costUsd }) => costUsd)) };
}

export function pricedAs(usd: number | null, usage: Usage): Pick<Step, "costUsd" | "isKnown"> {
  return { costUsd: usd ?? assumedUsd({ usd, ...usage }), isKnown: usd !== null };
}

function stepOf(
  { calls = [], usage, costUsd: usd, model }: Answer,
  of: Pick<Step, "turn" | "from" | "to" | "failures"> & { waits: Timeline["waits"]; results: Map<string, Result> },
): Step {
  const { turn, from, to, failures, waits, results } = of;
  const waited = waits.reduce((sum, wait) => sum + Math.max(0, Math.min(wait.to, to) - Math.max(wait.from, from)), 0);
  const names = new Map<string, Step["calls"][number]>();
  for (const { id, name } of calls) {
    const known = names.get(name) ?? { name, failed: false, count: 0 };
    const result = results.get(id);
    const ms = result?.ms === undefined ? known.ms : (known.ms ?? 0) + result.ms;
    names.set(name, { name, failed: known.failed || result?.failed === true, count: known.count + 1, ms });
  }
  const tokens = usage.input + usage.output;
  return { turn, from, to, waited, failures, calls: [...names.values()], tokens, model, ...pricedAs(usd, usage) };
}

/** A wait that nobody ended ends when the run is taken up anew, or now. */
function waitsOf(entries: readonly JournalEntry[], end: number): Timeline["waits"] {
  const waits: Timeline["waits"] = [];
  let open: { from: number; reason: WaitCode } | undefined;
  const close = (to: number) => {
    if (open !== undefined) waits.push({ ...open, to });
    open = undefined;
  };
  for (const entry of entries) {
    if (entry.type === "waiting") {
      close(Date.parse(entry.at));
      open = { from: Date.parse(entry.at), reason: entry.reason };
    } else if (entry.type === "resumed" || entry.type === "started" || entry.type === "ended") {
      close(Date.parse(entry.at));
    }
  }
  close(end);
  return waits;
}
