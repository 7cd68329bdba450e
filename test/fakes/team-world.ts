import type { TaskStatus } from "../../src/contract/documents/task-status.ts";
import type { TeamDocument } from "../../src/contract/documents/teams/team.ts";
import type { PlannedTask, TeamPlan } from "../../src/contract/documents/teams/team-plan.ts";
import type { TeamSpec } from "../../src/contract/documents/teams/team-spec.ts";
import type { Delivery } from "../../src/contract/runs/delivery.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { apply, formed } from "../../src/teams/machine/apply.ts";
import { following } from "../../src/teams/machine/autonomy/autonomy-phase.ts";
import { decide } from "../../src/teams/machine/decide.ts";
import type { TeamEffect } from "../../src/teams/machine/effects.ts";
import { owed } from "../../src/teams/machine/owed.ts";
import type { TeamFact, TeamLine } from "../../src/teams/machine/team-facts.ts";
import type { TeamState } from "../../src/teams/machine/team-state.ts";
import type { Answer, SeenRun, SpecFinding, World } from "../../src/teams/machine/world.ts";

const AT = "2026-11-18T00:00:00.000Z";

export function teamDocument(more: Partial<TeamDocument> = {}): TeamDocument {
  return {
    id: "team-1",
    projectId: "shop",
    name: "Password reset",
    goal: "Add password reset",
    taskId: "TASK-001",
    approval: "none",
    budgetUsd: null,
    sdd: { value: "full", because: "asked" },
    branch: "guildhall/team-team-1",
    baseBranch: "main",
    createdAt: AT,
    createdBy: "person",
    ...more,
  };
}

export function plannedTask(key: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    key,
    title: `Do ${key}`,
    description: "",
    type: "feature",
    domain: "backend",
    requirements: [],
    criteria: [],
    phase: "build",
    dependsOn: [],
    files: [`src/${key}.ts`],
    ...more,
  };
}

export function teamPlan(tasks: PlannedTask[], phases: readonly string[] = ["build"]): TeamPlan {
  return { phases: phases.map((id) => ({ id, name: id })), tasks };
}

export function teamSpec(more: Partial<TeamSpec> = {}): TeamSpec {
  return {
    title: "Password reset",
    goals: ["People get back in."],
    nonGoals: [],
    requirements: [
      {
        id: "REQ-001",
        text: "A link resets the password.",
        priority: "high",
        acceptance: [{ id: "REQ-001.1", text: "The link works once.", kind: "test" }],
      },
    ],
    risks: [],
    definitionOfDone: [],
    ...more,
  };
}

/** A board that says which of its tasks changed. */
class PlayedBoard extends Map<string, TaskStatus> {
  changed = new Set<string>();

  override set(id: string, status: TaskStatus): this {
    // Also called while the map is made, before there is a field.
    this.changed?.add(id);
    return super.set(id, status);
  }

  override delete(id: string): boolean {
    this.changed.add(id);
    return super.delete(id);
  }
}

/** Everything but the team, played: what it starts is here, and ends when a test says so. */
export class PlayedWorld implements World {
  readonly runs = new Map<string, SeenRun>();
  readonly board = new PlayedBoard();
  readonly checks = new Map<string, NonNullable<ReturnType<World["check"]>>>();
  readonly answers = new Map<number, Answer>();
  readonly lines: TeamLine[] = [];
  readonly document: TeamDocument;
  state: TeamState;
  isActive = true;
  needsSetup = false;
  /** Why worktrees can't be set up. */
  setupFailure: string | undefined;
  spentUsd = 0;
  isCapReached = false;
  now = AT;
  upSince = AT;
  /** What stages of gates found, by gate. */
  readonly findings = new Map<string, SpecFinding[]>();
  specFindings: World["specFindings"] = (gateId) => this.findings.get(gateId) ?? [];
  settings: World["settings"] = { maxWriters: 3, maxRounds: 3, autoEscalationThreshold: 2, escalationModel: "best" };
  /** How criteria of tests and commands turn out. */
  isMet = true;
  /** Seen after every line. */
  onLine: (state: TeamState, fact: TeamFact) => void = () => undefined;
  #ids = 0;

  constructor(document = teamDocument()) {
    this.document = document;
    this.state = formed(document, AT);
  }

  touched: World["touched"] = "all";
  run = (id: string) => this.runs.get(id);
  task = (id: string) => this.board.get(id);
  roleSpec: World["roleSpec"] = () => undefined;
  check = (id: string) => this.checks.get(id);
  answer = (number: number) => this.answers.get(number);
  nextRunId = () => `run-${++this.#ids}`;

  get facts(): TeamFact[] {
    return this.lines.map(({ fact }) => fact);
  }

  types(): string[] {
    return this.facts.map(({ type }) => type);
  }

  append(...facts: TeamFact[]): void {
    for (const fact of facts) {
      this.#append(fact);
      for (const next of following(this.state)) this.#append(next);
    }
  }

