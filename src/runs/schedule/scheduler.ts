import { setImmediate as nextTurn } from "node:timers/promises";
import type { ModelWait } from "../../contract/documents/budget.ts";
import type { Guards } from "../../contract/runs/guarding.ts";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import type { OrderOf } from "../../contract/runs/protocol.ts";
import type { ProcessExit } from "../../processes/process-exit.ts";
import type { SaidToRun } from "../team-mail.ts";
import { Endings } from "./endings.ts";
import type { ClaimRules, Job, Lease } from "./engine.ts";
import {
  endOf,
  type Leased,
  type NewRunOrder,
  type RunOrder,
  type RunWork,
  type SchedulerPorts,
  workOf,
} from "./scheduler-ports.ts";

const LOOK_MS = 5_000;
/** How long a process may take to end a run that was cancelled before it is taken for hanging. */
const CANCEL_MS = 2_000;

type SentOrder = RunOrder & Pick<OrderOf<"run">, "plan" | "workdir" | "outfit">;

/** The only starter of runs: reconciles what is leased with what really runs, then hands out what may start. */
export class Scheduler {
  readonly #ports: SchedulerPorts;
  readonly #endings: Endings;
  /** Those that processes have, by the runs' ids. */
  readonly #works = new Map<string, RunWork>();
  /** Repeated until they succeed. */
  readonly #due = new Set<() => Promise<boolean>>();
  readonly #closing: AbortSignal;
  readonly #worker = `daemon-${process.pid}`;
  #lookedAt = performance.now();
  /** How often what the hall is asked about has changed. */
  #guarded = 0;
  #pumping = false;
  #again = false;

