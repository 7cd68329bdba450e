import { dirname } from "node:path";
import type { WorkdirRecord } from "../../contract/documents/workdir.ts";
import { filtersAtTop } from "../../store/git/git-attributes.ts";

const MOST_NAMED = 10;

/** What agents miss in a repository that needs the filter: the hall runs no program that a repository names. */
function leftOutBy(filter: string): string {
  switch (filter) {
    case "lfs":
      return "Git LFS is not run: large files stay as LFS pointers, without their content.";
    case "git-crypt":
      return "git-crypt is not run: files that it encrypts stay encrypted.";
    default:
      return `The git filter '${filter}' is not run: the files it applies to stay as they are committed.`;
  }
}

/** `more`: filters that were found deeper in the repository. */
export function filterWarnings({ git }: Pick<WorkdirRecord, "git">, more: readonly string[] = []): string[] {
  if (git.state !== "repository") return [];
  const top = filtersAtTop({ checkout: git.checkout.path, repository: git.repository.path });
  return [...new Set([...top, ...more])].slice(0, MOST_NAMED).map(leftOutBy);
}

/** Real paths of working folders, and whose they are. */
export class FolderOverlaps {
  readonly #owners = new Map<string, string[]>();

  constructor(folders: readonly { id: string; path: string }[]) {
    for (const { id, path } of folders) this.#owners.set(path, [...(this.#owners.get(path) ?? []), id]);
  }

  /** What a person should know who gives a project a folder that others work in too. */
  warningsFor(id: string, path: string): string[] {
    const same = (this.#owners.get(path) ?? []).filter((other) => other !== id);
    const around = ancestorsOf(path).flatMap((folder) => this.#owners.get(folder) ?? []);
    const inside = [...this.#owners].flatMap(([folder, ids]) => (folder.startsWith(`${path}/`) ? ids : []));
    const told = [
      ...same.map((other) => `Project '${other}' works in the same folder.`),
      ...around.map((other) => `It is inside the working folder of project '${other}', whose agents can change it.`),
      ...inside.map((other) => `It contains the working folder of project '${other}'.`),
    ];
    return told.slice(0, MOST_NAMED);
  }
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestorsOf(above)];
}
