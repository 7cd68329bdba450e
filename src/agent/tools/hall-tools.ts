import { z } from "zod";
import { TaskOutcome } from "../../contract/documents/task.ts";
import { CommentAnswer } from "../../contract/runs/review-comment.ts";
import type { RunPurpose } from "../../contract/runs/run.ts";
import { RunReview } from "../../contract/runs/run-review.ts";
import type { LaterAnswer } from "../../contract/runs/waiting.ts";
import { defineTool, type Tool } from "../tool.ts";

const summary = z.string().min(1).max(100_000);

const WorkReport = z.strictObject({
  summary,
  outcome: TaskOutcome.default("full").describe(
    "full: all was done; partial: some; escalated: a decision is needed; skipped: nothing had to be done",
  ),
  artifacts: z
    .array(z.string().max(1_000))
    .max(100)
    .default([])
    .describe("Files, relative to the working folder, that are results in themselves."),
  answers: z.array(CommentAnswer).max(200).default([]).describe("One for each review comment, if there are any."),
});

const ReviewReport = z.strictObject({
  summary: summary.describe("What you looked at and found right, and what the findings come to."),
  verdict: RunReview.shape.verdict,
  findings: RunReview.shape.findings.default([]),
});

/** What was handed in, by a run that did its task or by one that reviewed a result. */
export const Report = z.union([ReviewReport, WorkReport]);
export type Report = z.infer<typeof Report>;

const Note = z.strictObject({ text: z.string().min(1).max(2_000) });

/** What an agent says of the work that it hands to another. */
export const Child = z.strictObject({
  role: z.string().describe("The id of its role."),
  title: z.string().min(1).max(500).describe("The task in one line."),
  description: z
    .string()
    .max(100_000)
    .default("")
    .describe("All that it has to know: it does not see this conversation."),
});

/** `hindrance`: why the person could not be told. */
export interface Notified {
  hindrance?: string;
  answer?: LaterAnswer | undefined;
}

/** What an agent can ask of the hall around it. */
export interface HallPort {
  /** Resolves when the person is sure to be told, with their answer if one is waited for. One call id is told once. */
  notify(note: { callId: string; text: string }, signal: AbortSignal): Promise<Notified>;
  /** Resolves with the child's answer. Asking twice with one call id starts one child. */
  spawn(
    request: { callId: string; roleId: string; title: string; description: string },
    signal: AbortSignal,
  ): Promise<{ output: string; failed: boolean; files: string[] }>;
  /** Whether there is such a file in the working folder. */
  hasFile(path: string): boolean;
}

export function hallTools(hall: HallPort, purpose: RunPurpose): Tool[] {
  return [purpose === "review" ? reviewReportTool() : reportTool(hall), notifyTool(hall), spawnTool(hall)];
}

const TAKEN_DOWN = "The report was taken down. End your turn now.";

function reportTool(hall: HallPort): Tool {
  return defineTool({
    name: "report",
    description:
      "Hand in the result of the task: what was done, how it was verified, what is open. Call it once, at the end.",
    input: WorkReport,
    changes: true,
    repeatable: true,
    // The journal has the call; whoever reads it has the report.
    run: ({ artifacts }) => {
      const missing = artifacts.filter((path) => !hall.hasFile(path));
      if (missing.length === 0) return { output: TAKEN_DOWN };
      const output = `The report was not taken down: there is no file ${missing.map((path) => `'${path}'`).join(", ")} in the working folder. Hand it in again with artifacts that are there.`;
      return { output, failed: true };
    },
  });
}

function reviewReportTool(): Tool {
  return defineTool({
    name: "report",
    description:
      "Hand in your review: the verdict, each problem as a finding, and a summary. Call it once, at the end.",
    input: ReviewReport,
    changes: true,
    repeatable: true,
    run: () => ({ output: TAKEN_DOWN }),
  });
}

function notifyTool(hall: HallPort): Tool {
  return defineTool({
    name: "notify",
    description: "Tell the person something they should know now, in a sentence or two, and go on working.",
    input: Note,
    changes: true,
    repeatable: true,
    run: async ({ text }, { callId, signal }) => {
      const { hindrance, answer } = await hall.notify({ callId, text }, signal);
      if (hindrance !== undefined) return { output: `The person could not be told: ${hindrance}`, failed: true };
      if (answer === undefined) return { output: "It is noted for the person." };
      return { output: answer.output, ...(answer.failed === true ? { failed: true } : {}) };
    },
  });
}

function spawnTool(hall: HallPort): Tool {
  return defineTool({
    name: "spawn_subagent",
    description: "Give a part of the task to another agent with the given role and wait for its answer.",
    input: Child,
    changes: false,
    repeatable: true,
    run: ({ role, title, description }, { callId, signal }) =>
      hall.spawn({ callId, roleId: role, title, description }, signal),
  });
}
