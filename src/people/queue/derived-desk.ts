import type { Escalation, Resolve } from "../../contract/documents/escalation.ts";
import type { TaskPriority } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { QueueAction } from "../../contract/words/queue-words.ts";
import type { Needed, Reviewable } from "../../runs/admin/attention.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core } from "../../workspace/core.ts";
import type { QueueAnswer, QueueNotes } from "../../workspace/escalations/queue-notes.ts";
import type { DerivedDesk as Desk } from "../escalation-desk.ts";
import { type ActionPorts, carryOut, contentOf, onlyHides } from "./derived-actions.ts";
import { derivedEntry, isSteady } from "./derived-entry.ts";
import {
  answeredAlready,
  noLongerThere,
  notHanded,
  notPromoted,
  notUndone,
  unknownAnswer,
} from "./derived-refusals.ts";
import { endedEntry, resolvedEntry } from "./ended-entry.ts";
import { reviewSubject, type Subject, subjectOf } from "./subject.ts";

interface Parts {
  core: Pick<Core, "clock" | "locks" | "events" | "tasks" | "runs">;
  notes: QueueNotes;
  /** Everything that needs the person and has no document. */
  needed(): Promise<{ needed: Needed[]; reviews: Reviewable[] }>;
  /** What the next model call of a run that waits for budget may cost. */
  nextCallUsd(runId: string): number | null | undefined;
  actions: ActionPorts & { runs: { review: { restore(id: string, change: Change): Promise<unknown> } } };
  /** Hides secrets of the workspace and of a project. */
  redact(text: string, projectId: string | undefined): string;
}

/** A derived entry as it is now, and what it was made of. */
interface Live {
  subject: Subject;
  /** As it is shown: with the answer while that holds. */
  entry: Escalation;
  /** Without an answer. */
  open: Escalation;
  isHidden: boolean;
}

