import { z } from "zod";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import type { Core } from "../../workspace/core.ts";
import { REMINDERS_FILE } from "../../workspace/layout.ts";

/** So many are kept; the oldest are forgotten, and would be told again. */
const MOST_KEPT = 1_000;
const Saved = z.strictObject({ version: z.literal(1), told: z.record(z.string(), z.string()) });

/** What was held back once, so that it is not held back again. */
export class ToldOnce {
  readonly #core: Pick<Core, "files" | "clock" | "locks">;

  constructor(core: Pick<Core, "files" | "clock" | "locks">) {
    this.#core = core;
  }

  has(key: string): boolean {
    return this.#load().has(key);
  }

  /** Durable when it resolves. */
  note(key: string): Promise<void> {
    return this.#change((told) => told.set(key, this.#core.clock().toISOString()));
  }

  async forget(key: string): Promise<void> {
    if (this.has(key)) await this.#change((told) => told.delete(key));
  }

  #change(edit: (told: Map<string, string>) => unknown): Promise<void> {
    return this.#core.locks.run(`file ${REMINDERS_FILE}`, async () => {
      const told = this.#load();
      edit(told);
      const kept = Object.fromEntries([...told].slice(-MOST_KEPT));
      await this.#core.files.replace(REMINDERS_FILE, documentText({ version: 1, told: kept }));
    });
  }

  /** What can't be read is as good as none: it is said once more. */
  #load(): Map<string, string> {
    const saved = readDocument(this.#core.files, REMINDERS_FILE, Saved);
    return new Map(Object.entries(saved?.told ?? {}));
  }
}
