import { setTimeout as pause } from "node:timers/promises";
import type { GateReason, GateReport } from "../../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteBody, RouteQuery } from "../../contract/routes/routes.ts";
import type { Run } from "../../contract/runs/run.ts";
import { errorText } from "../../contract/words/error-text.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { OrderParts } from "../gates/gate-orders.ts";
import type { Ground } from "../gates/ground.ts";
import { repositoryGates } from "../gates/repository-settings.ts";
import { type CheckStep, withCheckWaiver } from "./check-verdict.ts";
import { judgeWhole, type Part, type WholeOrder } from "./judge-whole.ts";

interface Parts {
  core: Pick<Core, "clock" | "nextId" | "locks">;
  hall: Pick<Hall, "gates" | "projects">;
  settingsOf: OrderParts["settingsOf"];
  groundOf: (projectId: string, repository?: string) => Promise<Ground>;
  runOf: (id: string) => Run;
  /** The commits that a result is between. Refuses a run without one. */
  resultOf: (run: Run) => Promise<{ repository: string; from: string; to: string }>;
  /** Gates of a run and of those that it continues, the oldest first. */
  gatesOf: (runId: string) => Promise<readonly GateReport[]>;
  /** The branch that results of a project come into; undefined where its checkout says. */
  targetOf: (projectId: string) => string | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

interface Asked {
  body: RouteBody<"createIntegrationCheck">;
  query: RouteQuery<"createIntegrationCheck">;
  /** Of a team: who it is, and what its branch is to come into. After a round of fixes new files that nothing imports don't stop it. */
  team?: { id: string; target: string; isFixed: boolean } | undefined;
}

interface Ordered extends Pick<WholeOrder, "target" | "base" | "what" | "acceptsUnwired"> {
  ground: Ground;
}

interface Running {
  check: IntegrationCheck;
  controller: AbortController;
  over: Promise<void>;
}

const MOST_CHECKS = 100;
const MOST_RUNNING = 5;
/** A target that moves on and on. */
const MOST_ROUNDS = 3;
const MOVED: GateReason = { code: "tree-changed", text: "The target branch kept moving while it was checked." };
const INTERRUPTED: GateReason = { code: "interrupted", text: "Guildhall stopped before the check was finished." };

/** Checks whether results work as a whole, one durable document each. */
export class IntegrationChecks {
  readonly #parts: Parts;
  readonly #running = new Map<string, Running>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async get(id: string, wait?: number): Promise<IntegrationCheck> {
    const over = this.#running.get(id)?.over;
    if (over !== undefined && wait !== undefined) await settledWithin(over, wait);
    return this.#running.get(id)?.check ?? this.#parts.hall.gates.getCheck(id);
  }

  async list(projectId: string): Promise<IntegrationCheck[]> {
    const checks = this.#parts.hall.gates.checks(projectId, MOST_CHECKS);
    return checks.map((check) => this.#running.get(check.id)?.check ?? check);
  }

  async create(projectId: string, { body, query, team }: Asked, change: Change): Promise<IntegrationCheck> {
    const { core, hall } = this.#parts;
    hall.projects.get(projectId);
    if (this.isFull())
      throw new HallError(
        "gate_refused",
        `${MOST_RUNNING} integration checks are running. Wait until one is finished.`,
      );
    const ordered = await this.#order(projectId, body, team?.target);
    const check: IntegrationCheck = {
      id: `check-${core.nextId()}`,
      projectId,
      ...(team !== undefined && { teamId: team.id }),
      ...(body.branch !== undefined && { branch: body.branch }),
      runIds: "parts" in ordered.what ? ordered.what.parts.map(({ runId }) => runId) : [],
      ...{ state: "running", target: ordered.target, base: ordered.base, steps: [], breakers: [] },
      startedAt: core.clock().toISOString(),
    };
    try {
      await this.#save(check, "integration.started", change);
    } catch (error) {
      await ordered.ground.close();
      throw error;
    }
    const running: Running = { check, controller: new AbortController(), over: Promise.resolve() };
    this.#running.set(check.id, running);
    running.over = this.#run(running, { ...ordered, acceptsUnwired: team?.isFixed }, change).finally(() =>
      this.#running.delete(check.id),
    );
    return this.get(check.id, query.wait);
  }

  /** Whether another check has to wait for one of those that are running. */
  isFull(): boolean {
    return this.#running.size >= MOST_RUNNING;
  }

  /** Only a person accepts what a check found. */
  async waive(
    id: string,
    { findingId, reason }: RouteBody<"waiveIntegrationFinding">,
    change: Change,
  ): Promise<IntegrationCheck> {
    const { core } = this.#parts;
    assertActorMay(change.actor, "waive");
    return core.locks.run(`gate ${id}`, async () => {
      const before = await this.get(id);
      const waiver = { by: change.actor.id ?? "person", reason, at: core.clock().toISOString() };
      const after = withCheckWaiver(before, findingId, waiver);
      if (after === before) return before;
      const isPassed = after.verdict === "pass" && before.verdict !== "pass";
      await this.#save(after, isPassed ? "integration.passed" : "gate.waived", { ...change, why: reason });
      return after;
    });
  }

  /** What a crash interrupted was not judged. */
  async endLeft(): Promise<void> {
    for (const found of this.#parts.hall.gates.running())
      if (found.kind === "check" && !this.#running.has(found.check.id))
        await this.#save(this.#ended(found.check, { verdict: "unable", reason: INTERRUPTED }), "integration.failed", {
          actor: BY_DAEMON,
        });
  }

  async close(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all(running.map(({ over }) => over));
  }

