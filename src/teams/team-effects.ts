import { HallError } from "../contract/errors.ts";
import type { CheckedCriterion, HandInOrder } from "../contract/runs/hand-in.ts";
import type { EscalationChanges } from "../people/asking/escalation-changes.ts";
import type { CriteriaOrder } from "../quality/integration/branch-criteria.ts";
import type { IntegrationChecks } from "../quality/integration/integration-desk.ts";
import { CHECKER_ROLE, LEAD_ROLE } from "../runs/plan/built-in-roles.ts";
import type { SetupTrial, TeamRunOrder, TeamRuns, TeamRunWork } from "../runs/plan/team-runs.ts";
import type { Review } from "../runs/results/review.ts";
import { unlessRefused } from "../runs/results/settlement.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { help } from "./health/health-effects.ts";
import type { TeamLearning } from "./learning/team-learning.ts";
import type { TeamEffect } from "./machine/effects.ts";
import { checkerOf, leadOf } from "./machine/members.ts";
import { planOrder } from "./machine/plan-graph.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import type { TaskState, TeamState } from "./machine/team-state.ts";
import { responsibilityOf } from "./role-specs/responsibility.ts";
import type { RoleSpecFiles } from "./role-specs/role-spec-files.ts";
import { loopNotes } from "./sessions/loop-notes.ts";
import type { SideWork } from "./side-work.ts";
import { boardTask } from "./team-board.ts";
import { checkPrompt, leadPrompt, withLessons, workPrompt } from "./team-prompts.ts";
import { questionOf } from "./team-questions.ts";
import { filedQuestion } from "./team-world.ts";

export interface EffectParts {
  core: Core;
  hall: Hall;
  runs: Pick<
    TeamRuns,
    "start" | "cancel" | "ensureBranch" | "changeModel" | "trySetup" | "tell" | "restart" | "bringIn"
  >;
  integration: Pick<IntegrationChecks, "create" | "isFull">;
  results: Pick<Review, "rework" | "takeBack">;
  criteria: Pick<SideWork<CheckedCriterion[]>, "ask">;
  checkCriteria: (order: CriteriaOrder) => Promise<CheckedCriterion[]>;
  trials: Pick<SideWork<SetupTrial>, "ask">;
  changes: Pick<EscalationChanges, "step">;
  roleSpecs: Pick<RoleSpecFiles, "ensure" | "bodyFor">;
  /** What the team has so far that concerns a task, as text. */
  loadedFor: (state: TeamState, task: TaskState) => Promise<string>;
  learning: Pick<TeamLearning, "tell">;
  /** Ids of roles that a plan may name. */
  roles: () => string[];
  /** What the hall recorded so far, as text. */
  recordOf: (state: TeamState) => Promise<string>;
}

type EffectOf<Do extends TeamEffect["do"]> = Extract<TeamEffect, { do: Do }>;

/** Failures that pass by themselves. */
const PASSING: readonly string[] = ["storage_failed", "stopping", "internal", "index_unavailable"];
/** Tasks that are created before others may have the team's lock. */
const TASKS_AT_ONCE = 100;
/** The check of a team whose branch can't be checked at all. */
const NO_CHECK = "check-none";

/**
 * Carries out what a team's state says should be. Answers the facts that follow, or `waits` where it can't be done now. Doing it again does
 * it once. Throws where it has to be tried again.
 */
export class TeamEffects {
  readonly #parts: EffectParts;

  constructor(parts: EffectParts) {
    this.#parts = parts;
  }

