import { Workplace } from "../../contract/run.ts";
import type { Files } from "../../store/files.ts";
import { STATE_FOLDER } from "../../workspace/layout.ts";

const NOTES_FOLDER = `${STATE_FOLDER}/places`;

const ENDING = ".json";

/** Whose worktree lies in which folder, for when the project that had the run, and with it the run's journal, is gone. */
export class PlaceNotes {
  readonly #files: Files;

  constructor(files: Files) {
    this.#files = files;
  }

  /** Before the worktree is made. */
  async write(place: Workplace): Promise<void> {
    const path = pathOf(place.owner);
    if (this.#files.exists(path)) return;
    await this.#files.ensureFolder(NOTES_FOLDER);
    await this.#files.replace(path, `${JSON.stringify(place)}\n`);
  }

  /** Undefined where there is none that makes sense. */
  read(runId: string): Workplace | undefined {
    try {
      return Workplace.parse(JSON.parse(this.#files.text(pathOf(runId))));
    } catch {
      return undefined;
    }
  }

  /** The runs they are of. */
  all(): string[] {
    return this.#files.names(NOTES_FOLDER).map((name) => name.slice(0, -ENDING.length));
  }

  discard(runId: string): void {
    this.#files.discard(pathOf(runId));
  }
}

function pathOf(runId: string): string {
  return `${NOTES_FOLDER}/${runId}${ENDING}`;
}
