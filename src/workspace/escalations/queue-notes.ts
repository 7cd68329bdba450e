import { z } from "zod";
import { Escalation } from "../../contract/documents/escalation.ts";
import type { Files } from "../../store/files/files.ts";
import type { Clock } from "../../store/ids.ts";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import { QUEUE_FILE } from "../layout.ts";

/** What is known of a derived entry beside what it is derived from. What was noted of another version does not count. */
const QueueNote = z.strictObject({
  version: z.string(),
  firstSeenAt: z.string(),
  snoozedUntil: z.string().optional(),
  remindedAt: z.string().optional(),
  reminders: z.int().optional(),
});
export type QueueNote = z.infer<typeof QueueNote>;

/** What the person decided about a derived entry. */
const QueueAnswer = z.strictObject({
  version: z.string(),
  at: z.string(),
  /** `change`: the entry stays hidden until its subject changes. `moment`: the subject follows at once, or the entry comes back. */
  holds: z.enum(["change", "moment"]),
  /** As it was shown, with the answer. */
  entry: Escalation,
  /** The Idempotency-Key it came with. */
  key: z.string().optional(),
});
export type QueueAnswer = z.infer<typeof QueueAnswer>;

/** An entry of the queue: the version is another one when its subject is. */
export interface Versioned {
  id: string;
  version: string;
}

const QueueFile = z.looseObject({
  version: z.literal(1),
  notes: z.record(z.string(), z.unknown()),
  answers: z.record(z.string(), z.unknown()),
});

/** How long an answer that was carried out hides its entry: a run may take a moment to continue. */
const MOMENT_MS = 10_000;
/** How long a second answer is shown the first. */
const KEPT_MS = 86_400_000;
const MOST_ANSWERS = 200;
/** A run that waits for a provider asks it again and again, and does not wait meanwhile: it is the same wait. */
const GONE_MS = 300_000;

interface Parts {
  files: Pick<Files, "exists" | "text" | "replace">;
  clock: Clock;
}

