import type { ControlFile } from "../contract/control-file.ts";
import type { Run } from "../contract/run.ts";
import type { ControlFiles, SideKind } from "../store/control-files.ts";
import { kindOfState, partsOf } from "../store/tree-objects.ts";
import type { Core } from "../workspace/core.ts";
import type { Checkpoints, FolderWork } from "./checkpoints.ts";

/** Larger contents are not compared: they count as changed. */
const LONGEST_COMPARED = 1_000_000;

interface Parts {
  core: Pick<Core, "index">;
  control: ControlFiles;
  checkpoints: Pick<Checkpoints, "workOf" | "contentOf" | "stateNow" | "linksIn">;
  /** The run whose result it goes on with. */
  continuedBy: (runId: string) => string | undefined;
}

/** Which files that steer the person's tools a run has changed in the folder itself. */
export class FolderControl {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** With those of the run it goes on with that nobody has approved and that are still there. */
  async of(run: Run): Promise<ControlFile[]> {
    const own = await this.#among(run, this.#parts.checkpoints.workOf(run.id));
    const named = new Set(own.map(({ path }) => path));
    return [...own, ...(await this.#leftBefore(run)).filter(({ path }) => !named.has(path))];
  }

  async #leftBefore({ id }: Run): Promise<ControlFile[]> {
    const { continuedBy, core, checkpoints } = this.#parts;
    const before = continuedBy(id);
    const earlier = before === undefined ? undefined : core.index.runs.get(before)?.run;
    if (earlier?.changes?.controlFiles === undefined) return [];
    const { changes, last } = checkpoints.workOf(earlier.id);
    const stateNow = last && checkpoints.stateNow(earlier.projectId, last);
    const kept = changes.filter(({ path, after }) => stateNow?.(path) === after);
    const left = await this.#among(earlier, { changes: kept, last });
    return [...left, ...(await this.#leftBefore(earlier))];
  }

  #among({ projectId }: Run, { changes, last }: Pick<FolderWork, "changes" | "last">): Promise<ControlFile[]> {
    const { checkpoints, control } = this.#parts;
    const hasLinks = changes.length > 0 && last !== undefined;
    const byPath = new Map(changes.map((change) => [change.path, change]));
    const textOf = (state: string | undefined) => {
      if (state === undefined) return "";
      const isCompared = kindOfState(state) === "file" && partsOf(state).size <= LONGEST_COMPARED;
      return isCompared ? checkpoints.contentOf(projectId, state).toString("utf8") : undefined;
    };
    const candidates = changes.map(({ path, before, after }) => ({
      path,
      before: sideOf(before),
      after: sideOf(after),
    }));
    return control.among(
      candidates.filter(({ before, after }) => before !== undefined || after !== undefined),
      {
        links: control.linksAmong(hasLinks ? checkpoints.linksIn(projectId, last) : []),
        contentsOf: async (path) => {
          const { before, after } = byPath.get(path) ?? {};
          return { before: textOf(before), after: textOf(after) };
        },
      },
    );
  }
}

/** Folders are nothing by themselves: what they hold is told of one by one. */
function sideOf(state: string | undefined): SideKind | undefined {
  if (state === undefined) return undefined;
  const kind = kindOfState(state);
  if (kind === "folder") return undefined;
  return kind === "link" ? "link" : "file";
}
