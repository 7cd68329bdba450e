import type { ModelWait } from "../contract/documents/budget.ts";
import type { Delta } from "../contract/runs/model-call.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";
import type { ModelGate } from "../models/gate.ts";
import type { ProcessNotes } from "../store/host/process-notes.ts";
import type { Work } from "./place.ts";
import { Place } from "./place.ts";
import type { ProcessExit } from "./process-exit.ts";
import type { ProjectFolders, Refusal } from "./project-folders.ts";

export interface PlacesPorts {
  /** The file a project's process runs. */
  entry: string;
  gate: Pick<ModelGate, "ask">;
  /** Calls of tools at once in one process. */
  toolSlots: number;
  /** How long a process with nothing to do is kept. */
  parkAfterMs: number;
  notes: Pick<ProcessNotes, "add" | "remove">;
  /** Where a project's agents work, or why they cannot. */
  placeOf(projectId: string): ProjectFolders | Refusal;
}

interface Listeners {
  onMessage: (place: Place, message: FromProcess) => void;
  onDelta: (work: Work, delta: Delta) => void;
  onWait: (work: Work, wait: ModelWait | undefined) => void;
  /** Called with what the process had to do. */
  onLost: (place: Place, works: Work[], exit: ProcessExit) => void;
}

/** One process for each project with something to do. */
export class Places {
  readonly #ports: PlacesPorts;
  readonly #listeners: Listeners;
  readonly #awake = new Map<string, Place>();
  /** Told to stop, and not gone yet. A project that wakes up meanwhile gets another one. */
  readonly #leaving = new Set<Place>();

  constructor(ports: PlacesPorts, listeners: Listeners) {
    this.#ports = ports;
    this.#listeners = listeners;
  }

  awake(): Place[] {
    return [...this.#awake.values()];
  }

  isAwake(projectId: string): boolean {
    return this.#awake.has(projectId);
  }

  /** What the awake process of a project has under this order. */
  find(projectId: string, orderId: string): Work | undefined {
    return this.#awake.get(projectId)?.works.get(orderId);
  }

  /** The project's process, started if need be, or why there can be none. */
  wake(projectId: string): Place | Refusal {
    const { entry, gate, toolSlots, notes, placeOf } = this.#ports;
    const { onMessage, onDelta, onWait } = this.#listeners;
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
      ...{ entry, gate, toolSlots, onMessage, onDelta, onWait },
      onExit: (from, exit) => this.#lost(from, exit),
    });
    this.#awake.set(projectId, place);
    if (place.process.pid !== undefined) notes.add(place.process.pid, [entry, where.projectPath]);
    return place;
  }

  /** Resolves when a process that has this order, and is on its way out, is gone; undefined: there is none. */
  left(projectId: string, orderId: string): Promise<void> | undefined {
    const place = [...this.#leaving].find((one) => one.projectId === projectId && one.works.has(orderId));
    return place?.process.stop();
  }

  /**
   * It is parked after a while, unless it has or gets something to do. An idle process costs memory; another is started in
   * a fraction of a second.
   */
  rest(place: Place): void {
    if (this.#awake.get(place.projectId) !== place) return;
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
    this.#listeners.onLost(place, works, exit);
  }
}
