import { type Config, OFFLINE_PROVIDER } from "../../contract/documents/config.ts";
import type { Rank } from "../../contract/documents/rank.ts";
import { HallError } from "../../contract/errors.ts";
import type { ChildAnswer } from "../../contract/runs/hall-questions.ts";
import type { HandInOrder } from "../../contract/runs/hand-in.ts";
import type { Run, RunPlan, SpawnRequest, Workplace } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { SUBMIT_TOOLS } from "../../contract/words/tool-names.ts";
import { OFFLINE_MODEL } from "../../models/providers.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { assertMay } from "../../workspace/rights.ts";
import { actorOf } from "../record/run-events.ts";
import type { RunProgress } from "../record/run-progress.ts";
import { SpawnRate } from "./spawn-rate.ts";
import type { Spawning } from "./spawning.ts";

interface Parts {
  core: Core;
  hall: Hall;
  limits: Config["limits"];
  spawning: Pick<Spawning, "plan">;
  progress: RunProgress;
  enter: Spawning["enter"];
  planOf: (runId: string) => RunPlan | undefined;
  /** Where a run works, if it has a workplace of its own. */
  placeOf: (runId: string) => Workplace | undefined;
}

interface Asked {
  runId: string;
  callId: string;
  roleId: string;
  /** Of an agent that a member of a team starts. */
  rank: Rank;
  title: string;
  description: string;
  /** It reads, and hands this in, for the member that asks. */
  handIn?: HandInOrder | undefined;
}

/** Handing something in changes nothing. */
const SUBMITS: ReadonlySet<string> = new Set(Object.values(SUBMIT_TOOLS));

/** The lock under which a run gets its children. */
export function childrenOf(runId: string): string {
  return `children of ${runId}`;
}

