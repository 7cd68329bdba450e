import { createHash } from "node:crypto";
import { isUsable, jsonIn, readAll, readReview, reviewTool } from "../../agent/tools/review-tool.ts";
import type { GateReason } from "../../contract/documents/quality/gate.ts";
import { HallError } from "../../contract/errors.ts";
import type { EndCause } from "../../contract/runs/end-cause.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { SUBMIT_REVIEW } from "../../contract/words/tool-names.ts";
import type { GateReviews } from "../../runs/plan/gate-reviews.ts";
import type { GateSubject } from "../gates/subject.ts";
import type { ModelTalks } from "./model-talk.ts";
import { asked, REVIEWER_SYSTEM } from "./prompts.ts";
import type { Reading } from "./readings.ts";
import { treeTools } from "./tree-tools.ts";

/** A review that takes longer is given up. */
const LONGEST_SECONDS = 1_200;
const MOST_ATTEMPTS = 50;
const AGAIN = `Your last review of this change was not submitted. Call ${SUBMIT_REVIEW} this time.`;

export interface ReviewOrder {
  subject: GateSubject & { projectId: string };
  model: string;
  /** What the prompt says of the change. */
  part: string;
  /** From 1. */
  number: number;
  earlier: readonly string[];
}

/** One reader of one share of a change. Never rejects but for defects. */
export type Reviewer = (order: ReviewOrder) => Promise<Reading>;

type RunsOfGates = Pick<GateReviews, "known" | "journal" | "review" | "canReview">;

/** In a run where the change comes from one; else in a few calls, with the files of the tree to look at. */
export function reviewerOver(runs: RunsOfGates, talks: Pick<ModelTalks, "ask">): Reviewer {
  return (order) => {
    const { run, head } = order.subject;
    return run === undefined || head === undefined || !runs.canReview(run)
      ? byCalls(talks, order)
      : byRun(runs, { ...order, run, head });
  };
}

function byCalls(talks: Pick<ModelTalks, "ask">, { subject, model, part, earlier }: ReviewOrder): Promise<Reading> {
  const { projectId, run, trees, tree, signal } = subject;
  return talks.ask({
    ...{ projectId, runId: run?.id, model, signal, system: REVIEWER_SYSTEM },
    prompt: asked(taskOf(subject), part),
    tool: reviewTool(earlier).spec,
    problemsIn: (value) => readReview(value, earlier).problems,
    tree,
    readers: treeTools(trees, tree),
  });
}

interface RunOrder extends ReviewOrder {
  run: Run;
  head: string;
}

/** The run of an earlier life is found by its id, and goes on or has its answer; one that came to nothing is not asked again. */
async function byRun(runs: RunsOfGates, order: RunOrder): Promise<Reading> {
  const { model, part, earlier, subject, run: of, head: commit } = order;
  const base = idOf(order);
  let attempt = firstAttempt(runs, base, earlier);
  for (let asks = 1; ; asks++) {
    const runId = `${base}.${attempt}`;
    const isAgain = asks > 1;
    let run: Run;
    try {
      run = await runs.review({
        ...{ runId, of, commit, model, earlier, timeoutSeconds: LONGEST_SECONDS, signal: subject.signal },
        part: isAgain ? `${part}\n\n${AGAIN}` : part,
      });
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      return { model, costUsd: 0, values: [], text: "", unable: { code: "no-review", text: error.message } };
    }
    const reading = readingOf(run, runs.journal(runId));
    if (reading.values.length > 0 || reading.unable !== undefined || isAgain) return reading;
    attempt++;
  }
}

/** Where an earlier life left off: its last run if that goes on or has an answer that can be used, else the next. */
function firstAttempt(runs: RunsOfGates, base: string, earlier: readonly string[]): number {
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    const run = runs.known(`${base}.${attempt}`);
    if (run === undefined || !isOver(run)) return attempt;
    if (isUsable(readAll(readingOf(run, runs.journal(run.id)).values, earlier))) return attempt;
  }
  return MOST_ATTEMPTS;
}

/** The same for the same share of the same change in the same cycle, judged with the same model. */
function idOf({ run, subject, number, part, model }: RunOrder): string {
  const { baseTree, tree, cycle } = subject;
  const all = JSON.stringify([baseTree, tree, cycle, number, model, part]);
  return `${run.id}-review-${createHash("sha256").update(all).digest("hex").slice(0, 10)}`;
}

function readingOf(run: Run, entries: readonly JournalEntry[]): Reading {
  const answers = entries.filter((entry) => entry.type === "answer");
  const calls = answers.flatMap((answer) => answer.calls ?? []).filter(({ name }) => name === SUBMIT_REVIEW);
  const values = calls.map(({ input }) => jsonIn(input));
  const text = answers.findLast((answer) => answer.text.trim() !== "")?.text ?? "";
  const reading = { model: run.model, runId: run.id, costUsd: run.usage.costUsd, values, text };
  if (values.length > 0) return reading;
  if (answers.at(-1)?.rehearsed === true)
    return { ...reading, unable: { code: "no-model", text: "The offline model has no playbook for this review." } };
  if (run.status === "completed") return reading;
  return { ...reading, unable: { code: codeOf(run.cause), text: run.error ?? `The review ${run.status}.` } };
}

function codeOf(cause: EndCause | undefined): GateReason["code"] {
  switch (cause) {
    case "budget":
      return "budget";
    case "time":
      return "timeout";
    case "key":
    case "model":
      return "no-model";
    case "cancelled":
      return "cancelled";
    default:
      return "no-review";
  }
}

/** What the change is meant to be. */
export function taskOf({ task, run, head, base }: GateSubject): { title: string; description: string } {
  if (task !== undefined) {
    const criteria = task.acceptanceCriteria.map(({ text }) => `- ${text}`);
    const wanted = criteria.length === 0 ? [] : ["Acceptance criteria:", ...criteria];
    return { title: task.title, description: [task.description, ...wanted].join("\n").trim() };
  }
  const title = run?.title ?? `The change from ${base.slice(0, 12)} to ${head?.slice(0, 12) ?? "the working folder"}`;
  return { title, description: "" };
}
