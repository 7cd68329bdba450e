import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../contract/event.ts";
import { assertActorMay } from "./rights.ts";

interface Asked {
  workdir?: string | null | undefined;
  config?:
    | {
        sandbox?: unknown;
        worktree?: unknown;
        budget?: object | undefined;
        qualityGates?: object | null | undefined;
        autonomy?: string | null | undefined;
        constraints?: Constraints | undefined;
      }
    | undefined;
}

/** Of these, what a run may use up. */
const SPENDING = ["maxTokensPerTask", "maxToolCallsPerRun"] as const;

type Constraints = { requireReview?: boolean | null | undefined } & Limits;
type Limits = Partial<Record<(typeof SPENDING)[number], number | null | undefined>>;

/**
 * What a program with a token of its own may not change about a project: where agents work, what they can reach and spend, what
 * the orchestrator may start, and whether the person or the quality gates see results before they count. It could approve its own work by turning the review off.
 */
export function assertClientMaySet(
  actor: Actor,
  { workdir, config }: Asked,
  before?: { workdir?: string | undefined; config: { budget?: object | undefined; constraints: Limits } },
): void {
  if (actor.kind !== "client") return;
  if (workdir !== undefined && workdir !== (before?.workdir ?? null)) assertActorMay(actor, "giveFolder");
  if (config?.sandbox !== undefined || config?.worktree !== undefined) assertActorMay(actor, "giveFolder");
  const limits = { ...before?.config.budget };
  if (!isDeepStrictEqual({ ...limits, ...config?.budget }, limits)) assertActorMay(actor, "setBudget");
  const known = before?.config.constraints;
  const isLimit = (key: (typeof SPENDING)[number]) =>
    config?.constraints?.[key] !== undefined && config.constraints[key] !== (known?.[key] ?? null);
  if (SPENDING.some(isLimit)) assertActorMay(actor, "setBudget");
  if (config?.autonomy !== undefined && config.autonomy !== null) assertActorMay(actor, "setBudget");
  if (config?.qualityGates !== undefined) assertActorMay(actor, "waive");
  if (config?.constraints?.requireReview === false) assertActorMay(actor, "skipReview");
}
