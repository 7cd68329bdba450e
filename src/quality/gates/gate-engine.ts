import type { GateReason, GateReport, GateStage } from "../../contract/documents/quality/gate.ts";
import type { EventDraft } from "../../contract/event.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { LEFT } from "../../runs/plan/gate-reviews.ts";
import type { Clock } from "../../store/ids.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import type { Change } from "../../workspace/change.ts";
import { checksOfGate } from "../checks/checks-of-gate.ts";
import { onlyDocuments } from "./documents.ts";
import { gateKey } from "./gate-key.ts";
import type { GateOrder } from "./gate-order.ts";
import { withKeptStages } from "./kept-stages.ts";
import { judgeStages, stagesToJudge } from "./pipeline.ts";
import { isBlocking, judgedBy } from "./scoring.ts";
import type { GateSubject, Judges } from "./subject.ts";
import { unchangedBetween, withEarlierWaivers } from "./waivers.ts";

/** Where reports are kept. */
export interface ReportStore {
  save(report: GateReport, told: Pick<EventDraft, "type" | "before" | "after">, change: Change): Promise<void>;
  withKey(projectId: string, key: string): GateReport | undefined;
  /** One that was written here and by nobody else since. */
  own(id: string): GateReport | undefined;
  /** Undefined where there is none. */
  find(id: string): GateReport | undefined;
}

export interface EngineParts {
  clock: Clock;
  judges: Judges;
  store: ReportStore;
  /** Hears of every step. Must not throw. */
  onStage: (report: GateReport, stage: GateStage) => void;
  redactorOf: (projectId: string | undefined) => Redactor;
}

/** A gate that is under way. */
interface Running {
  report: GateReport;
  change: Change;
  controller: AbortController;
  /** Why it is stopped, if it is. */
  stop?: GateReason;
  over: Promise<GateReport>;
}

const CANCELLED: GateReason = { code: "cancelled", text: "The gate was cancelled." };
const INTERRUPTED: GateReason = { code: "interrupted", text: "Guildhall stopped before the gate was finished." };
const NO_CHANGES: GateReason = { code: "no-changes", text: "Nothing was changed." };

/** Judges changes, one report each. Its record says at any moment no more than what was judged. */
export class GateEngine {
  readonly #parts: EngineParts;
  readonly #running = new Map<string, Running>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** As it is now; undefined of a gate that is not under way. */
  live(id: string): GateReport | undefined {
    return this.#running.get(id)?.report;
  }

  get running(): number {
    return this.#running.size;
  }

  /** The report of the same change, judged in the same way. What could not be judged may be judged the next time. */
  same(order: GateOrder): GateReport | undefined {
    if (order.isForced || order.projectId === undefined) return undefined;
    const found = this.#parts.store.withKey(order.projectId, gateKey(order));
    return found?.verdict === "unable" ? undefined : found;
  }

  /** A gate under way over the same change, judged in the same way. */
  alike(order: GateOrder): Pick<Running, "report" | "over"> | undefined {
    if (order.isForced) return undefined;
    const key = gateKey(order);
    const all = [...this.#running.values()];
    return all.find(({ report, stop }) => stop === undefined && report.key === key && isOfSame(report, order));
  }

  /**
   * Begins to judge: `report` is durable, `over` resolves with the finished one. Takes the ground along, and closes it when it
   * is over, also where it rejects.
   */
  async begin(order: GateOrder): Promise<{ report: GateReport; over: Promise<GateReport> }> {
    const known = this.#running.get(order.id);
    const earlier = known === undefined ? this.#earlier(order) : undefined;
    if (known !== undefined || earlier !== undefined) await order.ground.close();
    if (known !== undefined) return { report: known.report, over: known.over };
    if (earlier !== undefined) return { report: earlier, over: Promise.resolve(earlier) };
    try {
      return await this.#start(order);
    } catch (error) {
      await order.ground.close();
      throw error;
    }
  }

  /** Stops a gate that is under way; false where none is. */
  async cancel(id: string, change: Change): Promise<boolean> {
    const running = this.#running.get(id);
    if (running === undefined) return false;
    running.change = { actor: change.actor };
    this.#stop(running, CANCELLED);
    await running.over.catch(() => undefined);
    return true;
  }

  /** Ends what a crash left. */
  async endLeft(left: readonly GateReport[], change: Change): Promise<void> {
    for (const report of left) await this.#finish(unable(report, INTERRUPTED), change);
  }

  /** What is under way is given up, and can be judged again. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    for (const running of all) this.#stop(running, INTERRUPTED);
    await Promise.allSettled(all.map(({ over }) => over));
  }

  #stop(running: Running, why: GateReason): void {
    running.stop ??= why;
    // Reviewers that are at work when the daemon stops continue with the next start: they are paid for once.
    running.controller.abort(why.code === "interrupted" ? LEFT : why);
  }

  /** A report that answers the order without judging. */
  #earlier(order: GateOrder): GateReport | undefined {
    const own = this.#parts.store.own(order.id);
    if (own?.state === "finished" && own.reason?.code !== "interrupted") return own;
    return undefined;
  }

