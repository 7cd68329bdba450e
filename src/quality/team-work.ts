import type { Run } from "../contract/runs/run.ts";

/** What the gates ask of the team that a run belongs to. */
export interface TeamWork {
  /** The requirements that the run's task has to meet, as text; undefined of a run whose team has no spec. */
  specOf(run: Run): string | undefined;
  /** Of the run that delivers what a team made: the integration check that judged it, and whether a person accepted what that found. */
  deliveryOf(run: Run): { checkId: string | undefined; isAccepted: boolean } | undefined;
}
