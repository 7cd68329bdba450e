import type { Escalation } from "../../src/contract/documents/escalation.ts";
import { eventually, type Hall } from "./daemon.ts";

/** The escalation that a run asked, as soon as it waits for the person. */
export async function pendingOf(hall: Hall, runId: string): Promise<Escalation> {
  const found = await eventually(
    async () => {
      const { escalations } = (await hall.call("GET", "/api/escalations?status=pending&limit=500")).body;
      return escalations.filter(
        ({ subject, askers }) => subject === undefined && askers.some(({ id }) => id === runId),
      );
    },
    ({ length }) => length > 0,
  );
  return found[0] as Escalation;
}

/** Answers what a run asked, and resolves with the status of the response. */
export async function answerRun(hall: Hall, runId: string, resolution: string): Promise<number> {
  const { id } = await pendingOf(hall, runId);
  return (await hall.call("POST", `/api/escalations/${id}/resolve`, { resolution })).status;
}
