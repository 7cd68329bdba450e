import type { TurnGuard } from "../../agent/resident-ports.ts";
import { withConsent } from "../../contract/runs/guarding.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import type { AgentGuard } from "../../runs/guarding.ts";
import type { Attachment } from "../../workspace/attachments.ts";

/** What hooks see of a result. */
const MOST_SHOWN = 50_000;

/** Asks about the calls with which the main agent answers a message. */
export function mainGuard({ ask = [] }: SessionMessage, guard: Pick<Attachment<AgentGuard>, "part">): TurnGuard {
  const projectId = undefined;
  return {
    guards: () => withConsent(guard.part.guardsOf(projectId), ask),
    permit: ({ id: callId, name: tool, input }) => guard.part.permit({ projectId, ask, callId, tool, input }),
    called: ({ id: callId, name: tool, input }, { output, failed = false }) => {
      const made = { projectId, ask, callId, tool, input, output: output.slice(0, MOST_SHOWN), failed };
      return guard.part.called(made);
    },
  };
}
