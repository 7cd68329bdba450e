import { setTimeout as delay } from "node:timers/promises";
import type { ToProcess } from "../contract/runs/protocol.ts";
import type { CrashReports } from "./crash-reports.ts";
import { Crashes } from "./crashes.ts";
import type { HallQuestions } from "./hall-questions.ts";
import type { Party } from "./party.ts";
import type { Place, Work } from "./place.ts";
import { Places, type PlacesPorts } from "./places.ts";
import type { ProcessExit } from "./process-exit.ts";
import type { Refusal } from "./project-folders.ts";
import { Switchboard } from "./switchboard.ts";

const LOOK_MS = 5_000;
const IDLE_LOOK_MS = 60_000;
/** A process that says nothing for this long, although it is asked, hangs. */
const HUNG_MS = 30_000;

export interface ProcessesPorts extends PlacesPorts {
  /** What every process may ask of the hall, whatever it does. */
  questions: HallQuestions;
  reports: Pick<CrashReports, "crashed">;
  onTrouble: (what: string, error: unknown) => void;
}

interface Lost {
  works: Work[];
  exit: ProcessExit;
  recovered: Promise<void>[];
}

/**
 * The processes of projects: wakes them, parks them, watches them, starts them later each time they crash, and takes what they
 * say to the parties that gave the orders. It does not know what the orders are about.
 */
export class Processes {
  readonly #ports: ProcessesPorts;
  readonly #places: Places;
  readonly #switchboard: Switchboard;
  readonly #crashes = new Crashes(() => performance.now());
  /** Work that must be done before its project, or everything, counts as stopped. */
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #closing = new AbortController();
  readonly #looking: NodeJS.Timeout;

  constructor(ports: ProcessesPorts) {
    this.#ports = ports;
    const track = (projectId: string, work: Promise<void>) => this.track(projectId, work);
    const switchboard = new Switchboard({ questions: ports.questions, track });
    this.#switchboard = switchboard;
    this.#places = new Places(ports, {
      onMessage: (place, message) => switchboard.hear(place, message),
      onDelta: (work, delta) => switchboard.partyOf(work).onDelta(work, delta),
      // A call that is broken off with its work waits no more, which is nothing to those who gave the order.
      onWait: (work, wait) => work.place.has(work) && switchboard.partyOf(work).onWait(work, wait),
      onLost: (place, works, exit) => this.#lost(place, works, exit),
    });
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** From now on orders of its kind are given, and what comes of them is told to it. */
  attach(party: Party): void {
    this.#switchboard.attach(party);
  }

  /** Aborted when everything is to stop. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Resolves when a process of the project may be started again after a crash; answers whether that took a while. */
  async calm(projectId: string): Promise<boolean> {
    const pauseMs = this.#places.isAwake(projectId) ? 0 : this.#crashes.pauseMs(projectId);
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal: this.closing }).catch(() => undefined);
    return pauseMs > 0;
  }

  /** The project's process, started if need be, or why there can be none. An error is the system's: too many processes, or open files. */
  wake(projectId: string): Place | Refusal | Error {
    try {
      return this.#places.wake(projectId);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** As wake, if its process is awake. */
  awake(projectId: string): Place | undefined {
    const place = this.#places.isAwake(projectId) ? this.wake(projectId) : undefined;
    return place === undefined || place instanceof Error || "error" in place ? undefined : place;
  }

  /** What its process says of it is heard from now on, and what it has said so far. */
  release(work: Work): void {
    const { held = [] } = work;
    work.held = undefined;
    for (const message of held) this.#switchboard.hear(work.place, message);
  }

  /** What the awake process of a project has under this order. */
  find(projectId: string, orderId: string): Work | undefined {
    return this.#places.find(projectId, orderId);
  }

  /** Resolves when a process that has this order, and is on its way out, is gone; undefined: there is none. */
  left(projectId: string, orderId: string): Promise<void> | undefined {
    return this.#places.left(projectId, orderId);
  }

  /** The process has this to do no more. */
  drop(work: Work): void {
    work.place.drop(work);
    this.#places.rest(work.place);
  }

  /** The process keeps it, but has nothing to do for it now. */
  rest(work: Work): void {
    work.isBusy = false;
    this.#places.rest(work.place);
  }

  /** Something was done in it: its process works in principle. */
  proven(projectId: string): void {
    this.#crashes.forget(projectId);
  }

  /** Waits for it when the project, or everything, is stopped. */
  track(projectId: string, work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error) => this.#ports.onTrouble("a task of a project's process failed", error))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.set(tracked, projectId);
  }

  /** Resolves when nothing of the project runs any more; what it was at is left so that it goes on another time. */
  async stop(projectId: string): Promise<void> {
    await this.#places.stop(projectId);
    await Promise.all([...this.#underWay].filter(([, of]) => of === projectId).map(([work]) => work));
  }

  /** Ends the processes of a project, or all, after so long at most; says how many there were. */
  async end(projectId: string | undefined, withinMs: number): Promise<number> {
    const ended = this.#places.awake().filter((place) => projectId === undefined || place.projectId === projectId);
    await this.#places.stop(projectId, withinMs);
    return ended.length;
  }

  tellAll(message: ToProcess): void {
    for (const place of this.#places.awake()) place.send(message);
  }

  /** As stop, for all projects and for good. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#looking);
    await this.#places.stop();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  #lost({ projectId }: Place, works: Work[], exited: ProcessExit): void {
    const exit = { ...exited, expected: exited.expected || this.closing.aborted };
    const parties = this.#switchboard.parties();
    const recovered = parties.flatMap((party) =>
      party.lost(
        works.filter(({ kind }) => kind === party.kind),
        exit,
      ),
    );
    for (const one of recovered) this.track(projectId, one);
    const told = exit.expected ? Promise.resolve() : this.#crashed(projectId, { works, exit, recovered });
    const tellGone = () => {
      for (const party of parties) party.gone?.(projectId);
    };
    this.track(projectId, told.finally(tellGone));
  }

  /** What was lost comes first: a project that is suspended has no runs that could still be given up. */
  async #crashed(projectId: string, { works, exit, recovered }: Lost): Promise<void> {
    const counted = this.#crashes.note(projectId);
    await Promise.allSettled(recovered);
    const had = works.filter(({ isTentative }) => isTentative !== true);
    const runs = had.flatMap(({ kind, runId }) => (kind === "run" && runId !== undefined ? [runId] : []));
    const crash = { projectId, cause: exit.cause, runs, ...counted };
    await this.#ports.reports.crashed(crash);
    for (const party of this.#switchboard.parties()) await party.crashed?.(crash);
    // Whoever resumes the project wants it to be tried again.
    if (counted.tooMany) this.#crashes.forget(projectId);
  }

  /** A process that hangs is ended, so that what it has goes on elsewhere. */
  #look(): void {
    for (const { process, isIdle } of this.#places.awake()) {
      // An idle one is asked seldom, so that it really is idle.
      const often = isIdle ? IDLE_LOOK_MS : LOOK_MS;
      if (process.silentFor > often - LOOK_MS + HUNG_MS)
        process.kill(`it did not answer for ${HUNG_MS / 1_000} seconds`);
      else if (process.silentFor > often) process.send({ type: "ping" });
    }
  }
}
