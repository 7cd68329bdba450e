import type { ControlFile } from "../../contract/documents/control-file.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { barePartsIn, mayBeBarePart } from "../../store/git/bare-layout.ts";
import type { ControlFiles, SideKind } from "../../store/git/control-files.ts";
import type { CheckpointRecord } from "../../store/snapshots/checkpoint-store.ts";
import { kindOfState, type PathChange, partsOf } from "../../store/snapshots/tree-objects.ts";
import type { Core } from "../../workspace/core.ts";
import type { Checkpoints, FolderWork } from "./checkpoints.ts";

/** Larger contents are not compared: they count as changed. */
const LONGEST_COMPARED = 1_000_000;

interface Parts {
  core: Pick<Core, "runs">;
  control: ControlFiles;
  checkpoints: Pick<Checkpoints, "workOf" | "contentOf" | "stateNow" | "linksIn" | "pathsIn">;
  /** The run whose result it goes on with. */
  continuedBy: (runId: string) => string | undefined;
}

/** What a person decides about when they review a result in a folder. */
export interface ReviewedWork extends FolderWork {
  controlFiles: ControlFile[];
  /** The earlier runs whose control files are included, the latest first. */
  inheritedFrom: string[];
}

type Work = Pick<FolderWork, "changes" | "last">;
type Inherited = Work & { runs: string[] };

const NOTHING: Inherited = { changes: [], last: undefined, runs: [] };

/** Which files that steer the person's tools a run has changed in the folder itself. */
export class FolderControl {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * What the run changed. Included are the control files that the runs it continues changed, if nobody has approved them and
   * they are still in place: who approves this result accepts them, too.
   */
  async of(run: Run): Promise<ReviewedWork> {
    const work = this.#parts.checkpoints.workOf(run.id);
    const inherited = await this.#inheritedBy(run);
    const last = work.last ?? inherited.last;
    const isInPlace = this.#inPlace(run, last);
    const own = new Map(work.changes.map((change) => [change.path, change]));
    const left = inherited.changes.filter((change) => {
      const next = own.get(change.path);
      return next === undefined ? isInPlace(change) : next.before === change.after;
    });
    const changes = combined(left, work.changes);
    const controlFiles = await this.#among(run, { changes, last });
    const inheritedFrom = left.length === 0 ? [] : inherited.runs;
    return { ...work, first: work.first ?? last, last, changes, controlFiles, inheritedFrom };
  }

  /** The control files that the runs before it changed, each from its state before the first of them. */
  async #inheritedBy({ id }: Run): Promise<Inherited> {
    const { continuedBy, core, checkpoints } = this.#parts;
    const before = continuedBy(id);
    const earlier = before === undefined ? undefined : core.runs.get(before)?.run;
    if (earlier?.delivery?.kind !== "folder" || earlier.delivery.controlFiles === undefined) return NOTHING;
    if (earlier.delivery.state === "delivered") return NOTHING;
    const work = checkpoints.workOf(earlier.id);
    const inherited = await this.#inheritedBy(earlier);
    const last = work.last ?? inherited.last;
    const changes = combined(inherited.changes, work.changes);
    const named = new Set((await this.#among(earlier, { changes, last })).map(({ path }) => path));
    return { changes: changes.filter(({ path }) => named.has(path)), last, runs: [earlier.id, ...inherited.runs] };
  }

  #inPlace({ projectId }: Run, last: CheckpointRecord | undefined): (change: PathChange) => boolean {
    const stateNow = last && this.#parts.checkpoints.stateNow(projectId, last);
    return ({ path, after }) => stateNow?.(path) === after;
  }

  #among({ projectId }: Run, { changes, last }: Work): Promise<ControlFile[]> {
    const { checkpoints, control } = this.#parts;
    const hasLinks = changes.length > 0 && last !== undefined;
    const byPath = new Map(changes.map((change) => [change.path, change]));
    const textOf = (state: string | undefined) => (state === undefined ? "" : this.#textOf(projectId, state));
    const candidates = changes.map(({ path, before, after }) => ({
      path,
      before: sideOf(before),
      after: sideOf(after),
    }));
    return control.among(
      candidates.filter(({ before, after }) => before !== undefined || after !== undefined),
      {
        isRepositoryPart: this.#repositoryParts(projectId, { changes, last }),
        links: control.linksAmong(hasLinks ? checkpoints.linksIn(projectId, last) : []),
        contentsOf: async (path) => {
          const { before, after } = byPath.get(path) ?? {};
          return { before: textOf(before), after: textOf(after) };
        },
      },
    );
  }

  /** All paths are looked at only if a change has the name of such a part. */
  #repositoryParts(projectId: string, { changes, last }: Work): (path: string) => boolean {
    const paths = changes.map(({ path }) => path);
    if (last === undefined || !paths.some(mayBeBarePart)) return () => false;
    return barePartsIn([...this.#parts.checkpoints.pathsIn(projectId, last), ...paths]);
  }

  /** Undefined where it cannot be compared: it is too large, no file, or lost on the disk. */
  #textOf(projectId: string, state: string): string | undefined {
    if (kindOfState(state) !== "file" || partsOf(state).size > LONGEST_COMPARED) return undefined;
    try {
      return this.#parts.checkpoints.contentOf(projectId, state).toString("utf8");
    } catch (error) {
      if (error instanceof HallError) return undefined;
      throw error;
    }
  }
}

/** One change for each path. A path that the later ones took back to what it was stays as they changed it. */
function combined(earlier: readonly PathChange[], later: readonly PathChange[]): PathChange[] {
  const byPath = new Map(earlier.map((change) => [change.path, change]));
  for (const change of later) {
    const start = byPath.get(change.path);
    const isNet = start !== undefined && start.after === change.before && start.before !== change.after;
    byPath.set(change.path, isNet ? { ...change, before: start.before } : change);
  }
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Folders are nothing by themselves: what they hold is told of one by one. */
function sideOf(state: string | undefined): SideKind | undefined {
  if (state === undefined) return undefined;
  const kind = kindOfState(state);
  if (kind === "folder") return undefined;
  return kind === "link" ? "link" : "file";
}
