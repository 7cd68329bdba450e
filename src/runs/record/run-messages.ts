import type { Core } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { RunOrder } from "../schedule/scheduler-ports.ts";
import type { SaidToRun, TeamMail } from "../team-mail.ts";
import type { RunBook } from "./run-book.ts";
import type { RunProgress } from "./run-progress.ts";

interface Parts {
  core: Core;
  progress: RunProgress;
  book: RunBook;
  mail: Pick<TeamMail, "collect">;
}

/** What people and teams say to runs, on its way to the model. */
export class RunMessages {
  readonly #progress: Pick<RunProgress, "find" | "ended">;
  readonly #book: Pick<RunBook, "messaged">;
  readonly #core: Pick<Core, "clock">;
  readonly #mail: Parts["mail"];
  /** Messages whose process has not said yet whether they will reach the model. */
  readonly #pending = new Map<string, (ok: boolean) => void>();

  constructor({ core, progress, book, mail }: Parts) {
    this.#core = core;
    this.#progress = progress;
    this.#book = book;
    this.#mail = mail;
  }

  /** Before the run is handed over: what its team has for it goes along. Durable when it resolves. */
  async collect(runId: string): Promise<void> {
    for (const said of await this.#mail.collect(this.#progress.find(runId).run)) {
      const known = this.#progress.find(runId);
      if (known.messages.some(({ id }) => id === said.id)) continue;
      await this.#book.messaged(known, { ...said, at: this.#core.clock().toISOString() });
    }
  }

  /** Durable before it is delivered; answers whether it will reach the model. */
  async send(runId: string, message: SaidToRun, deliver: () => boolean): Promise<boolean> {
    const known = this.#progress.find(runId);
    await this.#book.messaged(known, { ...message, at: this.#core.clock().toISOString() });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const key = keyOf(runId, message.id);
    this.#pending.set(key, resolve);
    if (!deliver()) resolve(true);
    const ended = this.#progress.ended(runId).then(() => false);
    return Promise.race([promise, ended]).finally(() => this.#pending.delete(key));
  }

  /** The same without waiting for a word of its process. */
  async note(runId: string, message: SaidToRun): Promise<void> {
    await this.#book.messaged(this.#progress.find(runId), { ...message, at: this.#core.clock().toISOString() });
  }

  heard({ runId, id, ok }: { runId: string; id: string; ok: boolean }): void {
    this.#pending.get(keyOf(runId, id))?.(ok);
  }

  /** What a process has to know to take a run up: everything that was said to it goes along. */
  orderOf(id: string, epoch: number): Omit<RunOrder, "model" | "reflection"> {
    const { run, journal, messages, resumed } = this.#progress.find(id);
    const parkedAt = resumed?.epoch === epoch ? resumed.callId : undefined;
    for (const message of messages) this.heard({ runId: id, id: message.id, ok: true });
    return { journal: journal.slice(projectRoot(run.projectId).length + 1), messages, parkedAt };
  }
}

/** Ids of messages are of those who sent them. */
function keyOf(runId: string, messageId: string): string {
  return `${runId} ${messageId}`;
}
