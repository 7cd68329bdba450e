import { planIn } from "../../agent/journal-entries.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import type { Run, RunPlan, RunReflection } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Ledger } from "../../models/budget/ledger.ts";
import { Gathering } from "../../store/changes/gathering.ts";
import type { Attachment } from "../../workspace/attachments.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import { assignTask } from "../plan/assigned-task.ts";
import type { Checkpoints } from "../results/checkpoints.ts";
import type { Settlement } from "../results/settlement.ts";
import type { LeaseKey } from "../schedule/engine.ts";
import type { Leased } from "../schedule/scheduler-ports.ts";
import { leavesChanges } from "../schedule/writing-turn.ts";
import { CostsSeal } from "./costs-seal.ts";
import type { LiveRuns } from "./live-runs.ts";
import { PreparedEnd } from "./prepared-end.ts";
import type { TellAsker } from "./run-askers.ts";
import type { RunBook } from "./run-book.ts";
import { actorOf, type Note } from "./run-events.ts";
import { callsOf, contextOf, usageOf, wantsNotice, withLedger } from "./run-facts.ts";

interface Parts {
  core: Core;
  hall: Hall;
  book: RunBook;
  live: LiveRuns;
  settlement: Settlement;
  ledger: Pick<Ledger, "runSum">;
  checkpoints: Pick<Checkpoints, "beforeRun" | "afterRun">;
  askers: Pick<Attachment<TellAsker>, "part">;
  /** Takes away what a run that is over needs no more; never rejects. */
  cleanUp: (run: Run) => Promise<void>;
}

interface Ending {
  epoch: number;
  end: RecordedEnd;
  gathering: Gathering;
  /** Resolves when the journal is durable. */
  journaled: Promise<void>;
}

