import type { LoggedWrite } from "./change.ts";

/** Adds the paths that a write changes. */
export function touch(touched: Set<string>, write: LoggedWrite): void {
  touched.add(write.path);
  if (write.kind === "tree") {
    for (const name of [...Object.keys(write.files), ...write.folders]) touched.add(`${write.path}/${name}`);
  }
  if (write.kind === "move") {
    for (const path of [...touched]) if (path.startsWith(`${write.path}/`)) touched.add(movedPath(path, write));
  }
  if ((write.kind === "put" || write.kind === "move") && write.to !== undefined) touched.add(write.to);
}

/** Where a path in a folder is after the folder has moved. */
export function movedPath(path: string, { path: from, to }: { path: string; to: string }): string {
  return `${to}${path.slice(from.length)}`;
}
