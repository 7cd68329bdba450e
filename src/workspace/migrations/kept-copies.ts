import type { Files } from "../../store/files/files.ts";

/** Where a migration keeps the files it changes, as they were, under the paths they have in the workspace. */
export class KeptCopies {
  readonly #files: Files;
  readonly folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.folder = folder;
  }

  /** To be awaited before a file is changed or removed. A copy that is there was made before an interruption, and stays. */
  async keep(path: string): Promise<void> {
    const copy = `${this.folder}/${path}`;
    if (this.#files.exists(copy)) return;
    await this.#files.ensureFolder(copy.slice(0, copy.lastIndexOf("/")));
    await this.#files.replace(copy, this.#files.read(path));
  }

  /** The files that were kept, by the paths they have in the workspace. */
  paths(folder = this.folder): string[] {
    if (!this.#files.exists(folder)) return [];
    const own = this.#files.names(folder).filter((name) => this.#files.stat(`${folder}/${name}`)?.isFile());
    return [
      ...own.map((name) => `${folder}/${name}`.slice(this.folder.length + 1)),
      ...[...this.#files.folders(folder), ...this.#files.hiddenFolders(folder)].flatMap((name) =>
        this.paths(`${folder}/${name}`),
      ),
    ];
  }
}

/** The name of a folder for copies that no other migration has used. */
export function copiesFolder(files: Files, from: number, at: Date): string {
  return files.freeName("backups", `format-${from}-${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z`);
}
