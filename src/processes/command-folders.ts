import { relative } from "node:path";
import { type CensusLimit, COMMAND_NOTE, noteAt } from "../agent/git-guard.ts";
import { isSameFolder, isWithin } from "../store/files/folders.ts";
import type { Core } from "../workspace/core.ts";
import { projectRoot } from "../workspace/layout.ts";

interface Entered {
  projectId: string;
  folder: string;
  /** When, counted in such events. */
  turn: number;
}

/**
 * In the daemon: in which folders commands of which projects are at work, or have left what is still to be swept. Projects can
 * share folders, and what the commands of one make must not count as the person's for another.
 */
export class CommandFolders {
  readonly #core: Core;
  /** By project and folder, the last time that its commands began there. */
  readonly #entered = new Map<string, Entered>();
  /** Those that may have notes. Unknown until the first question: a crash may have left some. */
  #projects: Set<string> | undefined;
  #turn = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  begin(projectId: string, folder: string): { after: number; limits: CensusLimit[] } {
    this.#projects ??= new Set(this.#core.projects.ids());
    this.#projects.add(projectId);
    const others = [...this.#projects].filter((id) => id !== projectId);
    const limits = others.flatMap((id) => this.#notesOf(id)).flatMap((note) => limitOf(note, folder) ?? []);
    return { after: this.#turn, limits };
  }

  /** False when commands of another project began there since. */
  end(projectId: string, folder: string, after: number): boolean {
    const isShared = [...this.#entered.values()].some(
      (other) => other.projectId !== projectId && other.turn > after && overlap(other.folder, folder),
    );
    if (isShared) return false;
    this.#turn += 1;
    this.#entered.set(`${projectId} ${folder}`, { projectId, folder, turn: this.#turn });
    return true;
  }

  #notesOf(projectId: string) {
    const { files } = this.#core;
    const folder = `${projectRoot(projectId)}/runs`;
    const names = files.names(folder).filter((name) => COMMAND_NOTE.test(name));
    return names.flatMap((name) => noteAt(files, `${folder}/${name}`) ?? []);
  }
}

function overlap(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one) || isSameFolder(one, other);
}

function limitOf(note: { folder: string; known: string[] }, folder: string): CensusLimit | undefined {
  if (isWithin(folder, note.folder) || isSameFolder(folder, note.folder)) return { below: "", known: note.known };
  return isWithin(note.folder, folder) ? { below: relative(folder, note.folder), known: note.known } : undefined;
}
