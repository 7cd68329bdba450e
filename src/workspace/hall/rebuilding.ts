import type { Problem } from "../../contract/problem.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { STATE_FOLDER } from "../layout.ts";
import { noteRequest } from "../shown.ts";
import type { HallParts } from "./hall-part.ts";
import type { WorkspaceSync } from "./workspace-sync.ts";

const RETRY_MS = 1_000;
/** A file that fails twice within this time is not trusted a third time. */
const RELAPSE_MS = 10 * 60 * 1_000;
/** How long a failure that was repaired is still reported. */
const TOLD_MS = 24 * 60 * 60 * 1_000;
const REQUESTS_RESTORED = 10_000;

interface Rebuilt {
  at: string;
  ms: number;
  files: number;
}

/** The newest failure of the index. */
interface Failure {
  state: "rebuilding" | "rebuilt";
  at: number;
  reason: string;
  where: "file" | "memory";
}

/** Builds the index anew from the files: when it is asked to, and by itself when the index is lost. */
export class Rebuilding {
  readonly #core: IndexedCore;
  readonly #sync: WorkspaceSync;
  readonly #parts: Pick<HallParts, "refill" | "restored">;
  #last: Rebuilt | undefined;
  #failure: Failure | undefined;
  #next: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(core: IndexedCore, sync: WorkspaceSync, parts: Pick<HallParts, "refill" | "restored">) {
    this.#core = core;
    this.#sync = sync;
    this.#parts = parts;
  }

  last(): Rebuilt | undefined {
    return this.#last;
  }

  /** What a person should know about failures of the index. */
  problems(): Problem[] {
    const { condition } = this.#core.index;
    const told = condition.state === "unwritten" ? `it cannot be written: ${condition.reason}` : this.#told();
    if (told === undefined) return [];
    return [{ file: `${STATE_FOLDER}/index.db`, kind: "index", severity: "warning", reason: told }];
  }

  /** As run, for an index in use: what people just changed by hand is taken in while it can be told from what was known. */
  async refresh(): Promise<Rebuilt> {
    try {
      await this.#sync.followAll();
    } catch {
      // An index that cannot even be compared with the files is the very reason to build a new one.
    }
    const rebuilt = await this.run();
    this.#failure = undefined;
    return rebuilt;
  }

  async run(where: "file" | "memory" = "file"): Promise<Rebuilt> {
    const start = performance.now();
    let loaded: ReturnType<WorkspaceSync["loadAll"]> | undefined;
    this.#core.index.rebuild(where, () => {
      this.#parts.refill();
      loaded = this.#sync.loadAll();
      this.#restoreRequests();
    });
    const { count = 0 } = loaded ?? {};
    this.#last = { at: this.#core.clock().toISOString(), ms: Math.round(performance.now() - start), files: count };
    if (loaded !== undefined) await this.#sync.settleLoaded(loaded);
    return this.#last;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#next);
  }

  /** From here on a lost index is rebuilt by itself; at a start, whoever opens the hall sees to it. */
  watch(): void {
    this.#core.index.onLoss((reason) => this.#recover(reason));
  }

  /** A second failure before the first is repaired, or soon after, is met without the file. */
  #recover(reason: string): void {
    if (this.#isClosed) return;
    const before = this.#failure;
    const at = performance.now();
    const isRelapse = before !== undefined && (before.state === "rebuilding" || at - before.at < RELAPSE_MS);
    this.#failure = { state: "rebuilding", at, reason, where: isRelapse ? "memory" : "file" };
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.#repair(), before?.state === "rebuilding" ? RETRY_MS : 0);
  }

  async #repair(): Promise<void> {
    const failure = this.#failure;
    if (failure === undefined || this.#isClosed) return;
    try {
      await this.run(failure.where);
    } catch {
      // Lost again, and with that tried again; or a file could not be brought in line, which the comparison repeats.
    }
    if (this.#core.index.condition.state === "lost") return;
    failure.state = "rebuilt";
    this.#core.compareSoon();
    this.#parts.restored();
  }

  #told(): string | undefined {
    const failure = this.#failure;
    if (failure === undefined || performance.now() - failure.at > TOLD_MS) return undefined;
    if (failure.state === "rebuilding") return `it failed and is being rebuilt: ${failure.reason}`;
    const where = failure.where === "memory" ? ", in memory until the next start" : "";
    return `it failed and was rebuilt${where} (${this.#last?.at ?? ""}): ${failure.reason}`;
  }

  /** Idempotency-Keys of the newest changes, from the log that carries them. */
  #restoreRequests(): void {
    this.#core.index.transaction(() => {
      for (const event of this.#core.events.tail({ count: REQUESTS_RESTORED })) noteRequest(this.#core.index, event);
    });
  }
}
