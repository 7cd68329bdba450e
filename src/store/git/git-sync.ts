import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { foldersUpTo, syncAll, syncFiles } from "../files/durable-paths.ts";

const FANOUT = /^(?:[0-9a-f]{2}|pack)$/;
/** A folder that changed this shortly before may change again within the same tick of the disk's clock. */
const UNSURE_MS = 100;

const MOST_REFS = 1_000;

/**
 * Brings to disk what git leaves to chance: it syncs the contents of objects, refs and the index when asked to, but not the
 * folders that name them, nor its logs of refs.
 */
export class GitSync {
  /** When each folder of objects was last changed, as of its last sync, by repository. */
  readonly #synced = new Map<string, Map<string, bigint>>();

  /** The commit with which a branch was last synced. */
  readonly #refs = new Map<string, string>();

  /** Resolves when the names of all objects that were written before are on disk. */
  async objects(repository: string): Promise<void> {
    const root = join(repository, "objects");
    const known = this.#synced.get(repository) ?? new Map<string, bigint>();
    this.#synced.set(repository, known);
    const now = Date.now();
    const changed = ["", ...foldersOf(root)].flatMap((name) => {
      const at = statSync(join(root, name), { bigint: true, throwIfNoEntry: false })?.mtimeNs;
      if (at === undefined || known.get(name) === at) return [];
      return [{ name, at, isSure: Number(at / 1_000_000n) < now - UNSURE_MS }];
    });
    await syncAll(changed.map(({ name }) => join(root, name)).reverse());
    for (const { name, at, isSure } of changed) if (isSure) known.set(name, at);
  }

  /** Resolves when files of a checkout that git wrote or removed, and its index, are on disk. */
  async checkout({ gitDir, workTree }: { gitDir: string; workTree: string }, paths: readonly string[]): Promise<void> {
    await syncFiles(workTree, paths);
    await syncAll([join(gitDir, "index"), gitDir]);
  }

  /** Resolves when a branch is on disk with the commit that it was moved to, and so is its log. Once for each commit. */
  async ref(repository: string, ref: string, commit: string): Promise<void> {
    const key = join(repository, ref);
    if (this.#refs.get(key) === commit) return;
    const logs = ["HEAD", ref].map((name) => join(repository, "logs", name));
    await syncAll([...logs, join(repository, ref), join(repository, "packed-refs")]);
    const folders = [join(repository, ref), ...logs].flatMap((file) => foldersUpTo(repository, file));
    await syncAll([...new Set([...folders, join(repository, "reftable")])]);
    if (this.#refs.size >= MOST_REFS) this.#refs.clear();
    this.#refs.set(key, commit);
  }
}

function foldersOf(root: string): string[] {
  try {
    return readdirSync(root).filter((name) => FANOUT.test(name));
  } catch {
    return [];
  }
}