/** Agents that agents start. */
export class ChildRuns {
  readonly #parts: Parts;
  readonly #rate: SpawnRate;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#rate = new SpawnRate(parts.core.clock);
  }

  /** A child is known by its parent's call: asking again after a crash finds it and its answer. */
  async start(asked: Asked): Promise<{ answer: Promise<ChildAnswer>; ended: Promise<Run> }> {
    const { locks } = this.#parts.core;
    const id = await locks.run(childrenOf(asked.runId), () => this.#childOf(asked));
    const ended = this.#parts.progress.ended(id);
    return { answer: ended.then(answerOf), ended };
  }

  /** The run that this call started, now or before. */
  async #childOf(asked: Asked): Promise<string> {
    const { core, hall, spawning, progress, enter } = this.#parts;
    const known = core.runs.childrenOf(asked.runId).find((child) => child.callId === asked.callId);
    if (known !== undefined) return known.run.id;
    const { run: parent, cancelling } = progress.find(asked.runId);
    // Whoever ends the parent ends all its children that are known by then.
    if (isOver(parent) || cancelling !== undefined) throw new HallError("spawn_refused", "The run is about to end.");
    this.#assertMaySpawn(parent, asked);
    const { title, description, roleId, rank, callId } = asked;
    const task = {
      ...(await hall.tasks.get(parent.projectId, parent.taskId)),
      title,
      description,
      acceptanceCriteria: [],
    };
    const request: SpawnRequest = {
      projectId: parent.projectId,
      roleId,
      taskId: parent.taskId,
      // Elsewhere the role alone says which model is asked.
      overrides: parent.team === undefined ? {} : { rank: rank === "reviewer" ? rank : "worker" },
      variables: {},
      contextFiles: [],
      options: { waitForCompletion: true, notifyOnComplete: false, createArtifact: false },
    };
    const workplace = this.#parts.placeOf(parent.id);
    const { ask, standards } = this.#parts.planOf(parent.id) ?? {};
    const { handIn } = asked;
    const asChild = {
      parent: { runId: parent.id, depth: this.depthOf(parent), workplace, ask, standards, team: parent.team },
      ...(handIn === undefined || parent.team === undefined
        ? {}
        : { team: { of: parent.team, brief: "", handIn, workplace } }),
    };
    const usual = spawning.plan(request, task, asChild);
    // Whoever rehearses does not expect that a part of it is paid for.
    const isPaid = isOffline(parent.model) && !isOffline(usual.model.value);
    const plan = isPaid
      ? spawning.plan({ ...request, overrides: { ...request.overrides, model: OFFLINE_MODEL } }, task, asChild)
      : usual;
    this.#assertRole(parent, plan);
    return (await enter(plan, { request, change: { actor: actorOf(parent) }, callId })).id;
  }

  /** Rights do not grow from run to run: beyond the team, a child has no tool that its parent has not. */
  #assertRole({ id, projectId: project }: Run, { roleId, tools }: RunPlan): void {
    const caller = { kind: "run" as const, project };
    const isOfTeam = this.#parts.hall.team.list(project).some((assignment) => assignment.roleId === roleId);
    const own = new Set(this.#parts.planOf(id)?.tools.value ?? []);
    if (isOfTeam) assertMay(caller, "spawnTeamRole", { project });
    else
      assertMay(caller, "spawnOtherRole", {
        project,
        isWeaker: tools.value.every((one) => own.has(one) || SUBMITS.has(one)),
      });
  }

  depthOf(run: Run): number {
    const parent = this.#parentOf(run);
    return parent === undefined ? 0 : this.depthOf(parent) + 1;
  }

  #assertMaySpawn(parent: Run, { roleId, title }: Asked): void {
    const { spawnDepth, spawnsPerRun, spawnsPerTree, spawnsPerMinute, spawnsAlike } = this.#parts.limits;
    const { runs } = this.#parts.core;
    const refuse = (what: string) => new HallError("spawn_refused", `No more agents can be started here: ${what}.`);
    if (this.depthOf(parent) + 1 > spawnDepth) throw refuse(`limits.spawnDepth is ${spawnDepth}`);
    if (runs.childrenOf(parent.id).length >= spawnsPerRun) throw refuse(`limits.spawnsPerRun is ${spawnsPerRun}`);
    const tree = this.#descendants(this.#rootOf(parent));
    if (tree.length >= spawnsPerTree) throw refuse(`limits.spawnsPerTree is ${spawnsPerTree}`);
    const alike = tree.filter((run) => run.roleId === roleId && kindOf(run.title) === kindOf(title)).length;
    if (alike >= spawnsAlike)
      throw refuse(
        `'${roleId}' was given "${title}" ${alike} times already; limits.spawnsAlike is ${spawnsAlike}. Repeating it won't change the result; use the existing answers`,
      );
    if (!this.#rate.mayStart(parent.projectId, spawnsPerMinute))
      throw refuse(`limits.spawnsPerMinute is ${spawnsPerMinute}; do it yourself, or retry in a minute`);
  }

  #parentOf(run: Run): Run | undefined {
    return run.parentRunId === undefined ? undefined : this.#parts.core.runs.get(run.parentRunId)?.run;
  }

  #rootOf(run: Run): Run {
    const parent = this.#parentOf(run);
    return parent === undefined ? run : this.#rootOf(parent);
  }

  #descendants(run: Run): Run[] {
    const children = this.#parts.core.runs.childrenOf(run.id).map((child) => child.run);
    return [...children, ...children.flatMap((child) => this.#descendants(child))];
  }
}

/** A title without what agents change in it when they ask for the same once more. */
function kindOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function isOffline(model: string): boolean {
  return model.startsWith(`${OFFLINE_PROVIDER}/`);
}

function answerOf({ status, result, error = "" }: Run): ChildAnswer {
  const said = result?.output ?? "";
  const files = result?.filesChanged ?? [];
  if (status === "completed") return { output: said, failed: false, files };
  const output = said === "" ? error : `${error}\n\nLast message:\n\n${said}`;
  return { output: `The agent ${status === "failed" ? "failed" : "was stopped"}: ${output}`, failed: true, files };
}
