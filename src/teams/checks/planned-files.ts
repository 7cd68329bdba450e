import { filesOverlap } from "../machine/file-overlap.ts";

interface Planned {
  /** As the plan names them: paths, folders and globs. */
  files: readonly string[];
  /** What the member says is not needed. */
  skipped: readonly string[];
  /** All that its working folder has now, and what it removed. */
  paths: readonly string[];
  removed: readonly string[];
}

/** Files of the plan that are neither there, nor removed by the change, nor explained. */
export function missingFiles({ files, skipped, paths, removed }: Planned): string[] {
  const there = new Set([...paths, ...removed].map((path) => path.toLowerCase()));
  const explained = new Set(skipped.map(plain));
  return files.filter((file) => {
    const path = plain(file);
    if (there.has(path) || explained.has(path)) return false;
    return !paths.some((one) => filesOverlap([file], [one])) && !removed.some((one) => filesOverlap([file], [one]));
  });
}

function plain(path: string): string {
  return path.trim().replaceAll("\\", "/").replace(/^\.\//, "").toLowerCase();
}
