import type { ModelWait } from "../contract/budget.ts";
import type { Delta } from "../contract/model-call.ts";
import type { FromProcess } from "../contract/protocol.ts";
import type { ModelGate } from "../models/gate.ts";
import { ModelDesk } from "../processes/model-desk.ts";
import type { ProcessExit } from "../processes/process-exit.ts";
import { ProjectProcess } from "../processes/project-process.ts";
import { type ReflectionPorts, Reflections } from "../processes/reflections.ts";
import type { Whereabouts } from "../processes/whereabouts.ts";
import type { Lease } from "./engine.ts";

/** The next run often follows at once, and then what is kept for speed is needed. */
const REST_MS = 2_000;

/** A run that a process has. */
export interface Work {
  readonly lease: Lease;
  readonly place: Place;
  /**
   * `starting`: leased, not yet handed over. `cancelling`: its end is on the way, whatever happens to the process.
   * `ending`: it is over and is being settled.
   */
  state: { kind: "starting" | "working" | "ending" } | { kind: "cancelling"; reason: string };
  /** Its process may look back on it, and will say when it has. */
  reflects?: boolean;
  /** How many children it waits for, and calls that may not be sent. */
  waitsFor: number;
  /** Its model call may not be sent for now. */
  isHeldUp: boolean;
}

interface PlaceOptions extends Whereabouts {
  projectId: string;
  entry: string;
  toolSlots: number;
  gate: Pick<ModelGate, "ask">;
  reflections: ReflectionPorts;
  onDelta: (of: { runId: string; projectId: string }, delta: Delta) => void;
  onWait: (place: Place, runId: string, wait: ModelWait | undefined) => void;
  onMessage: (place: Place, message: FromProcess) => void;
  onExit: (place: Place, exit: ProcessExit) => void;
}

/** A project's process with the runs it has, and the desk where its model calls are made. */
export class Place {
  readonly projectId: string;
  readonly workdir: string;
  readonly process: ProjectProcess;
  readonly desk: ModelDesk;
  readonly works = new Map<string, Work>();
  /** The project's agent has something to do. */
  isTalking = false;
  /** It had, so that it may have the project's session open. */
  hasTalked = false;
  readonly reflections: Reflections;
  #parking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;

  constructor({ projectId, gate, reflections, onDelta, onWait, onMessage, onExit, ...options }: PlaceOptions) {
    this.projectId = projectId;
    this.workdir = options.workdir;
    this.reflections = new Reflections(reflections);
    this.desk = new ModelDesk({
      projectId,
      gate,
      onDelta: (runId, delta) => onDelta({ runId, projectId }, delta),
      onWait: (runId, wait) => onWait(this, runId, wait),
      send: (message) => this.process.send(message),
    });
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

  /** The project's agent has something to do. */
  talk(): void {
    this.#stir();
    if (this.isIdle) this.process.expectWord();
    this.isTalking = true;
    this.hasTalked = true;
  }

  take(lease: Lease): Work {
    this.#stir();
    if (this.isIdle) this.process.expectWord();
    const work: Work = { lease, place: this, state: { kind: "starting" }, waitsFor: 0, isHeldUp: false };
    this.works.set(lease.runId, work);
    return work;
  }

  get isIdle(): boolean {
    return this.works.size === 0 && !this.isTalking && this.reflections.size === 0;
  }

  has(work: Work): boolean {
    return this.works.get(work.lease.runId) === work;
  }

  drop(work: Work): void {
    if (this.has(work)) this.works.delete(work.lease.runId);
    this.desk.forget(work.lease.runId);
  }

  /** Calls when the place has had nothing to do for so long. Its process may rest much sooner. */
  whenIdle(milliseconds: number, call: () => void): void {
    this.#stir();
    if (!this.isIdle) return;
    this.#parking = setTimeout(call, milliseconds).unref();
    this.#resting = setTimeout(() => this.process.send({ type: "rest" }), REST_MS).unref();
  }

  #stir(): void {
    clearTimeout(this.#parking);
    clearTimeout(this.#resting);
  }
}
