import type { ModelWait } from "../contract/documents/budget.ts";
import type { Delta } from "../contract/runs/model-call.ts";
import type { FromProcess, Order, ToProcess } from "../contract/runs/protocol.ts";
import type { ModelGate } from "../models/gate.ts";
import { ModelDesk } from "./model-desk.ts";
import type { ProcessExit } from "./process-exit.ts";
import type { ProjectFolders } from "./project-folders.ts";
import { ProjectProcess } from "./project-process.ts";

/** The next run often follows at once, and then what is kept for speed is needed. */
const REST_MS = 2_000;

/** Something a process was ordered to do. Parties add what they have to know of it. */
export interface Work {
  /** The id of the order, under which the process speaks of it. */
  readonly id: string;
  readonly kind: Order["kind"];
  readonly place: Place;
  /** The run that its model calls and questions belong to; the project's agent has none. */
  readonly runId?: string | undefined;
  /** It keeps its process from being parked. */
  isBusy: boolean;
  /** It may never count: what it is about is being made. */
  isTentative?: boolean | undefined;
  /** What its process says while what it was ordered to do is not on the disk yet; heard when it is. */
  held?: FromProcess[] | undefined;
}

interface PlaceOptions extends ProjectFolders {
  projectId: string;
  entry: string;
  toolSlots: number;
  gate: Pick<ModelGate, "ask">;
  onDelta: (work: Work, delta: Delta) => void;
  onWait: (work: Work, wait: ModelWait | undefined) => void;
  onMessage: (place: Place, message: FromProcess) => void;
  onExit: (place: Place, exit: ProcessExit) => void;
}

/** A project's process with what it was ordered to do, and the desk where its model calls are made. */
export class Place {
  readonly projectId: string;
  readonly workdir: string;
  readonly process: ProjectProcess;
  readonly desk: ModelDesk<Work>;
  /** By the ids of their orders. */
  readonly works = new Map<string, Work>();
  #parking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;

  constructor({ projectId, gate, onDelta, onWait, onMessage, onExit, ...options }: PlaceOptions) {
    this.projectId = projectId;
    this.workdir = options.workdir;
    this.desk = new ModelDesk({ projectId, gate, onDelta, onWait, send: (message) => this.send(message) });
    this.process = new ProjectProcess({
      ...options,
      onMessage: (message) => onMessage(this, message),
      onExit: (exit) => {
        this.#stir();
        this.desk.close();
        onExit(this, exit);
      },
    });
  }

  get isIdle(): boolean {
    return [...this.works.values()].every(({ isBusy }) => !isBusy);
  }

  send(message: ToProcess): void {
    this.process.send(message);
  }

  /** From now on the process has this to do. */
  take(work: Work): void {
    this.#stir();
    if (this.isIdle) this.process.expectWord();
    work.isBusy = true;
    this.works.set(work.id, work);
  }

  has(work: Work): boolean {
    return this.works.get(work.id) === work;
  }

  drop(work: Work): void {
    if (this.has(work)) this.works.delete(work.id);
    this.desk.forget(work.id);
  }

  /** Calls when the place has had nothing to do for so long. Its process may rest much sooner. */
  whenIdle(milliseconds: number, call: () => void): void {
    this.#stir();
    if (!this.isIdle) return;
    this.#parking = setTimeout(call, milliseconds).unref();
    this.#resting = setTimeout(() => this.send({ type: "rest" }), REST_MS).unref();
  }

  #stir(): void {
    clearTimeout(this.#parking);
    clearTimeout(this.#resting);
  }
}