  constructor(ports: SchedulerPorts) {
    this.#ports = ports;
    this.#closing = ports.processes.closing;
    const onEnded = (lease: Lease, end: RecordedEnd) => ports.onEnded(lease, end, this);
    this.#endings = new Endings({ ...ports, onEnded }, this.#closing);
    const looking = setInterval(() => this.#track("", this.#look()), LOOK_MS).unref();
    this.#closing.addEventListener("abort", () => clearInterval(looking), { once: true });
  }

  async enqueue(job: Job): Promise<void> {
    await this.#ports.engine.enqueue(job);
    this.pump();
  }

  /** A lease for a run that is about to be created, if it may start at once; then `begin` or `withdraw` follows. */
  async reserve(job: Job): Promise<Lease | undefined> {
    // While places are being handed out, whoever waits for one goes first.
    if (this.#pumping || this.#closing.aborted) return undefined;
    return this.#ports.engine.reserve(job, this.#worker, this.#rules);
  }

  /**
   * Has the project's process get ready for a run that is about to be created with this lease, if it is awake. What it says
   * is not heard before the run begins, so that no model is asked for a run that a crash could take back.
   */
  prepare(lease: Lease, { plan, ...order }: NewRunOrder): void {
    const place = this.#ports.processes.awake(lease.projectId);
    if (place === undefined) return;
    const work: RunWork = {
      ...workOf(lease, place),
      state: { kind: "preparing" },
      isTentative: true,
      held: [],
      guarded: this.#guarded,
    };
    place.take(work);
    this.#works.set(lease.runId, work);
    void place.process.ready().then(
      () => work.held !== undefined && place.has(work) && this.#order(work, { ...order, plan, messages: [] }),
      () => undefined,
    );
  }

  /** Starts a run that was created with its lease. */
  begin(lease: Lease): void {
    const start = async () => {
      if (await this.#ports.engine.renew(lease)) await this.#start(lease);
    };
    this.#track(lease.projectId, start());
  }

  /** Repeats what can't be done yet every few seconds, until it answers true. */
  repeat(work: () => Promise<boolean>): void {
    this.#due.add(work);
  }

  /** Starts whatever may start now. */
  pump(): void {
    this.#again = true;
    if (this.#pumping || this.#closing.aborted) return;
    this.#pumping = true;
    this.#track("", this.#drain());
  }

  /** True when the run is at work and was told; its end follows. False: nobody works on it, and nobody will. */
  async cancel(runId: string, reason: string): Promise<boolean> {
    const work = this.#works.get(runId);
    if (work === undefined || work.state.kind === "preparing") {
      await this.withdraw(runId);
      return false;
    }
    if (work.state.kind === "working") {
      work.place.send({ type: "cancel", orderId: work.id, reason });
      this.#insist(work);
    }
    if (work.state.kind !== "ending") work.state = { kind: "cancelling", reason };
    return true;
  }

  /** Nobody will start the run until it is enqueued again. */
  async withdraw(runId: string): Promise<void> {
    await this.#ports.engine.cancel(runId);
    const work = this.#works.get(runId);
    if (work?.state.kind === "starting" || work?.state.kind === "preparing") this.#drop(work);
  }

  isAtWork(runId: string): boolean {
    return this.#works.get(runId) !== undefined;
  }

  /** What the hall is asked about has changed: runs at work are told. */
  guard(guardsOf: (runId: string) => Guards | undefined): void {
    this.#guarded++;
    for (const { runId, id: orderId, place, state } of this.#works.values())
      if (state.kind === "working") place.send({ type: "guards", orderId, guards: guardsOf(runId) ?? {} });
  }

  /** True when the run's process was asked to take the message; whether it will, the process says. */
  deliver(runId: string, message: SaidToRun): boolean {
    const work = this.#works.get(runId);
    if (work?.state.kind !== "working") return false;
    work.place.send({ type: "message", orderId: work.id, ...message });
    return true;
  }

  /**
   * Takes a run from its process as it stands, once `write` has made it durable that it waits; nobody starts it before it is
   * woken. False when it does not wait: it is not at work, is about to end, or `write` says so. With `atModel` only while its
   * model call waits: a call that was sent meanwhile is not broken off.
   */
  async park(runId: string, write: () => Promise<boolean>, { atModel }: { atModel: boolean }): Promise<boolean> {
    const work = this.#works.get(runId);
    const mayPark = (of: RunWork) => of.state.kind === "working" && (!atModel || of.isHeldUp);
    if (work === undefined || !mayPark(work) || !(await write())) return false;
    // It may have been cancelled meanwhile, or its process is gone: then it is taken care of there.
    if (!mayPark(work) || !work.place.has(work)) return false;
    work.place.send({ type: "let_go", orderId: work.id });
    this.#forget(work);
    this.#ports.processes.drop(work);
    await this.#ports.engine.park(work.lease);
    this.pump();
    return true;
  }

  /** Lets a run be started that was parked. */
  async wake(runId: string): Promise<void> {
    await this.#ports.engine.wake(runId);
    this.pump();
  }

  /** A run that waits for another leaves its place in the limits to those who can go on. */
  async whileWaiting<Result>(runId: string, work: Promise<Result>): Promise<Result> {
    const waiting = this.#works.get(runId);
    if (waiting === undefined) return work;
    await this.#waits(waiting, 1);
    try {
      return await work;
    } finally {
      await this.#waits(waiting, -1);
    }
  }

  /** So does one that waits for money or a quota. */
  heldUp(work: RunWork, wait: ModelWait | undefined): void {
    this.#ports.onWait(work.lease, "model", wait);
    const isWaiting = wait !== undefined;
    // Of one wait there may be more to say.
    if (work.isHeldUp === isWaiting) return;
    work.isHeldUp = isWaiting;
    this.#track(work.lease.projectId, this.#waits(work, isWaiting ? 1 : -1));
  }

  /** The run's process says that it is about to be over. */
  ending({ state, lease }: RunWork, end: RecordedEnd): void {
    if (state.kind === "working") this.#ports.onEnding(lease, end);
  }

  /** The run's process says that it is over. */
  ended(work: RunWork, end: RecordedEnd, { worthReflection }: { worthReflection: boolean }): void {
    if (work.state.kind !== "ending") this.#track(work.lease.projectId, this.#end(work, end, worthReflection));
  }

  /** The run's process lives, but could not go on with it. */
  stumbled(work: RunWork, why: { reason: string; isStorage: boolean }): void {
    this.#track(work.lease.projectId, this.#after(work, this.#endings.stumbled(work, why)));
  }

  /** The process of these runs is gone. */
  lost(works: RunWork[], exit: ProcessExit): Promise<void>[] {
    for (const work of works) this.#forget(work);
    // Who creates a run starts it, in another process then.
    return works
      .filter(({ state }) => state.kind !== "preparing")
      .map(async (work) => {
        await this.#endings.recover(work, exit);
        this.pump();
      });
  }

  async #drain(): Promise<void> {
    const { engine } = this.#ports;
    try {
      while (this.#again && !this.#closing.aborted) {
        this.#again = false;
        // A parent that goes on because its child has ended takes the child's place before anyone else does.
        await nextTurn();
        if (performance.now() - this.#lookedAt > 2 * LOOK_MS) await this.#look();
        // What is handed back because the hall stops could be claimed again, for ever.
        while (!this.#closing.aborted) {
          const lease = await engine.claim(this.#worker, this.#rules);
          if (lease === undefined) break;
          this.#track(lease.projectId, this.#start(lease));
        }
      }
    } finally {
      this.#pumping = false;
    }
  }

  get #rules(): ClaimRules {
    const { runs, runsPerProject } = this.#ports.limits;
    return { perProject: runsPerProject, total: runs };
  }

  async #start(lease: Lease): Promise<void> {
    const { processes } = this.#ports;
    const prepared = this.#works.get(lease.runId);
    if (prepared?.state.kind === "preparing") return this.#lead(prepared);
    if (!(await this.#isCalm(lease))) return;
    const place = processes.wake(lease.projectId);
    if (place instanceof Error) {
      await this.#endings.tryLater(lease, place);
      return this.pump();
    }
    if ("error" in place) return this.#endings.end(lease, { status: "failed", ...place });
    const work = workOf(lease, place);
    place.take(work);
    this.#works.set(lease.runId, work);
    await this.#lead(work);
  }

  /** Until its agent begins. */
  async #lead(work: RunWork): Promise<void> {
    const { engine } = this.#ports;
    const { lease, place } = work;
    work.state = { kind: "starting" };
    work.isTentative = false;
    try {
      const [leased] = await Promise.all([
        this.#endings.untilWritten(lease, () => this.#ports.onLeased(lease)),
        place.process.ready(),
      ]);
      if (!place.has(work)) return;
      const end = endOf(work, leased);
      if (end !== undefined) return await this.#end(work, end, false);
      if (!leased.go) return await this.#after(work, engine.settle(lease));
      if (work.held === undefined) return this.#handOver(work, leased);
      if (isReadyFor(work, leased)) return this.#begin(work);
      await engine.release(lease);
      this.#drop(work);
    } catch (error) {
      // When its process has ended, the run was taken care of there.
      if (!place.has(work)) return;
      await this.#endings.tryLater(lease, error);
      this.#drop(work);
    }
  }

  #handOver(work: RunWork, { workdir, outfit }: Leased): void {
    const { model, reflection, ...order } = this.#ports.orderOf(work.lease);
    this.#order(work, { ...order, model, reflection, workdir, outfit });
    work.state = { kind: "working" };
  }

  /** What came up since the process got ready for the run is said before it begins. */
  #begin(work: RunWork): void {
    const { id: orderId, place } = work;
    const { messages, model } = this.#ports.newsOf(work.lease);
    work.model = model;
    const guards = work.guarded === this.#guarded ? undefined : (this.#ports.guardsOf(work.lease) ?? {});
    place.send({ type: "begin", orderId, messages, guards });
    work.state = { kind: "working" };
    this.#ports.processes.release(work);
  }

  #order(work: RunWork, { model, reflection, ...order }: SentOrder): void {
    work.model = model;
    work.reflection = reflection;
    const { id, runId, lease } = work;
    const mayReflect = reflection === undefined ? {} : { mayReflect: true as const };
    work.place.send({ type: "order", order: { kind: "run", id, runId, epoch: lease.epoch, ...order, ...mayReflect } });
  }

  /** Waits until a process may be started again after a crash. False when the run is not ours to start any more. */
  async #isCalm(lease: Lease): Promise<boolean> {
    const { processes, engine } = this.#ports;
    const hasWaited = await processes.calm(lease.projectId);
    if (this.#closing.aborted) await engine.release(lease);
    return !this.#closing.aborted && (!hasWaited || engine.renew(lease));
  }

  async #end(work: RunWork, end: RecordedEnd, worthReflection: boolean): Promise<void> {
    const { processes, reflections } = this.#ports;
    work.state = { kind: "ending" };
    processes.proven(work.lease.projectId);
    const settled = this.#endings.end(work.lease, end);
    if (worthReflection && work.reflection !== undefined && end.status === "completed")
      reflections.begin(work, work.reflection.tokens, settled);
    await this.#after(work, settled);
  }

  async #after(work: RunWork, last: Promise<unknown>): Promise<void> {
    await last;
    this.#drop(work);
  }

