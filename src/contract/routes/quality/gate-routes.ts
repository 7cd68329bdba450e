import { z } from "zod";
import {
  DetectedCheck,
  FileConflict,
  FileOwner,
  GateLine,
  GateReport,
  StageName,
} from "../../documents/quality/gate.ts";
import { IntegrationCheck } from "../../documents/quality/integration-check.ts";
import { QualityGates } from "../../documents/quality/quality-gates.ts";
import { line, Slug, Timestamp } from "../../words/text.ts";
import { byId, flag, page, paged, success } from "../route-parts.ts";

const group = "Gates";
const waiting = z.coerce.number().min(0).max(3_600).optional();
const Revision = line(250);

export const gateRoutes = {
  listGates: {
    summary: "Gate reports of a project, the newest first.",
    group,
    params: z.strictObject({ id: Slug }),
    query: z.strictObject({
      ...page,
      task: z.string().optional(),
      verdict: z.enum(["pass", "fail", "unable", "skipped"]).optional(),
    }),
    response: z.strictObject({ gates: z.array(GateLine), ...paged }),
  },
  createGate: {
    summary:
      "Judge a run's result, the difference between two revisions, or the uncommitted changes of the project's folder. `wait`: seconds to wait for the verdict. `model=none`: without reviewers. `dryRun`: say what would be checked, and write nothing. A change that was judged before in the same way has its earlier report as the answer, unless `force` is set.",
    group,
    params: z.strictObject({ id: Slug }),
    query: z.strictObject({
      wait: waiting,
      model: z.literal("none").optional(),
      dryRun: flag.optional(),
      force: flag.optional(),
    }),
    body: z
      .strictObject({ runId: z.string().optional(), base: Revision.optional(), head: Revision.optional() })
      .refine(({ runId, base, head }) => runId === undefined || (base === undefined && head === undefined), {
        path: ["runId"],
        error: "can't be combined with base and head",
      }),
    bodyOptional: true,
    response: z.strictObject({ gate: GateReport }),
    status: 201,
  },
  getGate: {
    summary: "A gate report.",
    group,
    params: byId,
    response: z.strictObject({ gate: GateReport }),
  },
  cancelGate: {
    summary: "Stop judging. The gate ends as unable.",
    group,
    params: byId,
    response: z.strictObject({ ...success, gate: GateReport }),
  },
  waiveFinding: {
    summary: "Accept a finding, with a reason. Only a person can.",
    group,
    params: byId,
    body: z.strictObject({ findingId: z.string(), reason: line(2_000) }),
    response: z.strictObject({ ...success, gate: GateReport }),
  },
  listRunGates: {
    summary: "Gate reports of a run, the oldest first, with those of the runs that it continues.",
    group,
    params: byId,
    response: z.strictObject({ gates: z.array(GateReport) }),
  },
  detectChecks: {
    summary: "What the gates would run in a project's folder, and its gate settings with the defaults.",
    group,
    params: z.strictObject({ id: Slug }),
    response: z.strictObject({ checks: z.array(DetectedCheck), settings: QualityGates }),
  },
  getQuality: {
    summary: "How a project's gates went: scores over time, findings, weak stages.",
    group,
    params: z.strictObject({ id: Slug }),
    response: z.strictObject({
      /** The newest 100 finished gates, oldest first. */
      points: z.array(
        z.strictObject({
          gateId: z.string(),
          at: Timestamp,
          verdict: z.enum(["pass", "fail", "unable", "skipped"]),
          score: z.number().nullable(),
          cycle: z.int(),
          taskId: z.string().optional(),
        }),
      ),
      findings: z.strictObject({ total: z.int(), resolved: z.int(), refuted: z.int(), waived: z.int(), open: z.int() }),
      /** Average score and share of failures per stage. */
      stages: z.array(
        z.strictObject({ name: StageName, judged: z.int(), failed: z.int(), score: z.number().nullable() }),
      ),
      passedFirst: z.int(),
      reviews: z.int(),
      averageCycles: z.number().nullable(),
      escalated: z.int(),
    }),
  },
  listOwners: {
    summary: "Which run changes which file, and files that two runs changed at once.",
    group,
    params: z.strictObject({ id: Slug }),
    response: z.strictObject({ owners: z.array(FileOwner), conflicts: z.array(FileConflict) }),
  },
  createIntegrationCheck: {
    summary: "Check whether a branch, or the results of several runs put together, works as a whole.",
    group,
    params: z.strictObject({ id: Slug }),
    query: z.strictObject({ wait: waiting }),
    body: z
      .strictObject({ branch: Revision.optional(), runIds: z.array(z.string()).min(1).max(100).optional() })
      .refine(({ branch, runIds }) => (branch === undefined) !== (runIds === undefined), {
        path: ["branch"],
        error: "is required unless runIds is given, and can't be combined with it",
      }),
    response: z.strictObject({ check: IntegrationCheck }),
    status: 201,
  },
  getIntegrationCheck: {
    summary: "An integration check. `wait`: seconds to wait for the verdict.",
    group,
    params: byId,
    query: z.strictObject({ wait: waiting }),
    response: z.strictObject({ check: IntegrationCheck }),
  },
  listIntegrationChecks: {
    summary: "Integration checks of a project, the newest first.",
    group,
    params: z.strictObject({ id: Slug }),
    response: z.strictObject({ checks: z.array(IntegrationCheck) }),
  },
  waiveIntegrationFinding: {
    summary: "Accept a finding of an integration check, with a reason. Only a person can.",
    group,
    params: byId,
    body: z.strictObject({ findingId: z.string(), reason: line(2_000) }),
    response: z.strictObject({ ...success, check: IntegrationCheck }),
  },
} as const;
