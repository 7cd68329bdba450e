import { GateReview } from "../../contract/documents/quality/review.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { pageText, readDocument, withoutFormat } from "../../store/logs/durable-document.ts";
import { BY_DAEMON, type Core, commitAll } from "../../workspace/core.ts";
import { PROJECTS_FOLDER, projectRoot } from "../../workspace/layout.ts";
import type { Together } from "../../workspace/together.ts";
import type { ReviewStep, ToldStep } from "./review-events.ts";
import { isOpen } from "./review-step.ts";

/** Reviews that wait for their turn or are judged. One more waits for the person, or for a place. */
export const MOST_QUEUED = 50;
/** Held by whoever adds to the queue: between counting and adding nothing else is added. */
export const QUEUE_LOCK = "gate reviews";
const folderOf = (projectId: string) => `${projectRoot(projectId)}/gates/reviews`;
const pathOf = ({ projectId, id }: Pick<GateReview, "projectId" | "id">) => `${folderOf(projectId)}/${id}.json`;

/** The documents of reviews. Open ones are known from memory; the files of others are history. */
export class ReviewStore {
  readonly #core: Core;
  readonly #open = new Map<string, GateReview>();
  readonly #problems = new Map<string, Problem>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** To be called once, before anything else. A file that can't be read is left alone, and told of. */
  load(): void {
    const { files } = this.#core;
    for (const projectId of files.folders(PROJECTS_FOLDER))
      for (const name of files.exists(folderOf(projectId)) ? files.names(folderOf(projectId)) : [])
        if (name.endsWith(".json")) this.#read(projectId, name);
  }

  #read(projectId: string, name: string): void {
    const path = `${folderOf(projectId)}/${name}`;
    try {
      const review = GateReview.parse(withoutFormat(JSON.parse(this.#core.files.text(path))));
      // A copy beside it, such as an older one of a backup, must not take its place.
      if (name !== `${review.id}.json`) throw new Error(`id: '${review.id}' does not match the file name`);
      // A copied project brings along the reviews of the one it was copied from.
      if (review.projectId === projectId) this.#remember(review);
    } catch (error) {
      const reason = `the review can't be read: ${errorText(error)}`;
      this.#problems.set(path, { file: path, kind: "gate", projectId, severity: "warning", reason });
    }
  }

  problems(): Problem[] {
    return [...this.#problems.values()];
  }

  open(): GateReview[] {
    return [...this.#open.values()];
  }

  /** How many wait for their turn or are judged. */
  queued(): number {
    return this.open().filter(({ state }) => state === "pending" || state === "running").length;
  }

  get(id: string): GateReview | undefined {
    return this.#open.get(id);
  }

  /** The one that waits for, or has, the result of a run. */
  ofRun(runId: string): GateReview | undefined {
    return this.open().find((review) => review.runId === runId || review.nextRunId === runId);
  }

  /** As its file has it, also where it is over. Undefined where there is none that can be read. */
  find({ projectId, id }: Pick<GateReview, "projectId" | "id">): GateReview | undefined {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const review = readDocument(this.#core.files, pathOf({ projectId, id }), GateReview);
    return review?.id === id && review.projectId === projectId ? review : undefined;
  }

  /** Durable when it resolves. */
  async save({ review, told }: ReviewStep): Promise<GateReview> {
    await commitAll(this.#core, this.together({ review, told }));
    return review;
  }

  /** To be made durable with something else. */
  together({ review, told }: ReviewStep): Together {
    const content = pageText(review);
    const within = projectRoot(review.projectId);
    return {
      events: told.map((step) => draftOf(review, step)),
      writes: [{ kind: "put", path: pathOf(review), content, within }],
      apply: () => this.#remember(review),
    };
  }

  forget(projectId: string): void {
    for (const [id, review] of this.#open) if (review.projectId === projectId) this.#open.delete(id);
  }

  #remember(review: GateReview): void {
    if (isOpen(review)) this.#open.set(review.id, review);
    else this.#open.delete(review.id);
  }
}

/** The log has each step of a review under the run that it is about, and with the reason. */
export function draftOf({ projectId, runId }: Pick<GateReview, "projectId" | "runId">, step: ToldStep): EventDraft {
  const { reason, ...after } = step.after;
  const told = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
  return {
    type: step.type,
    actor: BY_DAEMON,
    projectId,
    subject: { kind: "run", id: runId },
    after: { ...told, ...(typeof reason === "string" ? { reason: reason.slice(0, 2_000) } : {}) },
  };
}
