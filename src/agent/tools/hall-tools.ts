import { z } from "zod";
import type { Question } from "../../contract/documents/escalation.ts";
import type { RunPlan, RunPurpose } from "../../contract/runs/run.ts";
import { RunReview } from "../../contract/runs/run-review.ts";
import type { LaterAnswer } from "../../contract/runs/waiting.ts";
import { HELPER_RANKS } from "../../contract/words/rank-names.ts";
import { defineTool, type Tool } from "../tool.ts";
import { escalateTool } from "./escalate-tool.ts";
import { handInTool } from "./hand-in-tool.ts";
import { memberReportTool } from "./member-report-tool.ts";
import { reviewTool } from "./review-tool.ts";
import { REPORT_SAVED, reportSummary, WorkReport } from "./work-report.ts";

const ReviewReport = z.strictObject({
  summary: reportSummary.describe("What you checked and found correct, and your conclusion."),
  verdict: RunReview.shape.verdict,
  findings: RunReview.shape.findings.default([]),
});

/** What was handed in, by a run that did its task or by one that reviewed a result. */
export const Report = z.union([ReviewReport, WorkReport]);
export type Report = z.infer<typeof Report> | (z.infer<typeof ReviewReport> & Pick<RunReview, "stages">);

const Note = z.strictObject({ text: z.string().min(1).max(2_000) });

/** What an agent says of the work that it hands to another. */
export const Child = z.strictObject({
  role: z.string().describe("Role id."),
  title: z.string().min(1).max(500).describe("Task title."),
  description: z
    .string()
    .max(100_000)
    .default("")
    .describe("Everything it needs to know: it does not see this conversation."),
});

/** What a run says besides. */
export const Helper = Child.extend({
  rank: z.enum(HELPER_RANKS).optional().describe("In a team: worker (the default) or reviewer."),
  name: z.string().max(100).optional().describe("In a team: a name such as reviewer-lima, which gives the rank, too."),
});
export type Helper = z.infer<typeof Helper>;

/** `hindrance`: why the person could not be told. */
export interface Notified {
  hindrance?: string;
}

/** What an agent can ask of the hall around it. */
export interface HallPort {
  /** Resolves when the person is sure to be told. One call id is told once. */
  notify(note: { callId: string; text: string }, signal: AbortSignal): Promise<Notified>;
  /** Resolves when the question is recorded; where the run waits, with the answer. One call id asks once. */
  escalate(asked: { callId: string; question: Question }, signal: AbortSignal): Promise<LaterAnswer>;
  /** Resolves with the child's answer. Asking twice with one call id starts one child. */
  spawn(
    request: { callId: string; helper: Helper },
    signal: AbortSignal,
  ): Promise<{ output: string; failed: boolean; files: string[] }>;
  /** Whether there is such a file in the working folder. */
  hasFile(path: string): boolean;
}

interface Submitting {
  purpose: RunPurpose;
  /** Who decides what. */
  tiers: string;
  /** Of a review for a quality gate. */
  gateReview?: RunPlan["gateReview"];
  /** Of a run that leads or checks for its team. */
  handIn?: RunPlan["handIn"];
  /** Of a member of a team. */
  returns?: RunPlan["returns"];
}

export function hallTools(hall: HallPort, { purpose, tiers, gateReview, handIn, returns }: Submitting): Tool[] {
  // The gate alone reads it: it has nothing to tell or to ask of anyone.
  if (gateReview !== undefined) return [reviewTool(gateReview.earlier)];
  if (handIn !== undefined) return [handInTool(handIn)];
  const work = () => (returns === undefined ? reportTool(hall) : memberReportTool(returns, hall));
  const report = purpose === "review" ? reviewReportTool() : work();
  const ask: Parameters<typeof escalateTool>[1] = async (question, { callId, signal }) => {
    const { output, failed = false } = await hall.escalate({ callId, question }, signal);
    return { output, ...(failed ? { failed } : {}) };
  };
  const escalate = escalateTool(tiers, ask, { waits: true });
  return [report, notifyTool(hall), escalate, spawnTool(hall)];
}

function reportTool(hall: HallPort): Tool {
  return defineTool({
    name: "report",
    description: "Submit your result: what was done, how it was verified, what is open. Call it once, at the end.",
    input: WorkReport,
    changes: true,
    repeatable: true,
    // The journal has the call; whoever reads it has the report.
    run: ({ artifacts }) => {
      const missing = artifacts.filter((path) => !hall.hasFile(path));
      if (missing.length === 0) return { output: REPORT_SAVED };
      const output = `Report not saved: the working folder has no file ${missing.map((path) => `'${path}'`).join(", ")}. Submit it again with existing artifacts.`;
      return { output, failed: true };
    },
  });
}

function reviewReportTool(): Tool {
  return defineTool({
    name: "report",
    description: "Submit your review: verdict, findings and summary. Call it once, at the end.",
    input: ReviewReport,
    changes: true,
    repeatable: true,
    run: () => ({ output: REPORT_SAVED }),
  });
}

function notifyTool(hall: HallPort): Tool {
  return defineTool({
    name: "notify",
    description: "Notify the person in a sentence or two, and keep working.",
    input: Note,
    changes: true,
    repeatable: true,
    run: async ({ text }, { callId, signal }) => {
      const { hindrance } = await hall.notify({ callId, text }, signal);
      if (hindrance !== undefined) return { output: `The notification failed: ${hindrance}`, failed: true };
      return { output: "Notification saved." };
    },
  });
}

function spawnTool(hall: HallPort): Tool {
  return defineTool({
    name: "spawn_subagent",
    description: "Delegate part of the task to an agent with another role, and wait for its answer.",
    input: Helper,
    changes: false,
    repeatable: true,
    run: (helper, { callId, signal }) => hall.spawn({ callId, helper }, signal),
  });
}