  #drop(work: RunWork): void {
    if (work.held !== undefined) work.place.send({ type: "let_go", orderId: work.id });
    this.#forget(work);
    this.#ports.processes.drop(work);
    this.pump();
  }

  #forget(work: RunWork): void {
    if (this.#works.get(work.runId) === work) this.#works.delete(work.runId);
  }

  /** Those that are held keep their leases; what was lost is let go of. */
  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    // The lease of a run that is being created does not run out.
    for (const work of [...this.#works.values()]) if (work.state.kind !== "preparing") await this.#renew(work);
    for (const work of [...this.#due]) if (await work()) this.#due.delete(work);
    if (this.#again) this.pump();
  }

  async #renew(work: RunWork): Promise<void> {
    if (await this.#ports.engine.renew(work.lease)) return;
    work.place.send({ type: "let_go", orderId: work.id });
    this.#drop(work);
  }

  async #waits(work: RunWork, more: 1 | -1): Promise<void> {
    const before = work.waitsFor;
    work.waitsFor += more;
    if (before > 0 !== work.waitsFor > 0) await this.#ports.engine.setWaiting(work.lease, work.waitsFor > 0);
    this.pump();
  }

  #insist(work: RunWork): void {
    const { place } = work;
    const insist = () => {
      if (!place.has(work) || work.state.kind !== "cancelling") return;
      if (place.process.silentFor >= CANCEL_MS) place.process.kill("it did not release a cancelled run");
      else this.#insist(work);
    };
    setTimeout(insist, CANCEL_MS).unref();
  }

  #track(projectId: string, work: Promise<void>): void {
    this.#ports.processes.track(projectId, work);
  }
}

/** Its process got ready where its project works, and for nothing else. */
function isReadyFor({ place }: RunWork, { workdir, outfit }: Leased): boolean {
  return outfit === undefined && (workdir === undefined || workdir === place.workdir);
}