/** How runs come along: what happens to them is made durable, and told to whoever waits or watches. */
export class RunProgress {
  readonly #parts: Parts;
  readonly #costs: CostsSeal;
  readonly #preparing = new Map<string, PreparedEnd>();
  readonly #waiting = new Map<string, { run: Run; resolves: ((run: Run) => void)[] }>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#costs = new CostsSeal(parts.core.files);
  }

  find(id: string): IndexedRun {
    const found = this.#parts.core.runs.get(id);
    if (found === undefined) throw new HallError("run_not_found", `There is no run '${id}'.`);
    return found;
  }

  /** Resolves with the run when it is over. */
  ended(id: string): Promise<Run> {
    const { run } = this.find(id);
    if (isOver(run)) return Promise.resolve(run);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? { run, resolves: [] };
      waiting.resolves.push(resolve);
      this.#waiting.set(id, waiting);
    });
  }

  /** The run was taken up, unless it is over or to end: then nothing may be done for it. */
  leased({ runId, epoch }: LeaseKey): Promise<Leased> {
    return this.#oneByOne(runId, async () => {
      const { core, book, live, checkpoints } = this.#parts;
      const known = core.runs.get(runId);
      if (known === undefined || isOver(known.run)) {
        this.#tellWaiting(known?.run);
        return { go: false };
      }
      if (known.cancelling !== undefined) return { go: false, cancelled: known.cancelling };
      const kept = checkpoints.beforeRun(runId);
      // Looked at in the end, whatever fails before.
      kept.catch(() => undefined);
      // A run that could start at once was created with its lease.
      if (known.epoch !== epoch) await book.leased(known, epoch, core.clock().toISOString());
      const { run } = this.find(runId);
      live.begins(runId);
      await this.#showOnTask(run);
      live.tell({ runId, projectId: run.projectId, run });
      await kept;
      return { go: true };
    });
  }

  /** The run's process died; answers how often that has happened to it. */
  crashed({ runId, epoch }: LeaseKey, cause: string): Promise<number> {
    return this.#oneByOne(runId, async () => {
      const { core, book } = this.#parts;
      const known = this.find(runId);
      await book.crashed(known, { epoch, cause, at: core.clock().toISOString() });
      return known.crashes + 1;
    });
  }

  /**
   * The run is about to be over: what it leaves behind is made ready while its journal becomes durable, unless more comes of its
   * end than files of the workspace. Nothing is logged before `finished` is called with the same end, and soon.
   */
  prepareEnd(lease: LeaseKey, end: RecordedEnd): void {
    const { runId } = lease;
    const known = this.#parts.core.runs.get(runId);
    if (known === undefined || isOver(known.run) || !isPlain(known.run, this.#parts.book.planOf(known))) return;
    const gathering = new Gathering({ isHeld: true });
    const prepared = new PreparedEnd(lease, end, (journaled) =>
      this.#oneByOne(runId, () => this.#finish(runId, { epoch: lease.epoch, end, gathering, journaled })),
    );
    this.#preparing.set(runId, prepared);
    void prepared.done.then(() => {
      gathering.abandon();
      if (this.#preparing.get(runId) === prepared) this.#preparing.delete(runId);
    });
  }

  /** The end of a run: what it leaves behind, and the line that says it is over with its event, durable together. */
  async finished(lease: LeaseKey, end: RecordedEnd): Promise<void> {
    const { runId, epoch } = lease;
    if (await this.#preparing.get(runId)?.confirm(lease, end)) return;
    await this.#oneByOne(runId, async () => {
      const gathering = new Gathering();
      try {
        await this.#finish(runId, { epoch, end, gathering, journaled: Promise.resolve() });
      } finally {
        gathering.end();
      }
    });
  }

  async #finish(runId: string, ending: Ending): Promise<void> {
    const { core, book, cleanUp } = this.#parts;
    const known = core.runs.get(runId);
    if (known === undefined || isOver(known.run)) return this.#tellWaiting(known?.run);
    const { settled, hearsOfIt } = await this.#settle(known, ending);
    await cleanUp(settled);
    book.forgetPlan(runId);
    this.#tellEnd(settled);
    hearsOfIt?.();
  }

  async #settle(known: IndexedRun, { epoch, end, gathering, journaled }: Ending) {
    const { book, settlement, ledger, checkpoints, askers } = this.#parts;
    const { durable } = await checkpoints.afterRun(known.run.id);
    const { entries, seal } = book.endedJournalOf(known);
    const usage = withLedger(usageOf(entries), ledger.runSum(known.run.id));
    const run = { ...known.run, ...contextOf(entries), ...callsOf(entries), usage };
    const { journal, stoppedBy } = known;
    const finish = { end, entries, journal, stoppedBy, journaled };
    const { settled, written } = await settlement.settle(run, finish, gathering);
    const sealing = this.#costs.take();
    const asker = planIn(entries)?.asker;
    try {
      const [costs] = await Promise.all([sealing, gathering.complete(), journaled]);
      const [hearsOfIt] = await Promise.all([asker && askers.part(asker, settled), durable]);
      gathering.release();
      await book.settled(settled, epoch, { notify: wantsNotice(entries), journal: seal(), costs }, gathering);
      await written;
      return { settled, hearsOfIt };
    } catch (error) {
      void sealing.then((costs) => this.#costs.giveBack(costs)).catch(() => undefined);
      throw error;
    }
  }

  /** Those who wait for a run that ended while nobody could be told are told now. */
  lookAgain(): void {
    for (const id of [...this.#waiting.keys()]) {
      const known = this.#parts.core.runs.get(id);
      if (known !== undefined && isOver(known.run)) this.#tellWaiting(known.run);
    }
  }

  /** The project is gone and its runs with it: whoever waits is told, and nothing is written any more. */
  gone(projectId: string): void {
    const lost = [...this.#waiting.values()].filter(({ run }) => run.projectId === projectId);
    for (const { run } of lost)
      this.#tellEnd({ ...run, status: "cancelled", cause: "cancelled", error: "The project was removed." });
  }

  /** Durable when it resolves. The same call of the same run is told once, however often it comes. */
  notified(runId: string, note: Note): Promise<void> {
    return this.#oneByOne(runId, async () => {
      const { core, book } = this.#parts;
      const known = this.find(runId);
      if (known.notified?.includes(note.callId)) return;
      await book.notified(known, { ...note, at: core.clock().toISOString() });
    });
  }

  /** A run that is over was looked back on. Durable when it resolves. */
  reflected(runId: string, told: Omit<RunReflection, "at">): Promise<void> {
    return this.#oneByOne(runId, async () => {
      const { core, book, live } = this.#parts;
      const known = core.runs.get(runId);
      if (known === undefined || !isOver(known.run)) return;
      const reflection = { at: core.clock().toISOString(), ...told };
      await book.reflected(known, reflection);
      const { run } = this.find(runId);
      live.tell({ runId, projectId: run.projectId, run });
    });
  }

  /** Its next turn is asked of this model. Durable when it resolves; nothing happens to a run that is over. */
  changeModel(runId: string, model: string): Promise<void> {
    return this.#oneByOne(runId, async () => {
      const { core, book, live } = this.#parts;
      const known = this.find(runId);
      if (isOver(known.run) || known.run.model === model) return;
      await book.modelChanged(known, { model, at: core.clock().toISOString() });
      const { run } = this.find(runId);
      live.tell({ runId, projectId: run.projectId, run });
    });
  }

  /** Durable when it resolves: from here on the run does not go on, whatever happens. */
  cancelling(runId: string, why: { reason: string; by?: Actor | undefined }): Promise<void> {
    return this.#oneByOne(runId, async () => {
      const { core, book } = this.#parts;
      const known = this.find(runId);
      if (isOver(known.run) || known.cancelling !== undefined) return;
      await book.cancelling(known, { ...why, at: core.clock().toISOString() });
    });
  }

  #tellEnd(run: Run): void {
    this.#parts.live.forget(run.id);
    this.#parts.live.tell({ runId: run.id, projectId: run.projectId, run });
    this.#tellWaiting(run);
  }

  #tellWaiting(run: Run | undefined): void {
    const waiting = run && this.#waiting.get(run.id);
    if (run === undefined || waiting === undefined) return;
    this.#waiting.delete(run.id);
    for (const resolve of waiting.resolves) resolve(run);
  }

  /** The task shows who works on it. Done when the run is created; here again, should a crash have come in between. */
  async #showOnTask(run: Run): Promise<void> {
    await assignTask(this.#parts, run, { actor: actorOf(run) }).catch((error) => {
      // The person may have moved or removed the task meanwhile; the run goes on all the same.
      if (!(error instanceof HallError)) throw error;
    });
  }

  #oneByOne<Result>(runId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`run ${runId}`, work);
  }
}

/** Whether its end changes nothing but the workspace's own files, and concerns no other run. */
function isPlain({ delivery }: Run, plan: RunPlan | undefined): boolean {
  const isAlone = plan?.continues === undefined && plan?.asker === undefined && plan?.workplace === undefined;
  return plan !== undefined && isAlone && delivery === undefined && !leavesChanges(plan);
}
