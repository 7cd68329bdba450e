import { basename, dirname, join } from "node:path";
import type { FolderReader } from "../../store/files/folder-reader.ts";
import { linkStatOf } from "../../store/files/regular-file.ts";

/** Change times are as fine as the kernel's clock ticks, at most 10 ms apart. */
const TICK_MS = 50;

/**
 * Tells later whether files, and the folders that lead to them, are the ones that are there now, and were in between: what is
 * written or renamed gets another change time, which no program can set. What was changed a moment ago may be changed again
 * without a sign of it: then `isSame` is asked about their content as well.
 */
export function untouchedSince(reader: FolderReader, paths: readonly string[]): (isSame: () => boolean) => boolean {
  const places = [...new Set(paths.flatMap((path) => [path, realPlace(reader, path)]).flatMap(withFolders))];
  const stats = () => places.map((place) => linkStatOf(join(reader.root, place)));
  const first = stats();
  const before = stateOf(first);
  const newest = Math.max(0, ...first.map((stat) => stat?.ctimeMs ?? 0));
  const isSettled = Date.now() - newest >= TICK_MS;
  return (isSame) => stateOf(stats()) === before && (isSettled || isSame());
}

/** Where it is if a folder above it is a link. */
function realPlace(reader: FolderReader, path: string): string {
  try {
    return join(reader.placeOf(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function withFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [path] : [...withFolders(folder), path];
}

function stateOf(stats: readonly ReturnType<typeof linkStatOf>[]): string {
  return stats.map((stat) => (stat === undefined ? "" : `${stat.dev} ${stat.ino} ${stat.ctimeMs}`)).join("\n");
}
