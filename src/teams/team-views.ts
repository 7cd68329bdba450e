import type { GateReport } from "../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../contract/documents/quality/integration-check.ts";
import type { Team, TeamDocument, TeamTask } from "../contract/documents/teams/team.ts";
import type { TeamReport } from "../contract/documents/teams/team-report.ts";
import { HallError } from "../contract/errors.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { TeamState } from "./machine/team-state.ts";
import { taskViews, teamView } from "./machine/view.ts";
import { reportText } from "./report-text.ts";
import { teamReport } from "./team-report.ts";

const PAGE = 200;

interface Parts {
  core: Core;
  hall: Pick<Hall, "gates">;
  /** What the ledger has. */
  spentOf: (teamId: string) => { usd: number; known: boolean };
}

/** Teams as they are shown. */
export class TeamViews {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(state: TeamState): Team {
    const { core, spentOf } = this.#parts;
    const { id } = state.document;
    const { usd: costUsd, known: costKnown } = spentOf(id);
    const waitingFor = this.#waitingFor(state);
    const runStatus = (runId: string) => core.runs.get(runId)?.run.status;
    return teamView(state, {
      costUsd,
      costKnown,
      etag: `"${id}-${state.seq}"`,
      now: core.clock().toISOString(),
      waitingFor,
      runStatus,
    });
  }

  #waitingFor(state: TeamState): Team["waitingFor"] {
    const { core } = this.#parts;
    const { projectId } = state.document;
    if (hasEnded(state.status) || state.question !== undefined) return undefined;
    if (core.projects.status(projectId) !== "active") return "project";
    if (this.#isBlocked(state)) return "person";
    const waits = runIdsAtWork(state).map((runId) => core.runs.get(runId)?.run.waitingFor);
    const held = (code: "budget" | "quota") => waits.length > 0 && waits.every((one) => one === code);
    return held("budget") ? "budget" : held("quota") ? "quota" : this.#waitsForReview(state);
  }

  /** The review of a member's work came to the person: it failed too often, or could not be judged. */
  #isBlocked({ document: { projectId }, index, tasks }: TeamState): boolean {
    const { tasks: board, runs } = this.#parts.core;
    return [...index.atWork].some((key) => {
      const { taskId = "", runId = "" } = tasks.get(key) ?? {};
      const { state, gate } = runs.get(runId)?.run.delivery ?? {};
      const isUnable = state === "review" && gate?.verdict === "unable";
      return isUnable || board.record(projectId, taskId)?.status === "blocked";
    });
  }

  /** What a team delivers may wait for the person like any other result. */
  #waitsForReview({ status, deliveryRunId = "" }: TeamState): Team["waitingFor"] {
    if (status !== "delivering") return undefined;
    return this.#parts.core.runs.get(deliveryRunId)?.run.delivery?.state === "review" ? "person" : undefined;
  }

  tasks(state: TeamState): TeamTask[] {
    return taskViews(state);
  }

  async report(state: TeamState): Promise<{ report: TeamReport; text: string }> {
    const { core } = this.#parts;
    const report = teamReport({
      state,
      team: this.of(state),
      tasks: taskViews(state),
      gates: this.#gatesOf(state),
      check: this.#checkOf(state),
      byRank: costByRank(core, state.document),
      delivery: core.runs.get(state.deliveryRunId ?? "")?.run.delivery,
      unchanged: this.#unchanged(state),
    });
    return { report, text: reportText(report) };
  }

  #unchanged({ tasks }: TeamState): Set<string> {
    const { runs } = this.#parts.core;
    const isUnchanged = (runId = "") => runs.get(runId)?.run.delivery?.state === "unchanged";
    return new Set([...tasks].filter(([, { runIds }]) => isUnchanged(runIds.at(-1))).map(([key]) => key));
  }

  #gatesOf({ tasks }: TeamState): GateReport[] {
    const { gates } = this.#parts.hall;
    return [...tasks.values()]
      .flatMap(({ runIds }) => runIds)
      .flatMap((runId) => gates.ofRun(runId))
      .filter(({ state }) => state === "finished");
  }

  #checkOf({ check }: TeamState): IntegrationCheck | undefined {
    try {
      return check === undefined ? undefined : this.#parts.hall.gates.getCheck(check.id);
    } catch (error) {
      if (error instanceof HallError) return undefined;
      throw error;
    }
  }
}

function runIdsAtWork({ lead, checker, index, tasks }: TeamState): string[] {
  const atWork = [...index.atWork].map((key) => tasks.get(key)).filter((task) => task?.state === "working");
  return [lead?.runId, checker?.runId, ...atWork.map((task) => task?.runId)].filter((id) => id !== undefined);
}

/** What each rank has cost, by the runs that belong to a team: its members, reviewers of their work, and whoever they started. */
function costByRank(
  { runs }: Pick<Core, "runs">,
  { id, projectId }: Pick<TeamDocument, "id" | "projectId">,
): Record<string, number> {
  const cost: Record<string, number> = {};
  // Ids grow with time: no run of a team is older than the team.
  const first = `run-${id.slice("team-".length)}`;
  let before: string | undefined;
  do {
    const page = runs.list({ projectId, limit: PAGE, before }).map(({ run }) => run);
    for (const { team, rank, usage } of page) if (team?.id === id) cost[rank] = (cost[rank] ?? 0) + usage.costUsd;
    const last = page.at(-1)?.id;
    before = page.length < PAGE || last === undefined || last < first ? undefined : last;
  } while (before !== undefined);
  return cost;
}