  async #run(running: Running, ordered: Ordered, change: Change): Promise<void> {
    const { onTrouble } = this.#parts;
    try {
      const judged = await this.#judge(running, ordered).catch((error): Partial<IntegrationCheck> => {
        onTrouble(`integration check ${running.check.id} failed`, error);
        return { verdict: "unable", reason: { code: "failed", text: errorText(error) } };
      });
      running.check = this.#ended(running.check, judged);
      const type = running.check.verdict === "pass" ? "integration.passed" : "integration.failed";
      await this.#save(running.check, type, change.request === undefined ? change : { actor: change.actor });
    } catch (error) {
      onTrouble(`integration check ${running.check.id} could not be saved`, error);
    } finally {
      await ordered.ground
        .close()
        .catch((error) => onTrouble("files of an integration check could not be removed", error));
    }
  }

  /** A verdict is about the target as it is: where that has moved meanwhile, the whole is judged again. */
  async #judge(running: Running, ordered: Ordered): Promise<Partial<IntegrationCheck>> {
    const { trees, checks } = ordered.ground;
    let { base } = ordered;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const settings = this.#parts.settingsOf(running.check.projectId, await repositoryGates(ordered.ground, base));
      const judged = await judgeWhole({
        ...{ trees, checks, settings, base, target: ordered.target, what: ordered.what },
        acceptsUnwired: ordered.acceptsUnwired,
        signal: running.controller.signal,
        onStep: async (steps) => {
          running.check = { ...running.check, steps };
        },
      });
      const tip = await trees.commit(ordered.target);
      if (tip === undefined || tip === base || running.controller.signal.aborted) return { ...judged, base };
      base = tip;
    }
    return { base, verdict: "unable", reason: MOVED };
  }

  #ended(check: IntegrationCheck, judged: Partial<IntegrationCheck>): IntegrationCheck {
    return { ...check, ...judged, state: "finished", endedAt: this.#parts.core.clock().toISOString() };
  }

  async #save(
    check: IntegrationCheck,
    type: "integration.started" | "integration.passed" | "integration.failed" | "gate.waived",
    change: Change,
  ): Promise<void> {
    const { verdict, branch, runIds, firstBroken, steps } = check;
    const failed = steps.filter((step: CheckStep) => step.verdict === "fail").map(({ name }) => name);
    const after = { ...(branch === undefined ? { runIds } : { branch }), verdict, failed, firstBroken };
    await this.#parts.hall.gates.save(check, { type, after }, change);
  }

  async #order(projectId: string, { branch, runIds }: Asked["body"], into: string | undefined): Promise<Ordered> {
    if (branch !== undefined) return this.#ofBranch(projectId, branch, into);
    return this.#ofRuns(projectId, [...new Set(runIds)]);
  }

  async #ofBranch(projectId: string, branch: string, into: string | undefined): Promise<Ordered> {
    const target = into ?? this.#parts.targetOf(projectId) ?? "HEAD";
    const ground = await this.#parts.groundOf(projectId);
    try {
      const [head, base] = [await commitOf(ground, branch), await commitOf(ground, target)];
      return { ground, target, base, what: { head } };
    } catch (error) {
      await ground.close();
      throw error;
    }
  }

  async #ofRuns(projectId: string, runIds: readonly string[]): Promise<Ordered> {
    const { runOf, resultOf, groundOf } = this.#parts;
    const runs = runIds.map((id) => runOf(id)).toSorted(byAge);
    const strange = runs.find((run) => run.projectId !== projectId);
    if (strange !== undefined)
      throw new HallError(
        "invalid",
        `Run '${strange.id}' belongs to project '${strange.projectId}', not '${projectId}'.`,
      );
    await this.#assertPassed(runs);
    const results = await Promise.all(runs.map(resultOf));
    const [first] = results;
    const targets = new Set(runs.map(({ delivery }) => (delivery?.kind === "branch" ? delivery.target : "")));
    const [target = ""] = targets;
    if (first === undefined || targets.size > 1 || results.some(({ repository }) => repository !== first.repository))
      throw new HallError("gate_refused", "The runs don't have the same target branch, so they can't be put together.");
    const ground = await groundOf(projectId, first.repository);
    try {
      const parts = runs.map((run, at): Part => ({ runId: run.id, commit: results[at]?.to ?? "" }));
      return {
        ground,
        target: `refs/heads/${target}`,
        base: await commitOf(ground, `refs/heads/${target}`),
        what: { parts },
      };
    } catch (error) {
      await ground.close();
      throw error;
    }
  }

  /** The whole is judged after every part. */
  async #assertPassed(runs: readonly Run[]): Promise<void> {
    const missing: string[] = [];
    for (const run of runs) {
      const newest = (await this.#parts.gatesOf(run.id)).at(-1);
      if (newest?.verdict !== "pass" && newest?.verdict !== "skipped") missing.push(`${run.taskId} (${run.id})`);
    }
    if (missing.length > 0)
      throw new HallError("gate_refused", `These have not passed their own quality gate: ${missing.join(", ")}.`);
  }
}

const byAge = (left: Run, right: Run) =>
  left.createdAt === right.createdAt ? (left.id < right.id ? -1 : 1) : left.createdAt < right.createdAt ? -1 : 1;

async function commitOf({ trees }: Ground, revision: string): Promise<string> {
  // What begins with a dash would be an option.
  const commit = revision.startsWith("-") ? undefined : await trees.commit(revision);
  if (commit === undefined) throw new HallError("invalid", `branch: there is no commit '${revision}'.`);
  return commit;
}

async function settledWithin(over: Promise<void>, seconds: number): Promise<void> {
  const stopped = new AbortController();
  const late = pause(seconds * 1_000, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
  await Promise.race([over, late]);
  stopped.abort();
}
