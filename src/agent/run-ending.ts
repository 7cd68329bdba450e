import type { Remark } from "../contract/runs/guarding.ts";
import type { RunEnd } from "../contract/runs/journal.ts";
import { SUBMIT_TOOLS } from "../contract/words/tool-names.ts";
import type { Work } from "./agent-work.ts";
import { takeTraces } from "./carry-out.ts";
import { handInSummary } from "./hand-ins/hand-in.ts";
import { END_REFUSED, HELD_BACK, type Transcript } from "./transcript.ts";

/** How often a hook may refuse the end of a run before the run fails. */
const MOST_REFUSED = 3;

export type Failure = Pick<Extract<RunEnd, { status: "failed" }>, "cause" | "error">;

/** Whether the agent has to continue instead of ending here, or can't complete at all. Rejects when nobody can be asked. */
export async function heldBack(work: Work): Promise<"continues" | Failure | undefined> {
  const { transcript, take } = work;
  const missing = await handInMissing(work);
  if (missing !== undefined) return missing;
  // A rehearsal completes nothing, so there is nothing to check.
  if (work.isAnswer !== true && work.transcript.lastWord?.rehearsed === true) return undefined;
  const remark = await asked(work);
  if (remark?.feedback === undefined) return undefined;
  if (remark.retriesLeft === 0)
    return { cause: "result_refused", error: `The result did not pass its checks: ${remark.feedback}` };
  // Whoever says how many retries are left counts them.
  const isRefused = remark.refused === true && remark.retriesLeft === undefined;
  if (isRefused && transcript.endsRefused >= MOST_REFUSED - 1)
    return { cause: "result_refused", error: `A hook refused the result ${MOST_REFUSED} times: ${remark.feedback}` };
  const id = `${isRefused ? END_REFUSED : HELD_BACK}${transcript.heldBack + 1}`;
  await take({ type: "message", from: "hall", text: remark.feedback, id });
  return "continues";
}

/** A model that wrote its answer as text is told once how to hand it in: nobody reads the text. */
async function handInMissing({ transcript, take }: Work): Promise<"continues" | Failure | undefined> {
  const { order, handedIn, heldBack: before } = transcript;
  if (order === undefined || handedIn !== undefined) return undefined;
  const tool = SUBMIT_TOOLS[order.kind];
  if (before > 0) return { cause: "nothing_submitted", error: `The agent ended without calling ${tool}.` };
  const text = `You have not called ${tool}, and nothing outside that call is read. Call it now.`;
  await take({ type: "message", from: "hall", text, id: `${HELD_BACK}1` });
  return "continues";
}

/** What the daemon says of the end of the run; undefined: it is not asked. */
async function asked(work: Work): Promise<Remark | undefined> {
  const { transcript, ports } = work;
  const { guard } = ports;
  if (guard === undefined || guard.guards()?.ending === undefined) return undefined;
  const { report, returned, said, heldBack: before } = transcript;
  const shown = returned === undefined ? report : { ...report, returned };
  const remark = await guard.ending({ output: report?.summary ?? said, report: shown, round: before + 1 });
  takeTraces(work, remark);
  return remark;
}

/** Work that was submitted is done, whatever became of the answer that should have followed, unless a hook refuses it. */
export async function failed(work: Work, failure: Failure): Promise<RunEnd> {
  const result = resultOf(work.transcript);
  return (await isComplete(work, failure)) ? { status: "completed", result } : { status: "failed", ...failure, result };
}

async function isComplete(work: Work, { cause }: Failure): Promise<boolean> {
  const { transcript, ports } = work;
  if (transcript.handedIn !== undefined) return true;
  if (transcript.order !== undefined) return false;
  if (transcript.report === undefined || transcript.openCalls.length > 0) return false;
  if (cause === "result_refused" || transcript.endsRefused > 0) return false;
  // The run is out of time: only what has the last word would have to be asked.
  if (ports.signal.aborted) return ports.guard?.guards()?.ending !== "decides";
  try {
    return (await asked(work))?.refused !== true;
  } catch {
    return false;
  }
}

export function resultOf({ report, returned, said: words, filesChanged, handedIn }: Transcript) {
  if (handedIn !== undefined) return { output: handInSummary(handedIn), artifacts: [], filesChanged, handIn: handedIn };
  const output = report?.summary ?? words;
  if (report === undefined) return { output, artifacts: [], filesChanged };
  if (!("verdict" in report)) {
    const { outcome, artifacts, criteria, answers } = report;
    const said = {
      ...(criteria.length === 0 ? {} : { criteria }),
      ...(answers.length === 0 ? {} : { answers }),
      ...(returned === undefined ? {} : { returned }),
    };
    return { output, outcome, artifacts, filesChanged, ...said };
  }
  const { summary: _, ...review } = report;
  return { output, artifacts: [], filesChanged, review };
}
