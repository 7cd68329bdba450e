import type { Project } from "../../contract/documents/project.ts";
import type { ModelPreset, Rank } from "../../contract/documents/rank.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import { HallError } from "../../contract/errors.ts";
import type { HandInOrder, RunTeam } from "../../contract/runs/hand-in.ts";
import type { Run, SpawnRequest, Workplace } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { WORKTREES_FOLDER } from "../../workspace/layout.ts";
import { placeIn } from "../git/workplace-choice.ts";
import type { Workplaces } from "../git/workplaces.ts";
import type { Runs } from "../runs.ts";
import { ignoreEnded } from "../schedule/cancelling.ts";
import { LEAD_ROLE } from "./built-in-roles.ts";
import { draftTask } from "./spawned-task.ts";
import type { Spawning } from "./spawning.ts";
import type { TeamPart } from "./team-part.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "tasks" | "projects">;
  spawning: Pick<Spawning, "plan">;
  runs: Pick<Runs, "spawn" | "enter" | "cancel" | "changeModel" | "tell" | "restart">;
  workplaces: Pick<Workplaces, "repositoryOf" | "ensureBranch" | "bringIn" | "tipOf" | "trial">;
  /** How commands of a project are kept in; a text says why none are run. */
  sandboxFor: (project: Project) => RunSandbox | string;
  /** Resolves when models and sandbox are known. */
  settle: () => Promise<unknown>;
}

/** Whether a worktree of a project can be set up. */
export interface SetupTrial {
  passed: boolean;
  reason?: string;
}

/** What a run of a team is for. */
export type TeamRunWork =
  /** It does its task, off the team's branch and into it; without a target, in the project's folder. */
  | { work: Pick<TeamPart, "target" | "delegates" | "returns"> }
  /** It reads the newest commit of a branch, or the project's folder, and hands something in. */
  | { lead: { handIn: HandInOrder; at?: string | undefined } }
  /** The same, and it may run commands in its throwaway worktree. */
  | { check: { handIn: HandInOrder; at?: string | undefined } }
  /** It hands the report in; its result is the team's branch, which goes into the target. */
  | { deliver: { handIn: HandInOrder; branch: string; target: string } };

export type TeamRunOrder = TeamRunWork & {
  /** Who asks again under the same id finds the same run. */
  runId: string;
  projectId: string;
  taskId: string;
  team: RunTeam;
  rank: Rank;
  /** A role of the hall, or a built-in one. */
  roleId: string;
  /** In place of the role of that id. */
  role?: Role | undefined;
  model?: string | undefined;
  preset?: ModelPreset | undefined;
  /** Tools that need consent in every run of the team. */
  ask?: string[] | undefined;
  /** What the team adds to the prompt. */
  prompt: string;
  /** Clients that had the team started. */
  clients?: readonly string[];
  /** Skill packs that it may use beside those of its role. */
  standards?: readonly string[] | undefined;
};

/** Runs that work for a team. They end like any other; what comes of it is for the team to see. */
export class TeamRuns {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  known(runId: string): Run | undefined {
    return this.#parts.core.runs.get(runId)?.run;
  }

  /**
   * The branch that results of a project go into; undefined without git. Refuses with HallError where no run of a team could be started:
   * no model, or a repository that can't be used.
   */
  async baseFor(
    projectId: string,
    { title, preset, asked }: { title: string; preset?: ModelPreset | undefined; asked?: string | undefined },
  ) {
    const { hall, spawning, settle, workplaces } = this.#parts;
    await settle();
    const overrides = { rank: "lead" as const, ...(preset === undefined ? {} : { preset }) };
    const options = { waitForCompletion: false, notifyOnComplete: false, createArtifact: false };
    const context = { files: [], codeRefs: [], dependencies: [] };
    const task = { title, description: "", type: "planning" as const, priority: "medium" as const, context };
    const request = { projectId, roleId: LEAD_ROLE, task, overrides, variables: {}, contextFiles: [], options };
    const team: TeamPart = { of: { id: "team", member: "lead" }, brief: "", handIn: { kind: "spec", mode: "auto" } };
    spawning.plan(request, draftTask(request), { runId: "run-preview", team });
    const repository = await workplaces.repositoryOf(hall.projects.get(projectId));
    if (repository instanceof HallError) throw repository;
    if (asked === undefined) return repository?.target;
    if (repository === undefined)
      throw new HallError("invalid", `baseBranch: project '${projectId}' has no git repository.`);
    if ((await workplaces.tipOf({ repository: repository.gitDir, branch: asked })) === undefined)
      throw new HallError("invalid", `baseBranch: there is no branch '${asked}' with commits.`);
    return asked;
  }

  /** The run when it is on disk. Refuses with HallError what can't be started. */
  async start(order: TeamRunOrder): Promise<Run> {
    const { core, settle } = this.#parts;
    return core.locks.run(`team run ${order.runId}`, async () => {
      const known = this.known(order.runId);
      if (known !== undefined) return known;
      await settle();
      return "work" in order ? this.#work(order, order.work) : this.#look(order);
    });
  }

  /** From its next turn on. One that is over keeps its model. */
  async changeModel(runId: string, model: string): Promise<void> {
    if (this.known(runId) !== undefined) await this.#parts.runs.changeModel(runId, model);
  }

