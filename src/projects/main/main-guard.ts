import type { TurnGuard } from "../../agent/resident-ports.ts";
import { withConsent } from "../../contract/runs/guarding.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import type { AgentGuard } from "../../runs/guarding.ts";

/** What hooks see of a result. */
const MOST_SHOWN = 50_000;

/** Asks about the calls with which the main agent answers a message. */
export function mainGuard({ ask = [] }: SessionMessage, guard: () => AgentGuard | undefined): TurnGuard {
  const projectId = undefined;
  return {
    guards: () => withConsent(guard()?.guardsOf(projectId), ask),
    permit: async ({ id: callId, name: tool, input }) =>
      (await guard()?.permit({ projectId, ask, callId, tool, input })) ?? {
        allowed: false,
        reason: "Calls of this tool can't be allowed now.",
      },
    called: async ({ id: callId, name: tool, input }, { output, failed = false }) => {
      const made = { projectId, ask, callId, tool, input, output: output.slice(0, MOST_SHOWN), failed };
      return (await guard()?.called(made)) ?? {};
    },
  };
}
