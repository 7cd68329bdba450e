import { z } from "zod";
import { PathIdentity } from "../../contract/documents/workdir.ts";
import { Workplace } from "../../contract/runs/run.ts";
import type { Files } from "../../store/files/files.ts";
import { identityAt, isSameIdentity } from "../../store/files/path-identity.ts";
import { STATE_FOLDER } from "../../workspace/layout.ts";

const ENDING = ".json";

/** A repository that git may be run on. */
export const TrustedRepository = PathIdentity.extend({ alternates: z.array(z.string()) });
export type TrustedRepository = z.infer<typeof TrustedRepository>;

/** Its ports, and whether the commands that make it ready have all run. */
const Setup = z.strictObject({ slot: z.int(), isDone: z.boolean() });

/** `identity`: of the repository when the worktree was made, by a person's record. */
const PlaceNote = Workplace.extend({ identity: TrustedRepository.optional(), setup: Setup.optional() });

/** Where runs worked, for when the project that had the run, and with it the run's journal, is gone. */
export class PlaceNotes {
  readonly #files: Files;
  readonly #folder: string;

  /** `places`: of worktrees that are there. `discarded`: of branches whose commit is kept for an undo. */
  constructor(files: Files, name: "places" | "discarded") {
    this.#files = files;
    this.#folder = `${STATE_FOLDER}/${name}`;
  }

  /** Before the worktree is made. */
  async write(place: Workplace, identity: TrustedRepository | undefined): Promise<void> {
    const path = this.#pathOf(place.owner);
    if (this.#files.exists(path)) return;
    await this.#files.ensureFolder(this.#folder);
    await this.#files.replace(path, `${JSON.stringify({ ...place, identity })}\n`);
  }

  /** Undefined where there is none that makes sense. */
  read(runId: string): Workplace | undefined {
    const note = this.#note(runId);
    if (note === undefined) return undefined;
    const { identity: _, setup: _setup, ...place } = note;
    return place;
  }

  setupOf(runId: string): z.infer<typeof Setup> | undefined {
    return this.#note(runId)?.setup;
  }

  /** Of a worktree that has a note. */
  async noteSetup(runId: string, setup: z.infer<typeof Setup>): Promise<void> {
    const note = this.#note(runId);
    if (note !== undefined) await this.#files.replace(this.#pathOf(runId), `${JSON.stringify({ ...note, setup })}\n`);
  }

  /** The repository at a path, if a worktree was made in it that is left, and it is still the same one. */
  trustedRepository(path: string): TrustedRepository | undefined {
    for (const runId of this.all()) {
      const { identity, repository } = this.#note(runId) ?? {};
      if (identity === undefined || !(path === repository || path === `${repository}/worktrees/${runId}`)) continue;
      if (isSameIdentity(identity, identityAt(identity.path))) return identity;
    }
    return undefined;
  }

  #note(runId: string): z.infer<typeof PlaceNote> | undefined {
    try {
      return PlaceNote.parse(JSON.parse(this.#files.text(this.#pathOf(runId))));
    } catch {
      return undefined;
    }
  }

  /** The runs they are of. */
  all(): string[] {
    return this.#files.names(this.#folder).map((name) => name.slice(0, -ENDING.length));
  }

  discard(runId: string): void {
    this.#files.discard(this.#pathOf(runId));
  }

  #pathOf(runId: string): string {
    return `${this.#folder}/${runId}${ENDING}`;
  }
}
