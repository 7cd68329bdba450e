import { createHash } from "node:crypto";
import { type EventDraft, HallEvent } from "../contract/event.ts";
import type { Files } from "../store/files.ts";
import { STATE_FOLDER } from "./layout.ts";
import { etagOf } from "./task-file.ts";

const FOLDER = `${STATE_FOLDER}/requests`;

const Draft = HallEvent.omit({ seq: true, id: true, at: true, prev: true, hash: true });

/** Of a change whose file has no place for the Idempotency-Key: the event that is going to tell of it, key and all. */
type Keyed = EventDraft & { file: string; etag: string; request: NonNullable<EventDraft["request"]> };

/**
 * Remembers keyed requests that make plain files, from before the file is there until the log tells of it. After a crash in
 * between, the file is told of as what it is, so that the request is not carried out twice.
 */
export class PendingRequests {
  readonly #files: Files;
  readonly #drafts = new Map<string, Keyed>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Carries out a change, durable as an intention before it begins. A change without a key is just carried out. */
  async around<Result>(draft: EventDraft, change: () => Promise<Result>): Promise<Result> {
    if (!isKeyed(draft)) return change();
    const path = recordOf(draft);
    await this.#files.ensureFolder(FOLDER);
    await this.#files.replace(path, JSON.stringify(draft));
    this.#drafts.set(draft.file, draft);
    try {
      const result = await change();
      this.#end(draft);
      return result;
    } catch (error) {
      // A file that is there although its change failed is still to be told of, by whoever finds it.
      if (!this.#isThere(draft)) this.#end(draft);
      throw error;
    }
  }

  /** The event that tells of a file in this state, if it was begun by a request. */
  of(file: string, etag: string | undefined): EventDraft | undefined {
    const draft = this.#drafts.get(file);
    return draft?.etag === etag ? draft : undefined;
  }

  /** What a crash left, for whom the log does not know yet. `tell` must resolve when it does. */
  async recover(isKnown: (key: string) => boolean, tell: (draft: EventDraft) => Promise<unknown>): Promise<void> {
    for (const name of this.#files.names(FOLDER)) {
      const path = `${FOLDER}/${name}`;
      const draft = parse(this.#files.text(path));
      if (draft !== undefined && !isKnown(draft.request.key) && this.#isThere(draft)) await tell(draft);
      this.#files.discard(path);
    }
  }

  #end(draft: Keyed): void {
    this.#drafts.delete(draft.file);
    this.#files.discard(recordOf(draft));
  }

  #isThere({ file, etag }: Keyed): boolean {
    try {
      return this.#files.exists(file) && etagOf(this.#files.read(file)) === etag;
    } catch {
      return true;
    }
  }
}

function isKeyed(draft: EventDraft): draft is Keyed {
  return draft.request !== undefined && draft.file !== undefined && draft.etag !== undefined;
}

function recordOf({ request }: Keyed): string {
  return `${FOLDER}/${createHash("sha256").update(request.key).digest("hex")}.json`;
}

function parse(text: string): Keyed | undefined {
  try {
    const draft = Draft.safeParse(JSON.parse(text));
    return draft.success && isKeyed(draft.data) ? draft.data : undefined;
  } catch {
    return undefined;
  }
}
