import { type Project, ProjectCreate } from "../../contract/documents/project.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run, RunAsker, RunPlan, RunPurpose, RunTrigger, SpawnRequest } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Change } from "../../workspace/change.ts";
import { type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { clientsOf } from "../../workspace/own-work.ts";
import { assertActive, newProject } from "../../workspace/projects/project-rules.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import type { Found } from "../git/repository.ts";
import { mayChangeFiles } from "../git/workplace-choice.ts";
import type { NewLease, Origin, RunBook } from "../record/run-book.ts";
import { newRun } from "../record/run-facts.ts";
import { isSubmitted, type SubmittedResult } from "../results/submitted-result.ts";
import type { Lease } from "../schedule/engine.ts";
import { assignTask } from "./assigned-task.ts";
import type { Instructions } from "./instructions.ts";
import type { Continued, Planning, PlanOrder } from "./planning.ts";
import { createTask, draftTask, type PlacedRequest } from "./spawned-task.ts";
import type { TeamPart } from "./team-part.ts";

const INBOX = { id: "inbox", name: "Inbox", description: "Work that was requested without a project." };
const STARTABLE = new Set(["pending", "assigned", "in-progress", "review", "failed", "done"]);

interface Parts {
  core: Core;
  hall: Hall;
  book: RunBook;
  planning: Planning;
  secrets: Pick<ProjectSecrets, "of">;
  /** Gets ready for a model that is about to be asked. */
  prepare: (model: string) => void;
  repositoryOf: (project: Project) => Promise<Found>;
  instructions: Pick<Instructions, "settle">;
  /** The result of a task that is in review or done. */
  submitted: (task: Task) => Promise<SubmittedResult>;
}

interface PlannedRun {
  runId?: string;
  parent?: NonNullable<PlanOrder["parent"]>;
  repository?: Found;
  continues?: Continued | undefined;
  submitted?: SubmittedResult | undefined;
  asker?: RunAsker | undefined;
  /** Answers to what earlier runs of the task asked. */
  answers?: string | undefined;
  /** A lease for the run, where it may start at once: then it is created with it. */
  reserve?: (run: Run, plan: RunPlan, task: Task) => Promise<Lease | undefined>;
  /** Where it is not there yet. */
  project?: Project;
  /** Where the hall need not have it. */
  role?: Role | undefined;
  team?: TeamPart | undefined;
  trigger?: RunTrigger | undefined;
}

type How = "continues" | "asker" | "runId" | "answers" | "reserve" | "role" | "team" | "trigger";

export type SpawnedHow = Pick<PlannedRun, How> & {
  /** In place of those of the run that is repeated. */
  overrides?: SpawnRequest["overrides"] | undefined;
};

interface Asked {
  request: PlacedRequest;
  change: Change;
  planned: PlannedRun;
}

interface Entered {
  request: SpawnRequest;
  change: Change;
  callId?: string;
  lease?: (run: Run) => Promise<Lease | undefined> | undefined;
}

/** From a request to a run that is on disk, and a task that shows it. */
export class Spawning {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `continues`: the result that was sent back, whose branch the run goes on with. */
  async create(request: SpawnRequest, change: Change, how: SpawnedHow = {}): Promise<Run> {
    if (request.projectId === undefined) await this.#openInbox(request, change);
    const projectId = request.projectId ?? INBOX.id;
    const placed = { ...request, projectId };
    if (request.taskId === undefined) return this.#create(placed, change, how);
    // Of two who want the same task at once, the second sees that it is taken.
    return this.#parts.core.locks.run(`spawn ${projectId} ${request.taskId}`, () => this.#create(placed, change, how));
  }

  async #create(request: PlacedRequest, change: Change, how: PlannedRun): Promise<Run> {
    this.#assertActive(request.projectId);
    const planned = { ...how, repository: await this.#repositoryOf(request.projectId) };
    return request.taskId === undefined
      ? this.#createWithTask({ request, change, planned })
      : this.#createFor(request.taskId, { request, change, planned });
  }

  async #repositoryOf(projectId: string): Promise<Found> {
    const { instructions, repositoryOf, hall } = this.#parts;
    await instructions.settle(projectId);
    return repositoryOf(hall.projects.get(projectId));
  }

  async #createFor(taskId: string, { request, change, planned }: Asked): Promise<Run> {
    const task = await this.#freeTask(request, taskId);
    const submitted = await this.#reviewed(request, task);
    const { reserve } = planned;
    const plan = this.plan(request, task, { ...planned, submitted });
    const run = await this.enter(plan, { request, change, lease: (made) => reserve?.(made, plan, task) });
    await assignTask(this.#parts, run, { actor: change.actor }).catch((error) => {
      // The run is on disk and is carried out; when it is taken up, its task is asked again.
      if (!(error instanceof HallError)) throw error;
    });
    return run;
  }

  /** The run and its task become durable together. */
  async #createWithTask({ request, change, planned }: Asked): Promise<Run> {
    const { core, hall, book } = this.#parts;
    await core.taskGate.assertAllowed(request.projectId, draftTask(request), change);
    // Nothing is made, and no number used, for a request that is refused.
    const plan = hall.tasks.reserve(request.projectId, (id) => this.plan(request, draftTask(request, id), planned));
    const run = newRun(plan);
    const lease = this.#newLease(await planned.reserve?.(run, plan, draftTask(request, run.taskId)));
    const together = await book.created({ type: "plan", plan, request: this.#shown(request) }, run, {
      ...this.#originOf(plan, change),
      lease,
    });
    await createTask(hall, request, { run, change, together });
    return run;
  }

  /** What a spawn would do, without doing any of it; refused where the spawn would be. */
  async preview(request: SpawnRequest): Promise<RunPlan> {
    const run = { runId: "run-preview" };
    if (request.projectId === undefined && !this.#hasInbox) return this.#planForNewInbox(request, run);
    const placed = { ...request, projectId: request.projectId ?? INBOX.id };
    this.#assertActive(placed.projectId);
    const next = () => draftTask(placed, this.#parts.hall.tasks.nextId(placed.projectId));
    const task = request.taskId === undefined ? next() : await this.#freeTask(placed, request.taskId);
    const repository = await this.#repositoryOf(placed.projectId);
    return this.plan(placed, task, { ...run, repository, submitted: await this.#reviewed(placed, task) });
  }

  /** The result that the run is to review; undefined when it is to do the task. */
  async #reviewed(request: PlacedRequest, task: Task): Promise<SubmittedResult | undefined> {
    if (this.#purposeOf(request, task) === "work") return undefined;
    if (isSubmitted(task)) return this.#parts.submitted(task);
    throw new HallError("illegal_move", `${task.id} is ${task.status} and has no result to review.`, {
      hint: "Review it when it is in review or done.",
    });
  }

  /**
   * The only place where a purpose is chosen that the request does not name: a role that cannot change files could not do
   * a task that has a result, and reviews it. The choice is recorded with the run, and is not made again for it.
   */
  #purposeOf(request: PlacedRequest, task: Task): RunPurpose {
    const isReview = isSubmitted(task) && !mayChangeFiles(this.#skillsOf(request));
    return request.purpose ?? (isReview ? "review" : "work");
  }

  /** Whether the request is for somebody who may run commands; of one that will be refused, it does not matter. */
  wantsCommands(request: SpawnRequest): boolean {
    return this.#skillsOf(request).includes("exec");
  }

  #skillsOf({ roleId, projectId, overrides }: SpawnRequest): readonly string[] {
    const { roles, projects } = this.#parts.core;
    const assignment = projects.get(projectId ?? INBOX.id)?.team.find((entry) => entry.roleId === roleId);
    return overrides.skills ?? assignment?.skills ?? roles.get(roleId)?.skills ?? [];
  }

  plan(request: SpawnRequest, task: Task, run: PlannedRun): RunPlan {
    const { runId = this.#newId(), reserve: _, ...more } = run;
    const plan = this.#parts.planning.plan({
      runId,
      request,
      task,
      at: this.#parts.core.clock().toISOString(),
      ...more,
    });
    this.#parts.prepare(plan.model.value);
    return plan;
  }

  /** Durable and told when it resolves. */
  async enter(plan: RunPlan, asked: Entered): Promise<Run> {
    const { request, change, callId } = asked;
    const run = newRun(plan);
    const lease = this.#newLease(await asked.lease?.(run));
    const entry = { type: "plan" as const, plan, request: this.#shown(request) };
    const origin = { ...this.#originOf(plan, change), callId, lease };
    const { events, writes, apply } = await this.#parts.book.created(entry, run, origin);
    await commit(this.#parts.core, events, apply, writes);
    return run;
  }

  /** Who asked for it. Whoever had the result done that it continues has this one done, too. */
  #originOf({ continues }: RunPlan, { actor, request, clients = [] }: Change): Origin {
    const before = continues && this.#parts.core.runs.get(continues.runId);
    const all = new Set([...clients, ...clientsOf(before)]);
    return { by: { actor, request }, ...(all.size === 0 ? {} : { clients: [...all] }) };
  }

  #newLease(lease: Lease | undefined): NewLease | undefined {
    return lease && { epoch: lease.epoch, at: this.#parts.core.clock().toISOString() };
  }

  /** As the journal keeps it. */
  #shown(request: SpawnRequest): SpawnRequest {
    return this.#parts.secrets.of(request.projectId ?? INBOX.id).deep(request);
  }

  #newId(): string {
    return `run-${this.#parts.core.nextId()}`;
  }

  get #hasInbox(): boolean {
    return this.#parts.core.projects.status(INBOX.id) !== undefined;
  }

  /** The inbox is made with the first request that will not be refused. */
  async #openInbox(request: SpawnRequest, change: Change): Promise<void> {
    await this.#parts.core.locks.run("spawn inbox", async () => {
      if (this.#hasInbox) return;
      this.#planForNewInbox(request, {});
      await this.#parts.hall.projects.create(ProjectCreate.parse(INBOX), { actor: change.actor });
    });
  }

  #planForNewInbox(request: SpawnRequest, run: PlannedRun): RunPlan {
    const placed = { ...request, projectId: INBOX.id };
    if (request.taskId !== undefined)
      throw new HallError("task_not_found", `There is no task '${request.taskId}' in project '${INBOX.id}'.`);
    const project = newProject(INBOX.id, ProjectCreate.parse(INBOX), this.#parts.core.clock().toISOString());
    return this.plan(placed, draftTask(placed), { ...run, project });
  }

  async #freeTask({ projectId }: PlacedRequest, taskId: string): Promise<Task> {
    const task = await this.#parts.hall.tasks.get(projectId, taskId);
    this.#assertFree(task);
    return task;
  }

  #assertActive(projectId: string): void {
    assertActive(this.#parts.hall.projects.get(projectId), "agents can't be started in it");
  }

  #assertFree(task: Task): void {
    const { runs } = this.#parts.core;
    const active = task.assignedSubAgentId === undefined ? undefined : runs.get(task.assignedSubAgentId)?.run;
    if (active !== undefined && !isOver(active)) {
      const hint = "Wait for it, or stop it.";
      throw new HallError("illegal_move", `Run '${active.id}' is already working on ${task.id}.`, { hint });
    }
    if (task.status === "blocked" && task.escalations !== undefined)
      throw new HallError("illegal_move", `${task.id} is blocked by ${task.escalations.join(", ")}.`, {
        hint: "Answer it first, or move the task to pending.",
      });
    if (!STARTABLE.has(task.status))
      throw new HallError("illegal_move", `${task.id} is ${task.status}; move it to pending first.`);
  }
}
