import { join } from "node:path";
import { syncFiles } from "../../store/files/durable-paths.ts";
import { isEmptied } from "../../store/files/emptied-file.ts";
import type { Git } from "./git.ts";

/** What `ls-files --debug -z` says of an entry. */
const ENTRY = /([^\0]+)\0 {2}ctime: .*\n {2}mtime: (\d+):(\d+)\n.*\n.*\n {2}size: (\d+)\t.*\n/g;

interface Checkout {
  gitDir: string;
  workTree: string;
}

/**
 * Writes files again whose content a power cut has taken: empty or filled with NULs, and not changed since git wrote
 * something else there, by the time in the index. Whatever somebody has touched since stays. Answers the paths.
 */
export async function restoreEmptied(git: Git, at: Checkout, among?: ReadonlySet<string>): Promise<string[]> {
  const changed = await git.list(at, ["diff-files", "-z", "--name-only", "--no-renames"]);
  const asked = new Set(among === undefined ? changed : changed.filter((path) => among.has(path)));
  if (asked.size === 0) return [];
  const { out } = await git.run(at, ["ls-files", "--debug", "-z"]);
  const emptied = [...out.matchAll(ENTRY)].flatMap(([, path = "", seconds = "0", rest = "0", size]) => {
    const writtenNs = BigInt(seconds) * 1_000_000_000n + BigInt(rest);
    return asked.has(path) && size !== "0" && isEmptied(join(at.workTree, path), writtenNs) ? path : [];
  });
  if (emptied.length === 0) return [];
  const input = emptied.map((path) => `${path}\0`).join("");
  await git.run(at, ["checkout-index", "--force", "--index", "-z", "--stdin"], { input });
  await syncFiles(at.workTree, emptied);
  return emptied;
}
