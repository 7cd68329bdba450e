import { projectChannel } from "../contract/documents/channel.ts";
import type { Core } from "../workspace/core.ts";
import { projectRoot } from "../workspace/layout.ts";
import { channelPath } from "./channels/channel-file.ts";

/**
 * When something last happened in each project: an event, an edit by hand, a run, a word in its channel or its session.
 * Known from the times of its files, and since the start of the daemon from the events; the log is never read for it.
 */
export class Activity {
  readonly #core: Core;
  readonly #heard = new Map<string, number>();
  readonly #unsubscribe: () => void;

  constructor(core: Core) {
    this.#core = core;
    this.#unsubscribe = core.events.subscribe(({ projectId, type, at }) => {
      if (projectId === undefined) return;
      if (type === "project.removed") this.#heard.delete(projectId);
      else this.#heard.set(projectId, Date.parse(at));
    });
  }

  close(): void {
    this.#unsubscribe();
  }

  /** In milliseconds since 1970. */
  lastOf(projectId: string): number {
    const { files, followed } = this.#core;
    const root = projectRoot(projectId);
    const own = [
      channelPath(projectChannel(projectId)),
      `${root}/session/current.jsonl`,
      `${root}/runs/index.jsonl`,
      `${root}/MEMORY.md`,
    ].map((path) => files.stamp(path)?.mtime ?? 0);
    return Math.max(this.#heard.get(projectId) ?? 0, followed.newestBelow(root) ?? 0, ...own);
  }
}
