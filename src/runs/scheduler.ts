import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { RecordedEnd } from "../contract/journal.ts";
import type { ToProcess } from "../contract/protocol.ts";
import { Crashes } from "../processes/crashes.ts";
import type { ProcessExit } from "../processes/process-exit.ts";
import type { Refusal } from "../processes/whereabouts.ts";
import { Endings } from "./endings.ts";
import type { Job, Lease } from "./engine.ts";
import type { Place, Work } from "./place.ts";
import { Places } from "./places.ts";
import { endOf, type SchedulerPorts } from "./scheduler-ports.ts";
import { Switchboard } from "./switchboard.ts";

const LOOK_MS = 5_000;
const IDLE_LOOK_MS = 60_000;
/** A process that says nothing for this long, although it is asked, hangs. */
const HUNG_MS = 30_000;
/** How long a process may take to end a run that was cancelled before it is taken for hanging. */
const CANCEL_MS = 2_000;

interface Crash {
  cause: string;
  works: Work[];
  recovered: Promise<void>[];
}

/** The only starter of runs: reconciles what is leased with what really runs, then hands out what may start. */
export class Scheduler {
  readonly #ports: SchedulerPorts;
  readonly #places: Places;
  readonly #endings: Endings;
  readonly #crashes = new Crashes(() => performance.now());
  /** Work that must be done before its project, or everything, counts as stopped. */
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #closing = new AbortController();
  readonly #worker = `daemon-${process.pid}`;
  readonly #looking: NodeJS.Timeout;
  #lookedAt = performance.now();
  #pumping = false;
  #again = false;

