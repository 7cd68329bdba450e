import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * The built program is in one folder per state of the sources, so a build is complete or absent, and a process that runs
 * from an earlier one keeps its files. A published package has no sources and one build.
 */
export function buildFolder(root) {
  return join(root, "dist", existsSync(join(root, "src/cli/main.ts")) ? sourcesStamp(root) : "package");
}

/** The file to start with: as built when the build belongs to these sources, which starts sooner; else the sources. */
export function programStart(root) {
  const built = join(buildFolder(root), "cli-main.js");
  return existsSync(built) ? built : join(root, "src/cli/main.ts");
}

function sourcesStamp(root) {
  const hash = createHash("sha256");
  for (const path of ["package-lock.json", "scripts/build-program.ts", ...sourcesIn(root, "src")]) {
    const { mtimeMs, size } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** By its own walk: a glob takes many times as long, and every command in a checkout pays for it. */
function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourcesIn(root, path);
      return path.endsWith(".ts") && !path.endsWith(".test.ts") ? [path] : [];
    });
}
