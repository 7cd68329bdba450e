import { backoffMs, NO_JITTER } from "../contract/backoff.ts";
import type { HallEvent } from "../contract/event.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import { decide } from "./machine/decide.ts";
import type { TeamEffect } from "./machine/effects.ts";
import { owed } from "./machine/owed.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";
import type { World } from "./machine/world.ts";
import type { SpecFiles } from "./spec-files.ts";
import type { TeamEffects } from "./team-effects.ts";
import type { TeamStore } from "./team-store.ts";

interface Parts {
  core: Core;
  store: TeamStore;
  effects: Pick<TeamEffects, "carryOut">;
  specs: Pick<SpecFiles, "notice">;
  worldOf: (state: TeamState, touched: World["touched"]) => Promise<World>;
  endRuns: (runIds: readonly string[], reason: string) => Promise<void>;
  /** Whether a person took the goal away from the team. */
  goalFact: (state: TeamState) => TeamFact | undefined;
  /** Called whenever a team has nothing to do for now. */
  onRest: (state: TeamState) => Promise<void>;
  onTrouble: (what: string, error: unknown) => void;
}

const RETRY = { firstMs: 1_000, longestMs: 60_000 };
/** Steps of one team before others have their turn. */
const MOST_STEPS = 200;
const MOST_MS = 500;

/** Events after which teams may go on. Those of no project concern all. */
const CONCERNING: readonly HallEvent["type"][] = [
  "run.created",
  "run.ended",
  "run.approved",
  "run.rejected",
  "run.reverted",
  "run.discarded",
  "run.restored",
  "run.hindered",
  "review.started",
  "review.passed",
  "review.failed",
  "review.escalated",
  "review.skipped",
  "gate.finished",
  "task.moved",
  "task.removed",
  "integration.passed",
  "integration.failed",
  "escalation.resolved",
  "escalation.removed",
  "project.moved",
  "budget.changed",
  "budget.warned",
];

/**
 * Takes teams through their work: what happened becomes facts of the log, and what the log says should be is carried out. Decisions are
 * on disk before anything is done, so that a team continues after a crash where it was.
 */
export class TeamKeeper {
  readonly #parts: Parts;
  readonly #queued = new Set<string>();
  readonly #atWork = new Set<Promise<unknown>>();
  readonly #failures = new Map<string, number>();
  readonly #again = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Continues what a restart interrupted. */
  start(): void {
    // Those that have ended may have left something to do.
    for (const { document } of this.#parts.store.open()) this.look(document.id);
    this.#endLeft();
  }

  /** Must not throw. */
  heed(event: HallEvent): void {
    if (this.#isClosed) return;
    // A check that ends makes room for those of other projects.
    const isForAll = event.type.startsWith("integration.");
    if (event.type.startsWith("task.")) this.#parts.store.touch(event.projectId ?? "", event.subject.id);
    if (CONCERNING.includes(event.type)) this.lookAll(isForAll ? undefined : event.projectId);
    if (event.type === "run.created") this.#endLeft(event.projectId);
  }

  /** Of one project, or of all. */
  lookAll(projectId?: string): void {
    for (const { document, status } of this.#parts.store.open())
      if ((projectId === undefined || document.projectId === projectId) && !hasEnded(status)) this.look(document.id);
  }

  /** Does what can be done for a team. Does not wait, and does not fail. */
  look(id: string): void {
    if (this.#isClosed || this.#queued.has(id)) return;
    this.#queued.add(id);
    this.#later(
      () =>
        this.alone(id, async () => {
          this.#queued.delete(id);
          await this.advance(id);
        }).then(
          () => this.#failures.delete(id),
          (error) => this.#failed(id, error),
        ),
      `team ${id} could not continue`,
    );
  }

  /** Under the lock of a team: nobody else changes it meanwhile. */
  alone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`team ${id}`, work);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#again.values()) clearTimeout(timer);
    await Promise.all(this.#atWork);
  }

  /** One step after the other, until the team waits for something. Only under its lock. */
  async advance(id: string): Promise<void> {
    try {
      await this.#advance(id);
    } catch (error) {
      this.#parts.store.touchAgain(id, "all");
      throw error;
    }
  }

  async #advance(id: string): Promise<void> {
    const { core, store, specs, worldOf } = this.#parts;
    // Before the index has caught up: what is touched after this is for the next pass.
    let touched = store.takeTouched(id);
    await core.shown.available();
    await core.shown.caughtUp();
    const tried = new Set<string>();
    const until = performance.now() + MOST_MS;
    for (let steps = 0; steps < MOST_STEPS && performance.now() < until && !this.#isClosed; steps++) {
      const state = store.find(id);
      if (state === undefined) return;
      if (await specs.notice(state)) touched = "all";
      const world = await worldOf(state, touched);
      const gone = this.#parts.goalFact(state);
      const facts = gone === undefined ? decide(state, world) : [gone];
      if (facts.length > 0) await store.append(id, facts, { change: { actor: BY_DAEMON } });
      else if (!(await this.#carryOut(state, world, tried))) return this.#parts.onRest(state);
    }
    // Others have their turn first, and whoever wants to change the team.
    store.touchAgain(id, touched);
    if (!this.#isClosed) this.look(id);
  }

  /** Whether anything was done that may lead to more. Each is tried once in a pass. */
  async #carryOut(state: TeamState, world: World, tried: Set<string>): Promise<boolean> {
    const { effects, store } = this.#parts;
    const { id } = state.document;
    const due = owed(state, world).filter((effect) => !tried.has(keyOf(effect)));
    let isDone = false;
    for (const effect of due) {
      if (this.#isClosed) return false;
      tried.add(keyOf(effect));
      const facts = await effects.carryOut(state, effect);
      if (facts === "waits") continue;
      isDone = true;
      await store.append(id, facts, { change: { actor: BY_DAEMON } });
      // What the facts say may have made the others needless.
      if (facts.length > 0) break;
    }
    return isDone;
  }

  /** No run goes on for a team that has ended, also not one that a review of its work started since. */
  #endLeft(projectId?: string): void {
    const { core, store, endRuns } = this.#parts;
    const work = async () => {
      await core.shown.available();
      await core.shown.caughtUp();
      const left = core.runs.unsettled(projectId).filter(({ run: { team } }) => {
        const state = team === undefined ? undefined : store.find(team.id);
        return state !== undefined && (state.status === "stopped" || state.status === "failed");
      });
      if (left.length > 0)
        await endRuns(
          left.map(({ run }) => run.id),
          "Its team has ended.",
        );
    };
    this.#later(work, "runs of a team that has ended could not be stopped");
  }

  /** As on a full disk: tried again later. */
  #failed(id: string, error: unknown): void {
    if (this.#isClosed) return;
    this.#parts.onTrouble(`team ${id} could not continue yet`, error);
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    clearTimeout(this.#again.get(id));
    const timer = setTimeout(() => this.look(id), backoffMs(RETRY, failures, NO_JITTER));
    this.#again.set(id, timer.unref());
  }

  #later(work: () => Promise<unknown>, trouble: string): void {
    const done = work().catch((error) => {
      if (!this.#isClosed) this.#parts.onTrouble(trouble, error);
    });
    this.#atWork.add(done);
    void done.then(() => this.#atWork.delete(done));
  }
}

function keyOf(effect: TeamEffect): string {
  return JSON.stringify(effect);
}