  #append(fact: TeamFact): void {
    const line = { seq: this.lines.length + 1, at: this.now, fact };
    this.lines.push(line);
    this.state = apply(this.state, line);
    this.onLine(this.state, fact);
  }

  /** As at a start of the daemon: all that is known is the log. */
  refold(): TeamState {
    return this.lines.reduce(apply, formed(this.document, AT));
  }

  /** The machine is told only of tasks that changed, as in the daemon. */
  tellsChanges = false;

  /** Decides and carries out until nothing is left to do. `steps`: a crash after so many facts or effects. */
  settle(steps = 10_000): void {
    if (this.tellsChanges) this.touched = this.board.changed;
    this.board.changed = new Set();
    for (let left = steps; left > 0; ) {
      const facts = decide(this.state, this).slice(0, left);
      this.append(...facts);
      left -= facts.length;
      if (facts.length > 0) continue;
      const effects = owed(this.state, this).slice(0, left);
      if (effects.length === 0) return;
      for (const effect of effects) this.carryOut(effect);
      left -= effects.length;
    }
    if (steps === 10_000) throw new Error(`no end after ${this.types().slice(-20).join(" ")}`);
  }

  carryOut(effect: TeamEffect): void {
    switch (effect.do) {
      case "branch":
        break;
      case "try-setup": {
        const reason = this.setupFailure;
        this.append({ type: "setup-tried", passed: reason === undefined, ...(reason === undefined ? {} : { reason }) });
        break;
      }
      case "lead":
      case "look":
        this.runs.set(effect.runId, { status: "running" });
        break;
      case "create-tasks":
        this.append({ type: "tasks-created", tasks: Array.from(this.state.index.unfiled, (key) => this.#filed(key)) });
        break;
      case "ask":
        this.append({ type: "question-filed", number: effect.number, escalationId: `esc-${effect.number}` });
        break;
      case "withdraw":
        this.append({ type: "question-withdrawn", number: effect.number });
        break;
      case "work":
        this.runs.set(effect.runId, { status: "running" });
        this.board.set(this.taskIdOf(effect.key), "in-progress");
        break;
      case "check": {
        const id = `check-${this.checks.size + 1}`;
        this.checks.set(id, { state: "running", steps: [], breakers: [] });
        this.append({ type: "check-started", checkId: id });
        break;
      }
      case "run-criteria": {
        const open = [...this.state.criteria.values()].filter(({ state, kind }) => state === "open" && kind !== "look");
        const results = open.map(({ id }) => ({ id, met: this.isMet, evidence: "npm test" }));
        this.append({ type: "criteria-checked", results });
        break;
      }
      case "help":
        this.append({ type: "health-acted", number: effect.number, outcome: "done" });
        break;
      case "change-model":
        this.end(effect.runId, { ...(this.runs.get(effect.runId) ?? { status: "running" }), model: effect.model });
        break;
      case "deliver":
        this.deliver(effect.runId, { state: "review" });
        break;
      case "cancel":
        for (const id of effect.runIds) this.end(id, { status: "cancelled", cause: "cancelled" });
    }
  }

  #filed(key: string): { key: string; taskId: string } {
    const taskId = `TASK-${key}`;
    if (!this.board.has(taskId)) this.board.set(taskId, "pending");
    return { key, taskId };
  }

  taskIdOf(key: string): string {
    return this.state.tasks.get(key)?.taskId ?? "";
  }

  runIdOf(key: string): string {
    return this.state.tasks.get(key)?.runId ?? "";
  }

  end(id: string, how: SeenRun): void {
    this.runs.set(id, { ...this.runs.get(id), ...how });
  }

  deliver(id: string, standing: Pick<Delivery, "state"> & Partial<Delivery>): void {
    const known = { kind: "branch" as const, name: `guildhall/${id}`, target: "main" };
    this.end(id, { status: "completed", delivery: { ...known, ...standing } as Delivery });
  }

  /** The lead's run ends with a hand-in. */
  handIn(handIn: NonNullable<SeenRun["handIn"]>): void {
    this.end(this.state.lead?.runId ?? "", { status: "completed", handIn });
    this.settle();
  }

  /** Its run completes, and what it did is merged into the team's branch. */
  merge(key: string): void {
    this.deliver(this.runIdOf(key), { state: "delivered" });
    this.board.set(this.taskIdOf(key), "done");
    this.settle();
  }

  fail(key: string, how: Partial<SeenRun> = {}): void {
    this.end(this.runIdOf(key), { status: "failed", error: "It broke.", ...how });
    this.board.set(this.taskIdOf(key), how.status === "cancelled" ? "pending" : "failed");
    this.settle();
  }

  say(answer: Answer["answer"], remarks = ""): void {
    this.answers.set(this.state.question?.number ?? 0, { answer, remarks, by: "person" });
    this.settle();
  }

  judgeWhole(verdict: "pass" | "fail" | "unable", more: Partial<NonNullable<ReturnType<World["check"]>>> = {}): void {
    const id = this.state.check?.id ?? "";
    this.checks.set(id, { state: "finished", verdict, steps: [], breakers: [], ...more });
    this.settle();
  }

  /** Up to the first tasks at work. */
  plan(
    tasks: PlannedTask[],
    { phases, spec = teamSpec() }: { phases?: readonly string[]; spec?: TeamSpec } = {},
  ): void {
    this.settle();
    this.handIn({ kind: "spec", spec });
    this.handIn({ kind: "plan", plan: teamPlan(tasks, phases) });
  }

  working(): string[] {
    return [...this.state.index.atWork].filter((key) => this.state.tasks.get(key)?.state === "working");
  }

  isOver(id: string): boolean {
    const run = this.runs.get(id);
    return run !== undefined && isOver(run);
  }
}
