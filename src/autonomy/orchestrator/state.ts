import { z } from "zod";
import { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import { PROPOSAL_KINDS } from "../../contract/words/autonomy/orchestrator-words.ts";
import { Timestamp } from "../../contract/words/text.ts";
import { isAttempt, keyOf } from "./rank.ts";

const at = Timestamp;

/** A proposal that was made, and what became of it. The same one is never made twice. */
const Proposal = z.strictObject({
  key: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  at,
  projectId: z.string().optional(),
  title: z.string(),
  goals: z.array(z.string()),
  /** Tasks it is about. */
  tasks: z.array(z.string()),
  /** The initiative that it becomes. */
  slug: z.string().optional(),
  escalationId: z.string().optional(),
  /** `asked`: it waits for the person. `dropped`: it was never made, and may be. */
  state: z.enum(["asked", "accepted", "done", "declined", "dropped"]),
});
export type Proposal = z.infer<typeof Proposal>;

/** A line of state/orchestrator.jsonl. */
export const OrchestratorLine = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("paused"), at, by: z.string() }),
  z.strictObject({ type: z.literal("resumed"), at, by: z.string() }),
  /** Someone wants a cycle. `key`: of the request. */
  z.strictObject({
    type: z.literal("asked"),
    at,
    id: z.string(),
    by: z.enum(["asked", "trigger"]),
    key: z.string().optional(),
  }),
  /** As it stands; a later line of the same cycle replaces it. */
  z.strictObject({ type: z.literal("cycle"), cycle: Cycle }),
  z.strictObject({ type: z.literal("proposal"), proposal: Proposal }),
]);
export type OrchestratorLine = z.infer<typeof OrchestratorLine>;

export type Ask = Extract<OrchestratorLine, { type: "asked" }>;

export interface OrchestratorState {
  paused?: { at: string; by: string } | undefined;
  /** Not served yet. */
  asks: Ask[];
  /** The cycle that served a request, by the key or the id of the request. */
  served: Map<string, string>;
  /** The oldest first. */
  cycles: Cycle[];
  proposals: Map<string, Proposal>;
}

/** The newest are kept, and older ones as long as the rule needs them. */
export const MOST_CYCLES = 500;
const MOST_SERVED = 5_000;

export function emptyState(): OrchestratorState {
  return { asks: [], served: new Map(), cycles: [], proposals: new Map() };
}

export function fold(state: OrchestratorState, line: OrchestratorLine): void {
  switch (line.type) {
    case "paused":
      state.paused = { at: line.at, by: line.by };
      return;
    case "resumed":
      state.paused = undefined;
      return;
    case "asked":
      if (!state.asks.some(({ id }) => id === line.id)) state.asks.push(line);
      return;
    case "proposal":
      state.proposals.set(line.proposal.key, line.proposal);
      return;
    case "cycle":
      cycled(state, line.cycle);
  }
}

function cycled(state: OrchestratorState, cycle: Cycle): void {
  const index = state.cycles.findLastIndex(({ id }) => id === cycle.id);
  if (index === -1) state.cycles.push(cycle);
  else state.cycles[index] = cycle;
  if (state.cycles.length > MOST_CYCLES) forgetOne(state);
  const ids = new Set(cycle.causes.flatMap(({ id }) => id ?? []));
  for (const { id, key } of state.asks)
    if (ids.has(id)) for (const name of [id, key ?? id]) state.served.set(name, cycle.id);
  state.asks = state.asks.filter(({ id }) => !ids.has(id));
  for (const [oldest] of state.served) if (state.served.size > MOST_SERVED) state.served.delete(oldest);
}

/** The oldest that says nothing of today's starts nor of the last one of an initiative. */
function forgetOne(state: OrchestratorState): void {
  const last = new Map<string, Cycle>();
  for (const cycle of state.cycles)
    for (const { projectId, initiative, outcome } of cycle.starts)
      if (isAttempt(outcome)) last.set(keyOf(projectId, initiative), cycle);
  const today = state.cycles.at(-1)?.at.slice(0, 10) ?? "";
  const kept = new Set(last.values());
  const isNeeded = (cycle: Cycle) => kept.has(cycle) || (cycle.starts.length > 0 && cycle.at.startsWith(today));
  const index = state.cycles.slice(0, -MOST_CYCLES).findIndex((cycle) => !isNeeded(cycle));
  if (index !== -1) state.cycles.splice(index, 1);
}

/** The one that is not over, if there is one. */
export function openCycle({ cycles }: OrchestratorState): Cycle | undefined {
  const last = cycles.at(-1);
  return last?.endedAt === undefined ? last : undefined;
}

/** The shortest log with the same state. */
export function linesOf({ paused, asks, cycles, proposals }: OrchestratorState): OrchestratorLine[] {
  return [
    ...(paused === undefined ? [] : [{ type: "paused" as const, ...paused }]),
    ...[...proposals.values()].map((proposal) => ({ type: "proposal" as const, proposal })),
    ...cycles.map((cycle) => ({ type: "cycle" as const, cycle })),
    ...asks,
  ];
}
