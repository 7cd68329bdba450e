import type { OpenEscalations } from "../../src/runs/schedule/escalations.ts";
import type { Waits } from "../../src/runs/schedule/waits.ts";

export interface Escalating {
  open: OpenEscalations;
  /** Calls that an answer is waited for, oldest first. */
  asked: { runId: string; callId: string; text: string }[];
  /** Continues a run with the answer to the first thing that it asked, unless the call is named. */
  answer(runId: string, output: string, callId?: string): Promise<boolean>;
}

/** Has every run wait that notifies the person of a question. */
export function escalating(): Escalating {
  const asked: Escalating["asked"] = [];
  let resume: Waits["resume"] = async () => false;
  return {
    asked,
    open: (waits) => {
      resume = (runId, answer) => waits.resume(runId, answer);
      return {
        awaited: async ({ id: runId }, { callId, text }) => {
          if (!text.endsWith("?")) return undefined;
          if (!asked.some((known) => known.callId === callId)) asked.push({ runId, callId, text });
          return text;
        },
      };
    },
    answer: (runId, output, callId = asked.find((known) => known.runId === runId)?.callId ?? "") =>
      resume(runId, { callId, answer: { output } }),
  };
}