/** `state/queue.json`, read once and answered from memory. */
export class QueueNotes {
  readonly #parts: Parts;
  readonly #notes: Map<string, QueueNote>;
  readonly #answers: Map<string, QueueAnswer>;
  /** Since when entries with a note or an answer have not been there. */
  readonly #goneSince = new Map<string, number>();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { notes, answers } = load(parts.files);
    this.#notes = notes;
    this.#answers = answers;
  }

  of({ id, version }: Versioned): QueueNote | undefined {
    const note = this.#notes.get(id);
    return note?.version === version ? note : undefined;
  }

  /** The answer that holds for this version. */
  answerTo({ id, version }: Versioned): QueueAnswer | undefined {
    const answer = this.#answers.get(id);
    if (answer?.version !== version) return undefined;
    return answer.holds === "change" || this.#age(answer.at) < MOMENT_MS ? answer : undefined;
  }

  /** The last answer, whatever has become of the subject since. */
  lastAnswer(id: string): QueueAnswer | undefined {
    return this.#answers.get(id);
  }

  isHidden(entry: Versioned): boolean {
    const until = this.of(entry)?.snoozedUntil;
    const isSnoozed = until !== undefined && this.#age(until) < 0;
    return isSnoozed || this.answerTo(entry) !== undefined;
  }

  /** True in most workspaces: nothing has to be looked up then. */
  get hidesNothing(): boolean {
    const notes = [...this.#notes].some(([id, { version }]) => this.isHidden({ id, version }));
    return !notes && ![...this.#answers].some(([id, { version }]) => this.isHidden({ id, version }));
  }

  /** Durable when it resolves. */
  async note(entry: Versioned, change: Partial<Omit<QueueNote, "version">>): Promise<void> {
    const before = this.of(entry) ?? { firstSeenAt: this.#parts.clock().toISOString() };
    await this.#put(this.#notes, entry.id, QueueNote.parse({ ...before, ...change, version: entry.version }));
  }

  /** Durable when it resolves. Null: it is taken back. */
  async answered(id: string, answer: QueueAnswer | null): Promise<void> {
    await this.#put(this.#answers, id, answer ?? undefined);
  }

  /** What could not be written does not hold. */
  async #put<Value>(values: Map<string, Value>, id: string, value: Value | undefined): Promise<void> {
    const before = values.get(id);
    setOrDelete(values, id, value);
    try {
      await this.#save();
    } catch (error) {
      setOrDelete(values, id, before);
      throw error;
    }
  }

  /**
   * Notes when entries without a time of their own were first seen, and forgets those that have been gone for minutes. Does
   * not wait for the disk: a crash loses only since when an entry has been there.
   */
  seen(live: readonly (Versioned & { at: string | undefined })[]): void {
    const isGone = this.#whatIsGone(new Set(live.map(({ id }) => id)));
    const gone = [...this.#notes.keys()].filter(isGone);
    const ended = [...this.#answers].filter(([id, { holds }]) => holds === "change" && isGone(id));
    const old = [...this.#answers].filter(([id, { at }]) => isGone(id) && this.#age(at) > KEPT_MS).map(([id]) => id);
    const fresh = live.filter((entry) => entry.at === undefined && this.of(entry) === undefined);
    if (gone.length + ended.length + old.length + fresh.length === 0) return;
    for (const id of gone) this.#notes.delete(id);
    // It is still shown who answered what; a subject that comes back is asked about again.
    for (const [id, answer] of ended) this.#answers.set(id, { ...answer, holds: "moment" });
    for (const id of old) this.#answers.delete(id);
    const firstSeenAt = this.#parts.clock().toISOString();
    for (const { id, version } of fresh) this.#notes.set(id, { version, firstSeenAt });
    this.#save().catch(() => undefined);
  }

  #whatIsGone(live: ReadonlySet<string>): (id: string) => boolean {
    const now = this.#parts.clock().getTime();
    for (const id of live) this.#goneSince.delete(id);
    for (const id of [...this.#notes.keys(), ...this.#answers.keys()])
      if (!live.has(id) && !this.#goneSince.has(id)) this.#goneSince.set(id, now);
    return (id) => now - (this.#goneSince.get(id) ?? now) >= GONE_MS;
  }

  /** Resolves when everything noted so far was written, or could not be. */
  async close(): Promise<void> {
    await this.#saving.catch(() => undefined);
  }

  #age(at: string): number {
    return this.#parts.clock().getTime() - Date.parse(at);
  }

  /** One write at a time; each has everything that was noted before it. */
  #save(): Promise<unknown> {
    for (const id of [...this.#answers.keys()].slice(0, Math.max(0, this.#answers.size - MOST_ANSWERS)))
      this.#answers.delete(id);
    const write = () => {
      const file = { version: 1, notes: Object.fromEntries(this.#notes), answers: Object.fromEntries(this.#answers) };
      return this.#parts.files.replace(QUEUE_FILE, documentText(file));
    };
    this.#saving = this.#saving.then(write, write);
    return this.#saving;
  }
}

function setOrDelete<Value>(values: Map<string, Value>, id: string, value: Value | undefined): void {
  if (value === undefined) values.delete(id);
  else values.set(id, value);
}

/** What cannot be read is as good as none: what was hidden is shown again. */
function load(files: Parts["files"]): { notes: Map<string, QueueNote>; answers: Map<string, QueueAnswer> } {
  const { notes, answers } = readDocument(files, QUEUE_FILE, QueueFile) ?? EMPTY;
  return { notes: valid(notes, QueueNote), answers: valid(answers, QueueAnswer) };
}

const EMPTY: Pick<z.infer<typeof QueueFile>, "notes" | "answers"> = { notes: {}, answers: {} };

function valid<Value>(found: Record<string, unknown>, schema: z.ZodType<Value>): Map<string, Value> {
  return new Map(
    Object.entries(found).flatMap(([id, value]) => {
      const parsed = schema.safeParse(value);
      return parsed.success ? [[id, parsed.data] as const] : [];
    }),
  );
}