  async #start(order: GateOrder): Promise<{ report: GateReport; over: Promise<GateReport> }> {
    const { store, clock } = this.#parts;
    const { id, ground, span, change } = order;
    const { signal } = order;
    signal?.throwIfAborted();
    const key = gateKey(order);
    const same = this.same(order);
    const changes = same === undefined ? await ground.trees.changes(span.baseTree, span.tree) : [];
    const counts = same ?? {
      files: changes.length,
      additions: changes.reduce((sum, { additions }) => sum + additions, 0),
      deletions: changes.reduce((sum, { deletions }) => sum + deletions, 0),
    };
    const report: GateReport = {
      ...{ id, ...aboutOf(order), title: order.title, cycle: order.cycle, state: "running", score: null },
      ...{ threshold: order.settings.passThreshold, base: span.base, tree: span.tree },
      ...(span.head !== undefined && { head: span.head }),
      ...(order.onto !== undefined && { onto: order.onto }),
      ...{ files: counts.files, additions: counts.additions, deletions: counts.deletions, cut: [] },
      ...{ stages: stagesToJudge(), costUsd: 0, key },
      startedAt: store.find(id)?.startedAt ?? clock().toISOString(),
    };
    const copied = same && this.#copied(report, same);
    const unneeded = changes.length === 0 ? NO_CHANGES : await onlyDocuments(order, changes);
    const done = copied ?? (unneeded && skipped(report, unneeded));
    if (done !== undefined) {
      const finished = await this.#finish(done, change);
      await ground.close();
      return { report: finished, over: Promise.resolve(finished) };
    }
    await store.save(report, { type: "gate.started", after: toldOf(report) }, change);
    const controller = new AbortController();
    const running: Running = { report, change: { actor: change.actor }, controller, over: Promise.resolve(report) };
    const stop = () => this.#stop(running, signal?.reason === LEFT ? INTERRUPTED : CANCELLED);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    this.#running.set(id, running);
    running.over = this.#run(order, running, changes).finally(() => this.#running.delete(id));
    // Who only began it need not wait for its end.
    running.over.catch(() => undefined);
    return { report, over: running.over };
  }

  /** What was judged before in the same way costs nothing again. */
  #copied(report: GateReport, same: GateReport): GateReport {
    const { stages, verdict, score, reason, cut } = same;
    return { ...report, stages, score, cut, ...(verdict !== undefined && { verdict }), ...(reason && { reason }) };
  }

  async #run(order: GateOrder, running: Running, changes: GateSubject["changes"]): Promise<GateReport> {
    const { judges } = this.#parts;
    const { ground, span, before, settings } = order;
    const subject: GateSubject = {
      ...{ trees: ground.trees, checks: checksOfGate(ground.checks), ...span, changes, settings },
      ...{ cycle: order.cycle, before: order.reviewed, projectId: order.projectId, run: order.run, task: order.task },
      ...{ type: order.type, spec: order.spec, signal: running.controller.signal },
    };
    const isSame = unchangedBetween(ground.trees, before?.tree ?? "", span.tree);
    try {
      const { stages, cut, costUsd } = await judgeStages(subject, judgesFor(order, judges), {
        reviewed: (outcome) => withEarlierWaivers(outcome, before, isSame),
        progress: { judged: (stage, spent) => this.#judged(running, stage, spent) },
      });
      const { reason, ...judged } = judgedBy(stages, settings.passThreshold);
      const report = { ...running.report, stages, cut, costUsd, ...judged, ...(reason !== undefined && { reason }) };
      return await this.#end(running, running.stop === undefined ? report : unable(report, running.stop));
    } catch (error) {
      return await this.#end(running, unable(running.report, { code: "failed", text: errorText(error) }));
    } finally {
      await ground.close();
    }
  }

  async #end(running: Running, report: GateReport): Promise<GateReport> {
    const finished = await this.#finish(report, running.change);
    if (running.stop?.code === "interrupted") throw new Error(INTERRUPTED.text);
    return finished;
  }

  #judged(running: Running, stage: GateStage, costUsd: number): void {
    const shown = this.#parts.redactorOf(running.report.projectId).deep(stage);
    const stages = running.report.stages.map((each) => (each.name === stage.name ? shown : each));
    running.report = { ...running.report, stages, costUsd };
    this.#parts.onStage(running.report, shown);
  }

  async #finish(report: GateReport, change: Change): Promise<GateReport> {
    const { store, clock, redactorOf } = this.#parts;
    const endedAt = clock().toISOString();
    const finished: GateReport = redactorOf(report.projectId).deep({ ...report, state: "finished", endedAt });
    await store.save(finished, { type: "gate.finished", after: toldOf(finished) }, change);
    return finished;
  }
}

function aboutOf({ projectId, run, task }: GateOrder): Pick<GateReport, "projectId" | "runId" | "taskId" | "teamId"> {
  const taskId = task?.id ?? run?.taskId;
  return {
    ...(projectId !== undefined && { projectId }),
    ...(run !== undefined && { runId: run.id }),
    ...(taskId !== undefined && { taskId }),
    ...(run?.team !== undefined && { teamId: run.team.id }),
  };
}

function isOfSame(report: GateReport, order: GateOrder): boolean {
  return report.projectId === order.projectId && report.runId === order.run?.id;
}

function judgesFor({ kept, hasReview }: GateOrder, judges: Judges): Judges {
  if (kept !== undefined) return withKeptStages(judges, kept);
  return hasReview ? judges : { ...judges, review: undefined };
}

function unable(report: GateReport, reason: GateReason): GateReport {
  return { ...report, verdict: "unable", reason, score: null };
}

function skipped(report: GateReport, reason: GateReason): GateReport {
  const stages = report.stages.map((stage): GateStage => ({ ...stage, verdict: "skipped", reason }));
  return { ...report, verdict: "skipped", reason, stages };
}

/** What the log tells of a gate. */
export function toldOf(report: GateReport): Record<string, unknown> {
  const { title, runId, taskId, cycle, verdict, score, threshold, reason, stages } = report;
  const blocking = stages.flatMap(({ findings }) => findings).filter(isBlocking).length;
  return {
    ...{ title, runId, taskId, cycle },
    ...(verdict !== undefined && { verdict, score, threshold, blocking, reason: reason?.code }),
  };
}