  carryOut(state: TeamState, effect: TeamEffect): Promise<TeamFact[] | "waits"> {
    switch (effect.do) {
      case "branch":
        return this.#branch(state);
      case "try-setup":
        return this.#trySetup(state);
      case "lead":
        return this.#lead(state, effect);
      case "create-tasks":
        return this.#orWaits(state, () => this.#createTasks(state));
      case "ask":
        return this.#ask(state, effect.number);
      case "withdraw":
        return this.#withdraw(state, effect.number);
      case "work":
        return this.#work(state, effect);
      case "resolve":
        return this.#resolve(state, effect);
      case "help":
        return help(this.#parts.runs, state, effect.number);
      case "change-model":
        return this.#parts.runs.changeModel(effect.runId, effect.model).then(() => []);
      case "check":
        return this.#check(state);
      case "look":
        return this.#look(state, effect.runId);
      case "run-criteria":
        return this.#runCriteria(state);
      case "deliver":
        return this.#deliver();
      case "take-back":
        return this.#takeBack(effect);
      case "cancel":
        return this.#parts.runs.cancel(effect.runIds, whyCancelled(state)).then(() => []);
    }
  }

  async #branch(state: TeamState): Promise<TeamFact[]> {
    const { projectId, branch, baseBranch } = state.document;
    if (branch === undefined || baseBranch === undefined) return [];
    const lead = state.lead;
    return this.#orFact(
      () => this.#parts.runs.ensureBranch(projectId, branch, baseBranch),
      (reason) => (lead === undefined ? [] : [{ type: "lead-failed", ...lead, reason, isFinal: true }]),
    );
  }

  /** In a worktree that is thrown away. */
  async #trySetup({ document: { id, projectId, branch = "" }, questions }: TeamState): Promise<TeamFact[] | "waits"> {
    const { trials, runs } = this.#parts;
    try {
      const trial = trials.ask(id, String(questions), (signal) => runs.trySetup(projectId, branch, signal));
      return trial === undefined ? "waits" : [{ type: "setup-tried", ...trial }];
    } catch (error) {
      return [{ type: "setup-tried", passed: false, reason: refusalIn(error) }];
    }
  }

  async #lead(state: TeamState, { step, runId }: EffectOf<"lead">): Promise<TeamFact[]> {
    const { branch, baseBranch, sdd } = state.document;
    const member = leadOf(state);
    const handIn = this.#handInOf(state, step, sdd.value);
    const record = step === "report" ? await this.#parts.recordOf(state) : "";
    const isDelivery = step === "report" && branch !== undefined && baseBranch !== undefined;
    const work: TeamRunWork = isDelivery
      ? { deliver: { handIn, branch, target: baseBranch } }
      : { lead: { handIn, at: branch } };
    const who = { member: member?.name ?? "lead", rank: "lead" as const, roleId: member?.roleId ?? LEAD_ROLE };
    const told = step === "report" ? "" : (await this.#parts.learning.tell(state)).text;
    const prompt = withLessons(leadPrompt(state, step, record), told);
    const order = this.#order(state, { runId, ...who, model: member?.model, prompt });
    return this.#orFact(
      () => this.#parts.runs.start({ ...order, ...work }),
      (reason) => [{ type: "lead-failed", step, runId, reason, isFinal: true }],
    );
  }

  #handInOf(
    state: TeamState,
    step: EffectOf<"lead">["step"],
    mode: TeamState["document"]["sdd"]["value"],
  ): HandInOrder {
    if (step === "spec") return { kind: "spec", mode };
    if (step === "report" || state.spec === undefined) return { kind: "report" };
    if (step === "evolution") return { kind: "spec-change", mode };
    return { kind: "plan", spec: state.spec, roles: this.#parts.roles() };
  }

  async #work(state: TeamState, { key, runId }: EffectOf<"work">): Promise<TeamFact[]> {
    const task = state.tasks.get(key);
    if (task?.taskId === undefined) return [];
    const { member: name = "worker", roleId, taskId } = task;
    const member = state.members.get(name);
    const rank = member?.rank ?? task.rank;
    const who = { member: name, rank, roleId, taskId };
    const delegates = rank === "head" && state.strategy?.value === "managed";
    const returns = responsibilityOf(task.plan).type;
    const roleSpec = this.#parts.roleSpecs.bodyFor(state, task);
    const resultOf = (id: string) => this.#parts.core.runs.get(id)?.run.result;
    const loop = member === undefined ? "" : loopNotes(state, member, resultOf);
    const loaded = await this.#parts.loadedFor(state, task);
    const { text, standards } = await this.#parts.learning.tell(state, task);
    const prompt = withLessons(workPrompt(state, task, { roleSpec, loop, loaded }), text);
    const order = { ...this.#order(state, { runId, ...who, model: member?.model, prompt }), standards };
    const { projectId, branch, baseBranch: from } = state.document;
    return this.#orFact(
      async () => {
        if (task.merges === true && branch !== undefined && from !== undefined)
          await this.#parts.runs.bringIn(projectId, { from, branch, runId });
        await this.#parts.runs.start({ ...order, work: { target: branch, delegates, returns } });
      },
      (reason) => [{ type: "task-failed", key, runId, reason, isFinal: true }],
    );
  }

  /** The same member on the same branch, which gets what the team has merged since. */
  #resolve({ tasks }: TeamState, { key, runId, of }: EffectOf<"resolve">): Promise<TeamFact[]> {
    const reason = tasks.get(key)?.conflict ?? "";
    const feedback = `The result can't be merged: ${reason}. Resolve this, and change nothing else.`;
    return this.#orFact(
      () => this.#parts.results.rework(of, { runId, feedback, comments: [] }, { actor: BY_DAEMON, why: reason }),
      (refusal) => [{ type: "task-failed", key, runId, reason: refusal, isFinal: true }],
    );
  }

  async #look(state: TeamState, runId: string): Promise<TeamFact[]> {
    const member = checkerOf(state);
    const criteria = [...state.criteria.values()]
      .filter((criterion) => criterion.kind === "look" && criterion.state === "open")
      .map(({ id, text, kind }) => ({ id, text, kind }));
    const who = {
      member: member?.name ?? "reviewer",
      rank: "reviewer" as const,
      roleId: member?.roleId ?? CHECKER_ROLE,
    };
    const order = this.#order(state, { runId, ...who, model: member?.model, prompt: checkPrompt(state) });
    const check = { handIn: { kind: "check" as const, criteria }, at: state.document.branch };
    return this.#orFact(
      () => this.#parts.runs.start({ ...order, check }),
      (reason) => this.#unchecked(state, reason),
    );
  }

  #order(
    { document }: TeamState,
    of: Pick<TeamRunOrder, "runId" | "rank" | "roleId" | "model" | "prompt"> & { member: string; taskId?: string },
  ): Omit<TeamRunOrder, keyof TeamRunWork> {
    const { id, projectId, taskId, preset, ask, createdBy } = document;
    const { member, ...rest } = of;
    return { taskId, ...rest, projectId, team: { id, member }, preset, ask, clients: clientsIn(createdBy) };
  }

  /** A part of them, so that the team can be stopped in between. Each under its own key, so that a task is made once. */
  async #createTasks(state: TeamState): Promise<TeamFact[]> {
    const { hall } = this.#parts;
    const { id, projectId } = state.document;
    await this.#parts.roleSpecs.ensure(state);
    const made = new Map<string, string>();
    const plans = [...state.index.unfiled].flatMap((key) => state.tasks.get(key)?.plan ?? []);
    for (const key of planOrder(plans).slice(0, TASKS_AT_ONCE)) {
      const task = state.tasks.get(key);
      if (task === undefined) continue;
      const request = { key: `team/${id}/${key}`, fingerprint: "" };
      const blockedBy = task.plan.dependsOn.flatMap((other) => made.get(other) ?? state.tasks.get(other)?.taskId ?? []);
      const known = hall.replay(request)?.subjectId;
      const taskId =
        known ??
        (await hall.tasks.create(projectId, boardTask(state, task, blockedBy), { actor: BY_DAEMON, request })).id;
      made.set(key, taskId);
    }
    const tasks = [...made].map(([key, taskId]) => ({ key, taskId }));
    return tasks.length === 0 ? [] : [{ type: "tasks-created", tasks }];
  }

  /** A project that was suspended meanwhile takes no tasks; one that refuses them for another reason ends the team. */
  async #orWaits(state: TeamState, work: () => Promise<TeamFact[]>): Promise<TeamFact[] | "waits"> {
    try {
      return await work();
    } catch (error) {
      const reason = refusalIn(error);
      if (this.#parts.core.projects.status(state.document.projectId) !== "active") return "waits";
      return [{ type: "failed", reason: `The tasks of the plan could not be created: ${reason}` }];
    }
  }

  async #ask(state: TeamState, number: number): Promise<TeamFact[]> {
    const { core, hall } = this.#parts;
    const { question } = state;
    if (question?.number !== number) return [];
    const known = filedQuestion(hall, state, number);
    const asked = questionOf(state, question, core.clock().toISOString());
    const { id } = known ?? (await hall.escalations.create(asked, { actor: BY_DAEMON }));
    return [{ type: "question-filed", number, escalationId: id }];
  }

  /** One that was answered stays as it is. */
  async #withdraw(state: TeamState, number: number): Promise<TeamFact[]> {
    const { hall, changes } = this.#parts;
    const found = filedQuestion(hall, state, number);
    if (found !== undefined && found.status !== "resolved")
      await unlessRefused(changes.step(found.id, { type: "withdraw", reason: "The team no longer asks." }));
    return [{ type: "question-withdrawn", number }];
  }

  /** Whoever decides about it meanwhile has the last word. */
  async #takeBack({ runId, reason }: EffectOf<"take-back">): Promise<TeamFact[]> {
    await unlessRefused(this.#parts.results.takeBack(runId, reason, { actor: BY_DAEMON }));
    return [];
  }

  /** A run that was stopped delivers nothing: another one does. */
  async #deliver(): Promise<TeamFact[]> {
    return [{ type: "lead-started", step: "report", runId: `run-${this.#parts.core.nextId()}` }];
  }

  async #check(state: TeamState): Promise<TeamFact[] | "waits"> {
    const { integration } = this.#parts;
    const { id, projectId, branch, baseBranch } = state.document;
    if (branch === undefined || baseBranch === undefined) return [];
    if (integration.isFull()) return "waits";
    const asked = {
      body: { branch },
      query: {},
      team: { id, target: `refs/heads/${baseBranch}`, isFixed: state.rounds > 0 },
    };
    try {
      const check = await integration.create(projectId, asked, { actor: BY_DAEMON });
      return [{ type: "check-started", checkId: check.id }];
    } catch (error) {
      const reason = refusalIn(error);
      const ended = { type: "check-ended" as const, checkId: NO_CHECK, verdict: "unable" as const, reason };
      return [{ type: "check-started", checkId: NO_CHECK }, ended];
    }
  }

  async #runCriteria(state: TeamState): Promise<TeamFact[] | "waits"> {
    const { projectId, branch, baseBranch } = state.document;
    const criteria = [...state.criteria.values()].filter(({ kind, state: of }) => kind !== "look" && of === "open");
    if (branch === undefined || baseBranch === undefined) {
      const evidence = "The project has no git repository, so nothing could be checked.";
      return [{ type: "criteria-checked", results: criteria.map(({ id }) => ({ id, met: false, evidence })) }];
    }
    try {
      const order = { projectId, branch, target: baseBranch, criteria };
      const key = `${state.check?.id}/${state.specVersion}`;
      const results = this.#parts.criteria.ask(state.document.id, key, (signal) =>
        this.#parts.checkCriteria({ ...order, signal }),
      );
      return results === undefined ? "waits" : [{ type: "criteria-checked", results }];
    } catch (error) {
      return this.#unchecked(state, refusalIn(error));
    }
  }

  /** The person decides what becomes of a whole that can't be checked. */
  #unchecked({ check }: TeamState, reason: string): TeamFact[] {
    return [{ type: "check-ended", checkId: check?.id ?? NO_CHECK, verdict: "unable", reason }];
  }

  /** What is refused for good becomes a fact; what may pass is tried again. */
  async #orFact(work: () => Promise<unknown>, refused: (reason: string) => TeamFact[]): Promise<TeamFact[]> {
    try {
      await work();
      return [];
    } catch (error) {
      return refused(refusalIn(error));
    }
  }
}

/** Throws what is no refusal. */
function refusalIn(error: unknown): string {
  if (!(error instanceof HallError) || error.retryable || PASSING.includes(error.code)) throw error;
  return error.message;
}

function whyCancelled({ status }: TeamState): string {
  return status === "stopped" || status === "failed" ? `The team was ${status}.` : "The team no longer needs it.";
}

/** Whoever is neither a person nor the daemon is named: an agent, or a client, which must not approve what comes of it. */
function clientsIn(createdBy: string): string[] {
  return createdBy === "person" || createdBy === "daemon" ? [] : [createdBy];
}
