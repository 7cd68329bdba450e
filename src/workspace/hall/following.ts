import type { Problem } from "../../contract/problem.ts";
import { failureText } from "../../store/files/regular-file.ts";
import { Watcher } from "../../store/files/watcher.ts";
import { isFollowed } from "../layout.ts";
import type { WorkspaceSync } from "./workspace-sync.ts";

const RETRY_MS = 2_000;

type Comparing = Pick<WorkspaceSync, "followPaths" | "followAll">;

/**
 * Follows what people do to the files. Where the system cannot tell of changes (too many watches), or a change could
 * not be taken in (disk full), everything is compared again every few seconds until that works.
 */
export class Following {
  readonly #sync: Comparing;
  readonly #watcher: Watcher;
  readonly #unwatched = new Set<string>();
  #failure: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(root: string, sync: Comparing) {
    this.#sync = sync;
    this.#watcher = new Watcher({
      root,
      wants: isFollowed,
      onChange: (paths) => this.#attempt(() => sync.followPaths(paths)),
      onOverflow: () => this.#compareAll(),
      onTrouble: (reason) => {
        this.#unwatched.add(reason);
        this.#schedule();
      },
    });
  }

  /** Resolves when every change noticed so far is in the index. */
  settled(): Promise<void> {
    return this.#watcher.settled();
  }

  /** Compares everything before long. */
  compareSoon(): void {
    this.#schedule();
  }

  troubles(): Problem[] {
    const reasons = [...this.#unwatched, ...(this.#failure === undefined ? [] : [this.#failure])];
    return reasons.map((reason) => ({ file: ".", kind: "watch", severity: "warning", reason }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#watcher.close();
  }

  #compareAll(): Promise<void> {
    return this.#attempt(() => this.#sync.followAll());
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = `a file edit could not be read: ${failureText(error)}`;
    }
    if (this.#failure !== undefined || this.#unwatched.size > 0) this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    this.#retry = setTimeout(() => void this.#compareAll(), RETRY_MS);
    this.#retry.unref();
  }
}
