import type { ModelWait } from "../contract/budget.ts";
import { type FromProcess, SESSION } from "../contract/protocol.ts";
import type { ProcessExit } from "../processes/process-exit.ts";
import type { Refusal } from "../processes/whereabouts.ts";
import { Place, type Work } from "./place.ts";
import type { SchedulerPorts } from "./scheduler-ports.ts";

type Ports = Pick<
  SchedulerPorts,
  "entry" | "gate" | "limits" | "parkAfterMs" | "notes" | "placeOf" | "onDelta" | "onTalkDelta" | "reflections"
>;

interface Listeners {
  onMessage: (place: Place, message: FromProcess) => void;
  onWait: (place: Place, runId: string, wait: ModelWait | undefined) => void;
  /** Called with the runs the process had, which it has no more. */
  onLost: (works: Work[], exit: ProcessExit, place: Place) => void;
}

/** One process for each project with something to do. */
export class Places {
  readonly #ports: Ports;
  readonly #listeners: Listeners;
  readonly #awake = new Map<string, Place>();
  /** Told to stop, and not gone yet. A project that wakes up meanwhile gets another one. */
  readonly #leaving = new Set<Place>();

  constructor(ports: Ports, listeners: Listeners) {
    this.#ports = ports;
    this.#listeners = listeners;
  }

  awake(): Place[] {
    return [...this.#awake.values()];
  }

  isAwake(projectId: string): boolean {
    return this.#awake.has(projectId);
  }

  workOn(runId: string): Work | undefined {
    for (const place of [...this.#awake.values(), ...this.#leaving]) {
      const work = place.works.get(runId);
      if (work !== undefined) return work;
    }
    return undefined;
  }

  /** The project's process, started if need be, or why there can be none. */
  wake(projectId: string): Place | Refusal {
    const { entry, gate, limits, notes, placeOf, onDelta, onTalkDelta, reflections } = this.#ports;
    // Asked each time: the working folder may be another one by now, and then nothing is done in it.
    const where = placeOf(projectId);
    if ("error" in where) return where;
    const awake = this.#awake.get(projectId);
    // One that has something to do goes on where it is; each run is told its folder.
    if (awake !== undefined && (awake.workdir === where.workdir || !awake.isIdle)) return awake;
    if (awake !== undefined) void this.#stop(awake);
    const place = new Place({
      ...where,
      projectId,
      entry,
      gate,
      reflections,
      toolSlots: limits.toolCalls,
      onDelta: (of, delta) => (of.runId === SESSION ? onTalkDelta(projectId, delta) : onDelta(of, delta)),
      onMessage: this.#listeners.onMessage,
      onWait: this.#listeners.onWait,
      onExit: (from, exit) => this.#lost(from, exit),
    });
    this.#awake.set(projectId, place);
    if (place.process.pid !== undefined) notes.add(place.process.pid, [entry, where.projectPath]);
    return place;
  }

  /** Resolves when a process in which the project's agent was, and that is on its way out, is gone; undefined: there is none. */
  left(projectId: string): Promise<void> | undefined {
    return [...this.#leaving].find((place) => place.projectId === projectId && place.hasTalked)?.process.stop();
  }

  /** An idle process costs memory; another is started in a fraction of a second when there is something to do. */
  drop(work: Work): void {
    const { place } = work;
    place.drop(work);
    this.rest(place);
  }

  /** The project's agent has nothing to do for now. */
  hush(projectId: string): void {
    const place = this.#awake.get(projectId);
    if (place === undefined) return;
    place.isTalking = false;
    this.rest(place);
  }

  /** It is parked after a while, unless it has or gets something to do. */
  rest(place: Place): void {
    if (this.#leaving.has(place)) return;
    place.whenIdle(this.#ports.parkAfterMs, () => void this.#stop(place));
  }

  /** Resolves when the processes of a project, or all, have ended. */
  async stop(projectId?: string, withinMs?: number): Promise<void> {
    const places = [...this.#awake.values(), ...this.#leaving].filter(
      (place) => projectId === undefined || place.projectId === projectId,
    );
    await Promise.all(places.map((place) => this.#stop(place, withinMs)));
  }

  #stop(place: Place, withinMs?: number): Promise<void> {
    if (this.#awake.get(place.projectId) === place) this.#awake.delete(place.projectId);
    this.#leaving.add(place);
    return place.process.stop(withinMs);
  }

  #lost(place: Place, exit: ProcessExit): void {
    if (this.#awake.get(place.projectId) === place) this.#awake.delete(place.projectId);
    this.#leaving.delete(place);
    if (place.process.pid !== undefined) this.#ports.notes.remove(place.process.pid);
    const works = [...place.works.values()];
    place.works.clear();
    this.#listeners.onLost(works, exit, place);
  }
}
