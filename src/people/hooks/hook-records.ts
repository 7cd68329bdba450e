import { z } from "zod";
import { HookRecord } from "../../contract/documents/hook.ts";
import type { Files } from "../../store/files/files.ts";
import type { Clock } from "../../store/ids.ts";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import { HOOKS_FILE } from "../../workspace/layout.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Of each hook. */
const MOST_RECENT = 20;
const MOST_HOOKS = 1_000;
const SAVE_AFTER_MS = 1_000;

const Counts = z.strictObject({ allowed: z.int(), refused: z.int(), failed: z.int() });
export type Counts = z.infer<typeof Counts>;
const Kept = z.strictObject({ days: z.record(z.string(), Counts), recent: z.array(HookRecord) });
type Kept = z.infer<typeof Kept>;
const Saved = z.strictObject({ version: z.literal(1), hooks: z.record(z.string(), Kept) });

interface Parts {
  files: Pick<Files, "exists" | "text" | "replace">;
  clock: Clock;
}

/** What every hook did in the last 30 days. Saved a moment later: a crash loses the counts of a second, no refusal's event. */
export class HookRecords {
  readonly #parts: Parts;
  readonly #hooks: Map<string, Kept>;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#hooks = load(parts.files);
  }

  add(name: string, record: Omit<HookRecord, "at">): void {
    const at = this.#parts.clock().toISOString();
    const kept = this.#hooks.get(name) ?? { days: {}, recent: [] };
    const day = at.slice(0, 10);
    const counts = kept.days[day] ?? { allowed: 0, refused: 0, failed: 0 };
    counts[record.outcome]++;
    kept.days[day] = counts;
    kept.recent = [{ at, ...record }, ...kept.recent].slice(0, MOST_RECENT);
    // The one that ran last is the last to be forgotten.
    this.#hooks.delete(name);
    this.#hooks.set(name, kept);
    this.#timer ??= setTimeout(() => this.#save(), SAVE_AFTER_MS).unref();
  }

  counts(name: string): Counts {
    const since = new Date(this.#parts.clock().getTime() - DAYS * DAY_MS).toISOString().slice(0, 10);
    const sum: Counts = { allowed: 0, refused: 0, failed: 0 };
    for (const [day, counts] of Object.entries(this.#hooks.get(name)?.days ?? {})) {
      if (day < since) continue;
      sum.allowed += counts.allowed;
      sum.refused += counts.refused;
      sum.failed += counts.failed;
    }
    return sum;
  }

  recent(name: string): HookRecord[] {
    return this.#hooks.get(name)?.recent ?? [];
  }

  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#save();
    await this.#saving.catch(() => undefined);
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const since = new Date(this.#parts.clock().getTime() - DAYS * DAY_MS).toISOString().slice(0, 10);
    const kept = [...this.#hooks].slice(-MOST_HOOKS).map(([name, { days, recent }]) => {
      const young = Object.fromEntries(Object.entries(days).filter(([day]) => day >= since));
      return [name, { days: young, recent }] as const;
    });
    const write = () =>
      this.#parts.files.replace(HOOKS_FILE, documentText({ version: 1, hooks: Object.fromEntries(kept) }));
    this.#saving = this.#saving.then(write, write);
    this.#saving.catch(() => undefined);
  }
}

/** What can't be read is as good as none: counting starts again. */
function load(files: Parts["files"]): Map<string, Kept> {
  return new Map(Object.entries(readDocument(files, HOOKS_FILE, Saved)?.hooks ?? {}));
}
