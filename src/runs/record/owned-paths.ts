import { isOver } from "../../contract/runs/run-status.ts";
import type { CheckpointRecord } from "../../store/snapshots/checkpoint-store.ts";
import { foldersAbove } from "../../store/snapshots/tree-objects.ts";
import type { Core } from "../../workspace/core.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import type { CheckpointShelf } from "../results/checkpoint-shelf.ts";
import { filesNamedIn } from "../schedule/writing-turn.ts";
import type { RunBook } from "./run-book.ts";

/** What the hall writes into a project's own folder while agents work there. */
const HALLS_OWN = /^(?:ARTIFACTS|knowledge)(?:\/|$)|^MEMORY\.md$/;
/** Journals can be long, and are asked for again and again. */
const MOST_KNOWN = 1_000;

interface Parts {
  core: Core;
  book: RunBook;
  shelf: Pick<CheckpointShelf, "isOwnFolder">;
}

/** Which of the paths that changed while a run was at work are its own doing. */
export class OwnedPaths {
  readonly #parts: Parts;
  /** Of runs that are over. */
  readonly #named = new Map<string, ReturnType<typeof filesNamedIn>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A tool that names its file is taken at its word, so that what a person does beside a run stays theirs. */
  of(runId: string, { reason, workdir }: Pick<CheckpointRecord, "reason" | "workdir">): (path: string) => boolean {
    const { core, shelf } = this.#parts;
    const known = core.runs.get(runId);
    // Merges and reverts are the daemon's own doing, and may bring the work of earlier runs on the same branch.
    if (known === undefined || reason !== "run-start") return () => true;
    const named = this.#namedBy(known);
    if (named === undefined) return (path) => !shelf.isOwnFolder(known.run.projectId, workdir) || !HALLS_OWN.test(path);
    const above = new Set([...named].flatMap(foldersAbove));
    return (path) => named.has(path) || above.has(path);
  }

  /** The files that a run named so far; undefined when it may have changed any file. */
  namedBy(runId: string): ReadonlySet<string> | undefined {
    const known = this.#parts.core.runs.get(runId);
    return known === undefined ? undefined : this.#namedBy(known);
  }

  /** Whether a run called nothing so far that could change a file. */
  isEmpty(runId: string): boolean {
    const known = this.#parts.core.runs.get(runId);
    return known !== undefined && this.#namedBy(known)?.size === 0;
  }

  #namedBy(known: IndexedRun): Set<string> | undefined {
    const { id } = known.run;
    if (this.#named.has(id)) return this.#named.get(id);
    const named = filesNamedIn(this.#parts.book.journalOf(known));
    if (!isOver(known.run)) return named;
    if (this.#named.size >= MOST_KNOWN) this.#named.clear();
    this.#named.set(id, named);
    return named;
  }
}