  /** Under one id once; false where the run is over. It reaches the model with its next turn. */
  async tell(runId: string, message: { id: string; text: string }): Promise<boolean> {
    return this.known(runId) === undefined ? false : this.#parts.runs.tell(runId, message);
  }

  /** Continues it from its journal, unless it was restarted since that epoch. */
  async restart(runId: string, epoch: number): Promise<"done" | "over" | "waits"> {
    return this.known(runId) === undefined ? "over" : this.#parts.runs.restart(runId, epoch);
  }

  /** Ends those that are under way. Resolves when they are over. */
  async cancel(runIds: readonly string[], reason: string): Promise<void> {
    const open = runIds.filter((id) => !isOver(this.known(id) ?? { status: "cancelled" }));
    await Promise.all(open.map((id) => this.#parts.runs.cancel(id, reason).catch(ignoreEnded)));
  }

  /** The team's branch, made off the base where it is not there yet; durable when it resolves. */
  async ensureBranch(projectId: string, branch: string, base: string): Promise<{ commit: string }> {
    const { hall, workplaces } = this.#parts;
    return workplaces.ensureBranch(hall.projects.get(projectId), { branch, base });
  }

  /** Merges the base into the team's branch, for a run that resolves their conflicts. */
  async bringIn(projectId: string, of: { from: string; branch: string; runId: string }): Promise<void> {
    await this.#parts.workplaces.bringIn(this.#parts.hall.projects.get(projectId), of);
  }

  /** Sets up a worktree of the branch and throws it away. */
  async trySetup(projectId: string, branch: string, signal: AbortSignal): Promise<SetupTrial> {
    const { core, hall, workplaces, settle, sandboxFor } = this.#parts;
    await settle();
    const project = hall.projects.get(projectId);
    const policy = sandboxFor(project);
    // Where no commands can be run, no member runs any.
    if (typeof policy === "string") return { passed: true };
    const place = await this.#commitPlace({ runId: `setup-${core.nextId()}`, projectId }, branch);
    const failed = await workplaces.trial({ projectId, place, policy, signal });
    return failed === undefined ? { passed: true } : { passed: false, reason: failed };
  }

  async #work(order: TeamRunOrder, how: Pick<TeamPart, "target" | "delegates" | "returns">): Promise<Run> {
    const { core, runs } = this.#parts;
    const { runId, role, team: of, prompt: brief, standards, clients } = order;
    const request = { ...requestOf(order), purpose: "work" as const };
    await runs.spawn(request, { actor: BY_DAEMON, clients }, { runId, role, team: { of, brief, standards, ...how } });
    return core.runs.get(runId)?.run ?? notStarted(runId);
  }

  async #look(order: TeamRunOrder): Promise<Run> {
    const { hall, spawning, runs } = this.#parts;
    const { runId, projectId, taskId, role, team: of, prompt: brief, clients } = order;
    const { handIn, workplace } = await this.#placeOf(order);
    const request = requestOf(order);
    const task = await hall.tasks.get(projectId, taskId);
    const team: TeamPart = { of, brief, handIn, workplace };
    const plan = spawning.plan(request, task, { runId, team, ...(role === undefined ? {} : { role }) });
    return runs.enter(plan, { request, change: { actor: BY_DAEMON, clients } });
  }

  async #placeOf(order: TeamRunOrder): Promise<{ handIn: HandInOrder; workplace?: Workplace }> {
    if ("deliver" in order) {
      const { handIn, branch, target } = order.deliver;
      return { handIn, workplace: await this.#place(order, { branch, target }) };
    }
    const { handIn, at } = "lead" in order ? order.lead : (order as Extract<TeamRunOrder, { check: unknown }>).check;
    return at === undefined ? { handIn } : { handIn, workplace: await this.#commitPlace(order, at) };
  }

  /** Of the newest commit of a branch. */
  async #commitPlace(of: Pick<TeamRunOrder, "runId" | "projectId">, branch: string): Promise<Workplace> {
    const workplace = await this.#place(of, { branch, target: branch });
    const commit = await this.#parts.workplaces.tipOf(workplace);
    if (commit === undefined) throw new HallError("repository_refused", `The branch '${branch}' no longer exists.`);
    return { ...workplace, commit };
  }

  async #place(
    { runId, projectId }: Pick<TeamRunOrder, "runId" | "projectId">,
    branches: { branch: string; target: string },
  ): Promise<Workplace> {
    const { core, hall, workplaces } = this.#parts;
    const repository = await workplaces.repositoryOf(hall.projects.get(projectId));
    if (repository instanceof HallError) throw repository;
    if (repository === undefined)
      throw new HallError("repository_refused", `Project '${projectId}' has no git repository.`);
    return placeIn(repository, { runId, folder: `${core.files.root}/${WORKTREES_FOLDER}`, ...branches });
  }
}

/** The person hears of the team, and not of each of its runs. */
function requestOf(order: TeamRunOrder): SpawnRequest & { projectId: string } {
  const { projectId, roleId, taskId, rank, model, preset, ask } = order;
  const chosen = { ...(model && { model }), ...(preset && { preset }), ...(ask && { ask }) };
  return {
    projectId,
    roleId,
    taskId,
    overrides: { rank, ...chosen },
    variables: {},
    contextFiles: [],
    options: { waitForCompletion: false, notifyOnComplete: false, createArtifact: "work" in order },
  };
}

function notStarted(runId: string): never {
  throw new HallError("team_refused", `Run '${runId}' could not be started.`);
}
