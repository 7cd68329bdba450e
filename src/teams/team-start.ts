import type { AgentTeams } from "../contract/documents/config.ts";
import type { TeamDocument } from "../contract/documents/teams/team.ts";
import type { AutonomyRequest } from "../contract/documents/teams/team-autonomy.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { RouteBody } from "../contract/routes/routes.ts";
import { cutText } from "../contract/words/cut-text.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import type { TeamRuns } from "../runs/plan/team-runs.ts";
import type { Change } from "../workspace/change.ts";
import { type Core, commitAll } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { assertActive } from "../workspace/projects/project-rules.ts";
import { assertActorMay } from "../workspace/rights.ts";
import { autonomyFact, autonomyOfRequest, capOf } from "./autonomy/autonomy-order.ts";
import { readSession } from "./sessions/session-folder.ts";
import { faultsText, sessionStart } from "./sessions/session-start.ts";
import { goalTask } from "./team-board.ts";
import type { TeamKeeper } from "./team-keeper.ts";
import type { Beginning, TeamStore } from "./team-store.ts";

interface Parts {
  core: Core;
  hall: Hall;
  settings: AgentTeams;
  store: TeamStore;
  keeper: Pick<TeamKeeper, "look">;
  runs: Pick<TeamRuns, "baseFor">;
  /** Ids of roles that a plan may name. */
  roles: () => string[];
}

type Body = RouteBody<"createTeam">;

const LONGEST_NAME = 60;
const FIX_SESSION = "Fix these files of the session folder, then try again.";

/** A team that a trigger or a lead starts, under an id that it knows before. */
export type TriggeredTeam = Pick<TeamDocument, "id" | "trigger" | "ask">;

/** How teams come to be. */
export class TeamStarts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A team that carries out the plan of a session. Whoever hands it over approves it. */
  async session(projectId: string, body: RouteBody<"importTeam">, change: Change): Promise<string> {
    const { files, unreadable = [], ...more } = body;
    assertActive(this.#parts.hall.projects.get(projectId), "no team is started in it");
    const read = readSession(files, { roles: this.#parts.roles(), unreadable });
    if (!read.ok) throw new HallError("invalid", faultsText(read.faults), { hint: FIX_SESSION });
    const { body: asked, beginning } = sessionStart(read.session, { files, by: whoIs(change.actor) });
    return this.start(projectId, { ...asked, ...more, approval: "none" }, change, beginning);
  }

  /** The id of the team when it is on disk. Refuses what no run could be started in. */
  async start(
    projectId: string,
    body: Body,
    change: Change,
    beginning: Beginning = {},
    by?: TriggeredTeam,
  ): Promise<string> {
    const { core, hall, store, keeper, settings } = this.#parts;
    const autonomy = autonomyOfRequest(body, settings.yolo, change.actor);
    this.#assertMay(body, change.actor);
    assertActive(hall.projects.get(projectId), "no team is started in it");
    const name = body.name ?? nameOf(body.goal);
    const { preset, baseBranch: asked } = body;
    const baseBranch = await this.#parts.runs.baseFor(projectId, { title: name, preset, asked });
    const { id = `team-${core.nextId()}`, trigger, ask } = by ?? {};
    const of = {
      ...{ id, projectId, name },
      ...(baseBranch === undefined ? {} : { baseBranch }),
      ...(trigger === undefined ? {} : { trigger }),
      ...(ask === undefined ? {} : { ask }),
    };
    const begins = autonomy === undefined ? beginning : withAutonomy(beginning, autonomy, { settings, change });
    if (body.taskId === undefined) {
      await core.taskGate.assertAllowed(projectId, goalTask(body.goal, name), change);
      await hall.tasks.reserve(projectId, (taskId) => {
        const document = this.#documentOf({ ...of, taskId }, body, { change, autonomy });
        // The key belongs to the team: whoever asks again gets the team, not its task.
        const { request: _, ...rest } = change;
        const task = { ...goalTask(body.goal, name), id: taskId };
        return hall.tasks.create(projectId, task, { ...rest, isChecked: true }, store.begin(document, change, begins));
      });
    } else {
      const taskId = body.taskId;
      await core.locks.run(`goal ${projectId} ${taskId}`, async () => {
        await this.#assertFree(projectId, taskId);
        const document = this.#documentOf({ ...of, taskId }, body, { change, autonomy });
        await commitAll(core, store.begin(document, change, begins));
      });
    }
    keeper.look(of.id);
    return of.id;
  }

  /** What only the person decides, nobody decides by starting a team: that no plan is shown, or that it may spend more. */
  #assertMay({ approval, budgetUsd, autonomy }: Body, actor: Actor): void {
    const { costCapUsd = Number.POSITIVE_INFINITY, yolo } = this.#parts.settings;
    const isAutonomous = autonomy !== undefined && autonomy.mode !== "off";
    if (approval === "none" || isAutonomous) assertActorMay(actor, "answer");
    const cap = autonomy?.costCapUsd ?? 0;
    if ((budgetUsd ?? 0) > costCapUsd || (isAutonomous && cap > Math.min(costCapUsd, yolo.costCapUsd)))
      assertActorMay(actor, "setBudget");
  }

  #documentOf(
    of: Pick<TeamDocument, "id" | "projectId" | "name" | "taskId" | "baseBranch" | "trigger" | "ask">,
    { goal, strategy, preset, approval, budgetUsd, sdd }: Body,
    { change: { actor }, autonomy }: { change: Change; autonomy: AutonomyRequest | undefined },
  ): TeamDocument {
    const { core, settings } = this.#parts;
    const budget = budgetUsd ?? settings.costCapUsd ?? null;
    return {
      ...of,
      goal,
      ...(strategy === undefined ? {} : { strategy }),
      ...(preset === undefined ? {} : { preset }),
      approval: approval ?? (autonomy === undefined ? "plan" : "none"),
      budgetUsd: autonomy === undefined ? budget : capOf(autonomy, { budgetUsd, settings }),
      sdd: { value: sdd ?? "auto", because: sdd === undefined ? "the default" : "set by this request" },
      ...(of.baseBranch === undefined ? {} : { branch: `guildhall/${of.id}` }),
      createdAt: core.clock().toISOString(),
      createdBy: whoIs(actor),
    };
  }

  /** A task is the goal of one team at a time. */
  async #assertFree(projectId: string, taskId: string): Promise<void> {
    const { hall, store } = this.#parts;
    const { status } = await hall.tasks.get(projectId, taskId);
    if (status === "done" || status === "cancelled")
      throw new HallError("team_refused", `${taskId} is ${status}. Move it to pending first.`);
    const other = store
      .open()
      .find(
        ({ document, status: of }) => document.projectId === projectId && document.taskId === taskId && !hasEnded(of),
      );
    if (other !== undefined)
      throw new HallError("team_refused", `Team '${other.document.id}' works on ${taskId} already.`);
  }
}

export function whoIs({ kind, id }: Actor): string {
  return id ?? kind;
}

/** Autonomous from its first moment on. */
function withAutonomy(
  { facts = [], ...beginning }: Beginning,
  asked: AutonomyRequest,
  { settings, change }: { settings: AgentTeams; change: Change },
): Beginning {
  const fact = autonomyFact(asked, { yolo: settings.yolo, by: whoIs(change.actor) });
  return { ...beginning, facts: [...facts, fact] };
}

/** The first line of a goal, short enough for a list. */
function nameOf(goal: string): string {
  const line = goal.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length <= LONGEST_NAME
    ? line
    : cutText(line, LONGEST_NAME - 1, "")
        .trimEnd()
        .concat("…");
}
