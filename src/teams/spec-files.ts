import type { Problem } from "../contract/problem.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import { isSameStamp, type Stamp } from "../store/files/regular-file.ts";
import { BY_HAND, type Core } from "../workspace/core.ts";
import { etagOf } from "../workspace/tasks/task-file.ts";
import { parseSpecText, specChanges } from "./machine/spec-text.ts";
import type { TeamState } from "./machine/team-state.ts";
import { teamPaths } from "./team-files.ts";
import type { TeamStore } from "./team-store.ts";

interface Parts {
  core: Pick<Core, "files">;
  store: Pick<TeamStore, "append">;
}

/** The texts of specs, which people may edit by hand at any time. */
export class SpecFiles {
  readonly #parts: Parts;
  /** As each was last looked at. */
  readonly #seen = new Map<string, Stamp>();
  readonly #problems = new Map<string, Problem>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  problems(): Problem[] {
    return [...this.#problems.values()];
  }

  read({ document }: TeamState): { text: string; etag: string } | undefined {
    const { files } = this.#parts.core;
    const { spec } = teamPaths(document);
    if (!files.exists(spec)) return undefined;
    const text = files.text(spec);
    return { text, etag: etagOf(text) };
  }

  /**
   * Takes in what a person changed in the file: true where the team has another spec now. A text that can't be read is a problem of the
   * workspace, and the team keeps the spec that it has. Only under the team's lock.
   */
  async notice(state: TeamState): Promise<boolean> {
    const { core, store } = this.#parts;
    const { document, spec } = state;
    const { id, projectId } = document;
    const path = teamPaths(document).spec;
    if (spec === undefined || hasEnded(state.status)) return false;
    const stamp = core.files.stamp(path);
    if (stamp === undefined || isSameStamp(stamp, this.#seen.get(id))) return false;
    this.#seen.set(id, stamp);
    const read = parseSpecText(core.files.text(path), spec);
    if ("faults" in read) {
      const [fault] = read.faults;
      const { line, reason } = fault ?? { line: 1, reason: "it has no requirements" };
      this.#problems.set(id, { file: path, line, kind: "team", projectId, id, severity: "invalid", reason });
      return false;
    }
    this.#problems.delete(id);
    const changed = specChanges(spec, read.spec);
    if (changed.length === 0) return false;
    const fact = { type: "spec-edited" as const, spec: read.spec, changed, by: "person" };
    await store.append(id, [fact], { change: { actor: BY_HAND } });
    return true;
  }

  forget(id: string): void {
    this.#seen.delete(id);
    this.#problems.delete(id);
  }
}
