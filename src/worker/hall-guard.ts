import type { CallGuard } from "../agent/call-guard.ts";
import type { Deadline } from "../agent/run-time.ts";
import { type Guards, Permit, Remark } from "../contract/runs/guarding.ts";
import { RUN_QUESTIONS } from "../contract/runs/hall-questions.ts";
import type { HallProxy } from "./hall-proxy.ts";

/** A result is shown to hooks up to here. */
const MOST_SHOWN = 50_000;

interface Parts {
  orderId: string;
  /** What the project's agent answers; absent of a run. */
  messageId?: string | undefined;
  hall: Pick<HallProxy, "ask">;
  /** Absent where time is not limited. */
  deadline?: Pick<Deadline, "pauseDuring"> | undefined;
  guards: () => Guards | undefined;
  /** Aborted when the run ends, or its process leaves it. */
  signal: AbortSignal;
}

/** Asks the daemon about calls. Time in which it decides is not the run's. */
export function hallGuard({ orderId, messageId, hall, deadline, guards, signal }: Parts): CallGuard {
  const ask = (what: string, input: unknown, callId?: string) => {
    const question = { orderId, what, input, ...(callId && { callId }), ...(messageId && { messageId }) };
    const asked = () => hall.ask(question, signal);
    return deadline === undefined ? asked() : deadline.pauseDuring(asked);
  };
  return {
    guards,
    starting: async () => {
      const reply = await ask(RUN_QUESTIONS.starting, {});
      return reply.ok ? Remark.parse(reply.value ?? {}) : {};
    },
    permit: async ({ id, name: tool, input }) => {
      const reply = await ask(RUN_QUESTIONS.permit, { tool, input }, id);
      return reply.ok ? Permit.parse(reply.value) : { allowed: false, reason: reply.message };
    },
    called: async ({ id, name: tool, input }, { output, failed = false }) => {
      const told = { tool, input, output: output.slice(0, MOST_SHOWN), failed };
      const reply = await ask(RUN_QUESTIONS.called, told, id);
      return reply.ok ? Remark.parse(reply.value ?? {}) : {};
    },
    ending: async ({ output, report, round }) => {
      const reply = await ask(RUN_QUESTIONS.ending, { output: output.slice(0, MOST_SHOWN), report, round });
      if (reply.ok) return Remark.parse(reply.value ?? {});
      return guards()?.ending === "decides" ? { feedback: reply.message, refused: true } : {};
    },
  };
}
