import { expect } from "vitest";
import type { Hall } from "../harness/daemon.ts";

/** How one kind of document is read back and which part of it the load writes. */
export interface Reader {
  path: (id: string) => string;
  written: (body: unknown) => unknown;
}

interface Entry {
  reader: Reader;
  id: string;
  acknowledged: string;
  /** Sent, and not answered when the daemon died: it may have happened or not. */
  underWay: string | undefined;
}

/** What was asked of the daemon and what it acknowledged: the truth against which a restart is measured. */
export class Ledger {
  /** Keyed creations that were never answered, by Idempotency-Key. */
  readonly unanswered = new Map<string, object>();
  /** Idempotency-Key of every acknowledged creation, with the task it made. */
  readonly created = new Map<string, { id: string; body: object }>();
  readonly #entries = new Map<string, Entry>();
  readonly #touched = new Set<Entry>();
  acknowledgements = 0;

  acknowledge(reader: Reader, id: string, written: unknown): void {
    const name = reader.path(id);
    const entry: Entry = this.#entries.get(name) ?? { reader, id, acknowledged: "", underWay: undefined };
    entry.acknowledged = JSON.stringify(written);
    entry.underWay = undefined;
    this.#entries.set(name, entry);
    this.#touched.add(entry);
    this.acknowledgements++;
  }

  /** Notes what is about to be written over a known document. */
  begin(reader: Reader, id: string, change: Record<string, unknown>): Record<string, unknown> {
    const entry = this.#entries.get(reader.path(id));
    if (entry === undefined) throw new Error(`nothing is known of ${reader.path(id)}`);
    const next = { ...JSON.parse(entry.acknowledged), ...change };
    entry.underWay = JSON.stringify(next);
    this.#touched.add(entry);
    return next;
  }

  known(reader: Reader, id: string): Record<string, unknown> {
    return JSON.parse(this.#entries.get(reader.path(id))?.acknowledged ?? "{}");
  }

  taskCreated(key: string, id: string, body: object): void {
    const other = [...this.created].find(([otherKey, made]) => made.id === id && otherKey !== key);
    if (other !== undefined) throw new Error(`${id} was given to ${key} and before to ${other[0]}`);
    this.created.set(key, { id, body });
    this.unanswered.delete(key);
  }

  /** Every document of the last load holds its last acknowledged content, or the one that was under way. */
  async settle(hall: Hall): Promise<void> {
    await this.#compare(hall, [...this.#touched]);
    this.#touched.clear();
  }

  async settleAll(hall: Hall): Promise<void> {
    await this.#compare(hall, [...this.#entries.values()]);
  }

  async #compare(hall: Hall, entries: Entry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += 20) {
      await Promise.all(entries.slice(start, start + 20).map((entry) => compareEntry(hall, entry)));
    }
  }
}

async function compareEntry(hall: Hall, entry: Entry): Promise<void> {
  const path = entry.reader.path(entry.id);
  const answer = await hall.call("GET", path);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  const found = JSON.stringify(entry.reader.written(answer.body));
  if (found !== entry.underWay) expect(found, path).toBe(entry.acknowledged);
  entry.acknowledged = found;
  entry.underWay = undefined;
}
