import type { ControlFiles } from "../../store/git/control-files.ts";
import type { CheckpointRecord, Glance } from "../../store/snapshots/checkpoint-store.ts";
import type { Core } from "../../workspace/core.ts";
import { OwnedPaths } from "../record/owned-paths.ts";
import type { RunBook } from "../record/run-book.ts";
import { withDescendants } from "../schedule/writing-turn.ts";
import type { CheckpointShelf } from "./checkpoint-shelf.ts";

interface Parts {
  core: Core;
  book: RunBook;
  shelf: CheckpointShelf;
  control: Pick<ControlFiles, "kindOf">;
}

type Begun = CheckpointRecord & { runId: string };

/** What a run that is not over has changed in its project's folder so far. Nothing is kept or written. */
export class FolderGlance {
  readonly #parts: Parts;
  readonly #owned: OwnedPaths;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#owned = new OwnedPaths(parts);
  }

  /** Undefined before the run, or one it started, may write. */
  async of(runId: string, projectId: string): Promise<(Glance & { since: string }) | undefined> {
    const { shelf, control } = this.#parts;
    const spot = shelf.spotOf(projectId);
    const begun = this.#begunBy(runId, projectId).filter(({ workdir }) => workdir === spot?.workdir);
    const [first] = begun;
    if (spot === undefined || first === undefined) return undefined;
    const { changes, contentOf } = await shelf.storeOf(projectId).glance({
      ...spot,
      ...shelf.limits,
      previous: first.tree,
      frozenRules: true,
      only: this.#namedBy(begun),
      isControl: (path) => control.kindOf(path, "link") !== undefined,
    });
    const owners = begun.map((record) => this.#owned.of(record.runId, record));
    return { since: first.id, changes: changes.filter(({ path }) => owners.some((owns) => owns(path))), contentOf };
  }

  /** From before the run and those it started, the earliest first. */
  #begunBy(runId: string, projectId: string): Begun[] {
    const { core, shelf } = this.#parts;
    const family = new Set(withDescendants(runId, core.runs));
    const records = shelf.storeOf(projectId).records();
    return records.filter((record): record is Begun => record.reason === "run-start" && family.has(record.runId ?? ""));
  }

  /** The only files to look at; undefined where a command may have changed any. */
  #namedBy(begun: readonly Begun[]): string[] | undefined {
    const named: string[] = [];
    for (const { runId } of begun) {
      const paths = this.#owned.namedBy(runId);
      if (paths === undefined) return undefined;
      named.push(...paths);
    }
    return named;
  }
}
