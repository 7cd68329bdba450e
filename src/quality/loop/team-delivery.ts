import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { JudgedResult } from "../../runs/results/gatekeeper.ts";
import type { Judgement } from "../../runs/results/lifecycle-events.ts";
import type { Attachment } from "../../workspace/attachments.ts";
import type { TeamWork } from "../team-work.ts";

interface Parts {
  teams: Pick<Attachment<TeamWork>, "part">;
  /** Undefined where it is gone or can't be read. */
  checkOf: (id: string) => IntegrationCheck | undefined;
  /** The tree of a commit of a run's repository. */
  treeOf: (run: Run, result: Extract<JudgedResult, { kind: "branch" }>) => Promise<string | undefined>;
}

const unable = (reason: string): Judgement => ({ is: "unable", reason });

/**
 * What a team delivers was judged as a whole: it passes where the integration check judged exactly that tree, and nothing else does.
 * Undefined of any other run.
 */
export class TeamDeliveries {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async judge(run: Run, result: JudgedResult): Promise<Judgement | undefined> {
    const { teams, checkOf, treeOf } = this.#parts;
    const delivery = teams.part.deliveryOf(run);
    if (delivery === undefined) return undefined;
    if (delivery.isAccepted) return { is: "pass" };
    const check = delivery.checkId === undefined ? undefined : checkOf(delivery.checkId);
    if (check === undefined) return unable("The integration check of the team can't be read.");
    if (check.verdict !== "pass") return unable(`${check.id} did not pass.`);
    if (result.kind !== "branch" || check.tree === undefined || (await treeOf(run, result)) !== check.tree)
      return unable(`The team's branch is not what ${check.id} judged.`);
    return { is: "pass" };
  }
}
