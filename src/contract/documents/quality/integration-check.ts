import { z } from "zod";
import { Timestamp } from "../../words/text.ts";
import { CommandEvidence, GateFinding, GateReason, GateVerdict } from "./gate.ts";

/** Who made a line that does not work, by blame. */
const Breaker = z.strictObject({
  runId: z.string().optional(),
  commit: z.string(),
  /** Findings that lead to it, by id. */
  findings: z.array(z.string()),
});

const Step = z.strictObject({
  name: z.enum(["merge", "typecheck", "conflicts", "tests", "wiring", "bisect"]),
  verdict: GateVerdict,
  reason: GateReason.optional(),
  findings: z.array(GateFinding),
  evidence: z.array(CommandEvidence),
});

/** projects/<id>/gates/<day>/<check-id>.json: whether the parts work as a whole. */
export const IntegrationCheck = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  teamId: z.string().optional(),
  /** What was put together: a branch, or the results of runs, oldest first. */
  branch: z.string().optional(),
  runIds: z.array(z.string()),
  state: z.enum(["running", "finished"]),
  verdict: GateVerdict.optional(),
  reason: GateReason.optional(),
  target: z.string(),
  base: z.string(),
  /** The tree of the whole. */
  tree: z.string().optional(),
  steps: z.array(Step),
  breakers: z.array(Breaker),
  /** Where the whole is red though each part was green: the first part that makes it so. */
  firstBroken: z.string().optional(),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
});
export type IntegrationCheck = z.infer<typeof IntegrationCheck>;
