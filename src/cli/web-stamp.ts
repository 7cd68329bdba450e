import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the dashboard is built from, by patterns of paths below the program's folder. */
const SOURCES = ["web/*.*", "web/src/**", "web/public/**", "src/contract/**/*.ts", "package.json", "package-lock.json"];

/** Where the build leaves the fingerprint of what it was made from, beside the pages. */
export const SOURCE_STAMP = ".sources";

/** The fingerprint of all sources of the dashboard, by their contents: a fresh checkout of the same sources has the same. */
export function sourceStamp(root: string): string {
  const hash = createHash("sha256");
  const paths = globSync(SOURCES, { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  for (const path of paths.toSorted()) {
    if (!statSync(join(root, path)).isFile()) continue;
    hash.update(`${path}\n`).update(
      createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest(),
    );
  }
  return hash.digest("hex");
}

export function isBuilt(root: string): boolean {
  try {
    return readFileSync(join(root, "web/dist", SOURCE_STAMP), "utf8").trim() === sourceStamp(root);
  } catch {
    return false;
  }
}