/** The entries of the queue that have no document: looked up anew each time, and answered through the floors below. */
export class DerivedQueue implements Desk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** All of them, also those that are hidden. */
  async all(): Promise<Live[]> {
    const { notes, needed: look } = this.#parts;
    const { needed, reviews } = await look();
    const subjects = [...needed.map(subjectOf), ...reviews.map(reviewSubject)];
    notes.seen(subjects.map(({ id, version, kind, at }) => ({ id, version, at: isSteady(kind) ? at : undefined })));
    return subjects.map((subject) => this.#live(subject));
  }

  #live(subject: Subject): Live {
    const { core, notes, nextCallUsd } = this.#parts;
    const answer = notes.answerTo(subject);
    const facts = {
      now: core.clock(),
      note: notes.of(subject),
      priority: this.#priorityOf(subject),
      nextCallUsd: subject.kind === "budget" ? nextCallUsd(subject.of) : undefined,
    };
    const open = derivedEntry(subject, facts);
    return { subject, entry: answer?.entry ?? open, open, isHidden: notes.isHidden(subject) };
  }

  #priorityOf({ run }: Subject): TaskPriority | undefined {
    return run && this.#parts.core.tasks.record(run.projectId, run.taskId)?.priority;
  }

  async get(id: string): Promise<Escalation> {
    const live = await this.#find(id);
    if (live === undefined) return this.#ended(id);
    if (live.entry.status === "resolved") return live.entry;
    const etag = await contentOf(this.#parts.actions, live.subject).catch(() => undefined);
    return { ...live.entry, ...(etag === undefined ? {} : { etag }) };
  }

  resolve(id: string, body: Resolve, change: Change): Promise<Escalation> {
    return this.#alone(id, change, async ({ subject, open }) => {
      const chosen = open.suggestedAnswers.find(({ label }) => label === body.answer);
      if (chosen?.action === undefined || body.always) throw unknownAnswer(open, body);
      const text = body.resolution ?? "";
      if (chosen.needs !== undefined && text.trim() === "")
        throw new HallError("invalid", `resolution: is required with '${chosen.label}'.`);
      const said = { outcome: "answered", answer: chosen.label, resolution: text || chosen.description } as const;
      const shown = this.#resolved(open, said, change);
      if (onlyHides(chosen.action)) return this.#hide(subject, shown, change);
      return this.#act(subject, { shown, action: chosen.action, text }, change);
    });
  }

  /** On disk before it is carried out: repeated after a crash, it is carried out unless that happened. */
  async #act(
    subject: Subject,
    { shown, action, text }: { shown: Escalation; action: QueueAction; text: string },
    change: Change,
  ) {
    const { notes, actions } = this.#parts;
    const before = notes.lastAnswer(subject.id) ?? null;
    const answer = answerOf(subject, { shown, holds: "moment" }, change);
    await notes.answered(subject.id, answer);
    try {
      const { undoUntil } = await carryOut(actions, action, { subject, text, change });
      if (undoUntil === undefined) return shown;
      const undoable = { ...shown, undoUntil };
      await notes.answered(subject.id, { ...answer, entry: undoable });
      return undoable;
    } catch (error) {
      await notes.answered(subject.id, before).catch(() => undefined);
      throw error;
    }
  }

  /** Hidden until its subject changes. */
  dismiss(id: string, reason: string, change: Change): Promise<Escalation> {
    return this.#alone(id, change, async ({ subject, open }) => {
      const shown = this.#resolved(open, { outcome: "dismissed", answer: null, resolution: reason }, change);
      return this.#hide(subject, shown, change);
    });
  }

  async promote(id: string): Promise<Escalation> {
    throw notPromoted(await this.get(id));
  }

  /** Shows again what was only hidden, and restores a discarded result while that is possible. */
  async undo(id: string, change: Change): Promise<Escalation> {
    const { core, notes, actions } = this.#parts;
    return core.locks.run(`queue ${id}`, async () => {
      const live = await this.#find(id);
      const run = live === undefined ? this.#reviewed(id) : undefined;
      if (live?.entry.status === "resolved") await this.#tell(live.subject, { status: "pending" }, change);
      else if (run?.delivery?.state === "discarded") await actions.runs.review.restore(run.id, change);
      else throw notUndone(live?.entry ?? (await this.#ended(id)));
      await notes.answered(id, null);
      return this.get(id);
    });
  }

  async snooze(id: string, until: string | null, change: Change): Promise<Escalation> {
    if (until !== null && Date.parse(until) <= this.#parts.core.clock().getTime())
      throw new HallError("invalid", "until: must be in the future.");
    return this.#alone(id, change, async ({ subject }) => {
      await this.#parts.notes.note(subject, { snoozedUntil: until ?? undefined });
      await this.#tell(subject, { snoozedUntil: until }, change);
      return this.get(id);
    });
  }

  async hand(id: string): Promise<Escalation> {
    throw notHanded(await this.get(id));
  }

  /** The person was told of it once more. Nothing happens where it is gone. */
  async reminded(id: string, at: Date): Promise<void> {
    const live = await this.#find(id);
    if (live === undefined) return;
    const reminders = (this.#parts.notes.of(live.subject)?.reminders ?? 0) + 1;
    await this.#parts.notes.note(live.subject, { remindedAt: at.toISOString(), reminders });
  }

  async #find(id: string): Promise<Live | undefined> {
    return (await this.all()).find(({ subject }) => subject.id === id);
  }

  /** One decision about an entry at a time; the first one holds. */
  #alone(id: string, { request }: Change, work: (live: Live) => Promise<Escalation>): Promise<Escalation> {
    const { core, notes } = this.#parts;
    return core.locks.run(`queue ${id}`, async () => {
      const live = await this.#find(id);
      const last = notes.lastAnswer(id);
      // Sent again after a crash: what was not carried out still needs the person.
      const isRepeated = request !== undefined && last?.key === request.key;
      if (isRepeated && (live === undefined || last.holds === "change")) return last.entry;
      if (live === undefined) throw noLongerThere(await this.#ended(id));
      if (live.entry.status === "resolved" && !isRepeated) throw answeredAlready(live.entry);
      return work(live);
    });
  }

  /** What is left of an entry whose subject no longer needs the person. */
  async #ended(id: string): Promise<Escalation> {
    const { core, notes } = this.#parts;
    const last = notes.lastAnswer(id)?.entry;
    const run = this.#reviewed(id);
    const entry = last ?? (run && endedEntry(id, run, core.clock()));
    if (entry === undefined)
      throw new HallError("escalation_not_found", `There is no escalation '${id.slice(0, 100)}'.`);
    return entry;
  }

  /** Of the id of a review: its run, while that has a result. */
  #reviewed(id: string) {
    const known = id.startsWith("review-") ? this.#parts.core.runs.get(id.slice("review-".length)) : undefined;
    return known?.run.delivery === undefined ? undefined : known.run;
  }

  #resolved(entry: Escalation, said: Omit<Parameters<typeof resolvedEntry>[1], "at" | "by">, { actor }: Change) {
    const resolution = this.#parts.redact(said.resolution, entry.projectId);
    return resolvedEntry(entry, { ...said, resolution, by: actor.kind, at: this.#parts.core.clock() });
  }

  /** In the log, too: every other answer is there as what it did. */
  async #hide(subject: Subject, shown: Escalation, change: Change): Promise<Escalation> {
    await this.#parts.notes.answered(subject.id, answerOf(subject, { shown, holds: "change" }, change));
    const { answer, resolution, outcome } = shown;
    await this.#tell(subject, { status: "resolved", outcome, answer, resolution }, change);
    return shown;
  }

  async #tell({ id, projectId }: Subject, after: Record<string, unknown>, change: Change): Promise<void> {
    const draft: EventDraft = {
      ...byChange(change),
      type: "escalation.updated",
      ...(projectId === undefined ? {} : { projectId }),
      subject: { kind: "escalation", id },
      after,
    };
    await this.#parts.core.events.append(draft);
  }
}

type Held = Pick<QueueAnswer, "holds"> & { shown: Escalation };

function answerOf({ version }: Subject, { shown, holds }: Held, { request }: Change): QueueAnswer {
  const key = request === undefined ? {} : { key: request.key };
  return { version, at: shown.updatedAt, holds, entry: shown, ...key };
}
