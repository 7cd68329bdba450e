import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The built program is in one folder per state of the sources, so a build is complete or absent, and a process that runs
 * from an earlier one keeps its files. A published package has no sources and one build.
 */
export function buildFolder(root) {
  const dist = join(root, "dist");
  // The tests start hundreds of processes from one build: it is found once for all of them.
  const found = process.env.GUILDHALL_BUILD;
  if (found !== undefined && dirname(found) === dist) return found;
  return join(dist, existsSync(join(root, "src/cli/main.ts")) ? sourcesStamp(root) : "package");
}

/** The file to start with: as built when the build belongs to these sources, which starts sooner; else the sources. */
export function programStart(root) {
  const built = join(buildFolder(root), "cli-main.js");
  return existsSync(built) ? built : join(root, "src/cli/main.ts");
}

function sourcesStamp(root) {
  const lines = ["package-lock.json", "scripts/build-program.ts", ...sourcesIn(root, "src")].map((path) => {
    const { mtimeMs, size } = statSync(`${root}/${path}`, { throwIfNoEntry: false }) ?? {};
    return `${path} ${mtimeMs} ${size}\n`;
  });
  return createHash("sha256").update(lines.join("")).digest("hex").slice(0, 16);
}

/** By its own walk: a glob takes many times as long, and every command in a checkout pays for it. */
function sourcesIn(root, folder) {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourcesIn(root, path);
      return path.endsWith(".ts") && !path.endsWith(".test.ts") ? [path] : [];
    });
}