  constructor(ports: SchedulerPorts) {
    this.#ports = ports;
    this.#endings = new Endings(ports, this.#closing.signal);
    const switchboard = new Switchboard(ports, {
      onEnded: (work, end) => this.#track(work.lease.projectId, this.#end(work, end)),
      onStumbled: (work, stumbled) =>
        this.#track(work.lease.projectId, this.#after(work, this.#endings.stumbled(work, stumbled))),
      onReflected: (place, reflected) => {
        const kept = place.reflections.end(reflected);
        this.#places.rest(place);
        this.#track(place.projectId, kept);
      },
      onRoom: () => this.pump(),
      track: (projectId, work) => this.#track(projectId, work),
    });
    this.#places = new Places(ports, {
      onMessage: (place, message) => switchboard.hear(place, message),
      onWait: (place, runId, wait) => switchboard.hearOfWait(place, runId, wait),
      onLost: (works, exit, place) => this.#lost(works, exit, place),
    });
    this.#looking = setInterval(() => this.#track("", this.#look()), LOOK_MS);
    this.#looking.unref();
  }

  async enqueue(job: Job): Promise<void> {
    await this.#ports.engine.enqueue(job);
    this.pump();
  }

  /** Starts whatever may start now. */
  pump(): void {
    this.#again = true;
    if (this.#pumping || this.#closing.signal.aborted) return;
    this.#pumping = true;
    this.#track("", this.#drain());
  }

  /** True when the run is at work and was told; its end follows. False: nobody works on it, and nobody will. */
  async cancel(runId: string, reason: string): Promise<boolean> {
    const work = this.#places.workOn(runId);
    if (work === undefined) {
      await this.withdraw(runId);
      return false;
    }
    if (work.state.kind === "working") {
      work.place.process.send({ type: "cancel", runId, reason });
      this.#insist(work);
    }
    if (work.state.kind !== "ending") work.state = { kind: "cancelling", reason };
    return true;
  }

  /** Nobody will start the run until it is enqueued again. */
  async withdraw(runId: string): Promise<void> {
    await this.#ports.engine.cancel(runId);
    const work = this.#places.workOn(runId);
    if (work?.state.kind === "starting") this.#drop(work);
  }

  isAtWork(runId: string): boolean {
    return this.#places.workOn(runId) !== undefined;
  }

  /** True when the run's process was asked to take the message; whether it will is told by onHeard. */
  deliver(runId: string, message: { id: string; text: string }): boolean {
    const work = this.#places.workOn(runId);
    if (work?.state.kind !== "working") return false;
    work.place.process.send({ type: "message", runId, ...message });
    return true;
  }

  /**
   * Wakes the project's process for its agent and keeps it awake until `rest`. Resolves when it can be spoken to; a text
   * says why there is none.
   */
  async talk(projectId: string): Promise<{ send: (message: ToProcess) => void } | string> {
    const { signal } = this.#closing;
    const pauseMs = this.#places.isAwake(projectId) ? 0 : this.#crashes.pauseMs(projectId);
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    // Two processes would write the same session.
    for (let left = this.#places.left(projectId); left !== undefined; left = this.#places.left(projectId)) await left;
    if (signal.aborted) return "The hall is stopping.";
    const place = this.#wake(projectId);
    if (place instanceof Error) return place.message;
    if ("error" in place) return place.error;
    place.talk();
    await place.process.ready();
    return { send: (message) => place.process.send(message) };
  }

  /** The project's agent has nothing to do for now, and what it did shows that its process works. */
  rest(projectId: string): void {
    this.#crashes.forget(projectId);
    this.#places.hush(projectId);
  }

  isAwake(projectId: string): boolean {
    return this.#places.isAwake(projectId);
  }

  /** Says something to the project's process, if there is one. */
  tell(projectId: string, message: ToProcess): void {
    this.#places
      .awake()
      .find((place) => place.projectId === projectId)
      ?.process.send(message);
  }

  /** Resolves when nothing of the project runs any more; its runs are left as they are. */
  async stopProject(projectId: string): Promise<void> {
    await this.#places.stop(projectId);
    await Promise.all([...this.#underWay].filter(([, of]) => of === projectId).map(([work]) => work));
  }

  /** Ends the processes of a project, or all, after so long at most; says how many there were. */
  async endProcesses(projectId: string | undefined, withinMs: number): Promise<number> {
    const ended = this.#places.awake().filter((place) => projectId === undefined || place.projectId === projectId);
    await this.#places.stop(projectId, withinMs);
    return ended.length;
  }

  /** Every run is handed back as it stands, and goes on when the next daemon starts. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#looking);
    await this.#places.stop();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  async #drain(): Promise<void> {
    const { engine, limits } = this.#ports;
    const rules = { perProject: limits.runsPerProject, total: limits.runs };
    try {
      while (this.#again && !this.#closing.signal.aborted) {
        this.#again = false;
        // A parent that goes on because its child has ended takes the child's place before anyone else does.
        await nextTurn();
        if (performance.now() - this.#lookedAt > 2 * LOOK_MS) await this.#look();
        // What is handed back because the hall stops could be claimed again, for ever.
        while (!this.#closing.signal.aborted) {
          const lease = await engine.claim(this.#worker, rules);
          if (lease === undefined) break;
          this.#track(lease.projectId, this.#start(lease));
        }
      }
    } finally {
      this.#pumping = false;
    }
  }

  async #start(lease: Lease): Promise<void> {
    if (!(await this.#isCalm(lease))) return;
    const place = this.#wake(lease.projectId);
    if (place instanceof Error) {
      await this.#endings.tryLater(lease, place);
      return this.pump();
    }
    if ("error" in place) return this.#endings.end(lease, { status: "failed", ...place });
    const work = place.take(lease);
    try {
      const [leased] = await Promise.all([
        this.#endings.untilWritten(lease, () => this.#ports.onLeased(lease)),
        place.process.ready(),
      ]);
      if (!place.has(work)) return;
      const end = endOf(work, leased);
      if (end !== undefined) return await this.#end(work, end);
      if (!leased.go) return await this.#after(work, this.#ports.engine.settle(lease));
      const { runId, epoch } = lease;
      const order = this.#ports.orderOf(runId);
      place.process.send({ type: "run", runId, epoch, ...order, workdir: leased.workdir });
      work.state = { kind: "working" };
      work.reflects = order.reflection !== undefined;
    } catch (error) {
      // When its process has ended, the run was taken care of there.
      if (!place.has(work)) return;
      await this.#endings.tryLater(lease, error);
      this.#drop(work);
    }
  }

  /** Waits until a process may be started again after a crash. False when the run is not ours to start any more. */
  async #isCalm(lease: Lease): Promise<boolean> {
    const { signal } = this.#closing;
    const pauseMs = this.#places.isAwake(lease.projectId) ? 0 : this.#crashes.pauseMs(lease.projectId);
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) await this.#ports.engine.release(lease);
    return !signal.aborted && (pauseMs === 0 || this.#ports.engine.renew(lease));
  }

  /** An error is the system's: too many processes, or open files. */
  #wake(projectId: string): Place | Refusal | Error {
    try {
      return this.#places.wake(projectId);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #end(work: Work, end: RecordedEnd): Promise<void> {
    work.state = { kind: "ending" };
    this.#crashes.forget(work.lease.projectId);
    const settled = this.#endings.end(work.lease, end);
    const { lease, place } = work;
    if (work.reflects === true && end.status === "completed")
      place.reflections.begin(lease.runId, lease.epoch, settled);
    await this.#after(work, settled);
  }

  async #after(work: Work, last: Promise<unknown>): Promise<void> {
    await last;
    this.#drop(work);
  }

  #drop(work: Work): void {
    this.#places.drop(work);
    this.pump();
  }

  #lost(works: Work[], exit: ProcessExit, { projectId, reflections }: Place): void {
    this.#track(projectId, reflections.abandon());
    const expected = exit.expected || this.#closing.signal.aborted;
    const recover = async (work: Work) => {
      await this.#endings.recover(work, { ...exit, expected });
      this.pump();
    };
    const recovered = works.map(recover);
    for (const one of recovered) this.#track(projectId, one);
    const told = expected ? Promise.resolve() : this.#crashed(projectId, { cause: exit.cause, works, recovered });
    this.#track(
      projectId,
      told.finally(() => this.#ports.onGone(projectId)),
    );
  }

  /** The runs come first: a project that is suspended has none that could still be given up. */
  async #crashed(projectId: string, { cause, works, recovered }: Crash): Promise<void> {
    const counted = this.#crashes.note(projectId);
    await Promise.allSettled(recovered);
    await this.#ports.onProcessCrashed({ projectId, cause, runs: works.map(({ lease }) => lease.runId), ...counted });
    // Whoever resumes the project wants it to be tried anew.
    if (counted.tooMany) this.#crashes.forget(projectId);
  }

  /** A process that hangs is ended, so that its runs go on elsewhere; every other keeps its leases. */
  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    for (const place of this.#places.awake()) {
      const { process, works } = place;
      // An idle one is asked seldom, so that it really is idle.
      const often = place.isIdle ? IDLE_LOOK_MS : LOOK_MS;
      if (process.silentFor > often - LOOK_MS + HUNG_MS)
        process.kill(`it did not answer for ${HUNG_MS / 1_000} seconds`);
      else if (process.silentFor > often) process.send({ type: "ping" });
      for (const work of works.values()) await this.#renew(work);
    }
    if (this.#again) this.pump();
  }

  async #renew(work: Work): Promise<void> {
    if (await this.#ports.engine.renew(work.lease)) return;
    work.place.process.send({ type: "let_go", runId: work.lease.runId });
    this.#drop(work);
  }

  #insist(work: Work): void {
    const { place } = work;
    const insist = () => {
      if (!place.has(work) || work.state.kind !== "cancelling") return;
      if (place.process.silentFor >= CANCEL_MS) place.process.kill("it did not let go of a run that was cancelled");
      else this.#insist(work);
    };
    setTimeout(insist, CANCEL_MS).unref();
  }

  #track(projectId: string, work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error) => this.#ports.onTrouble("the scheduler stumbled", error))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.set(tracked, projectId);
  }
}
