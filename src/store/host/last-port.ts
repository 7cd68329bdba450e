import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LOWEST = 1024;
const HIGHEST = 65_535;

/** The port that the daemon of a workspace listened on last, by which open pages and bookmarks know it. */
export function lastPort(stateFolder: string): number | undefined {
  try {
    const port = Number(readFileSync(join(stateFolder, "port"), "utf8").trim() || undefined);
    return Number.isInteger(port) && port >= LOWEST && port <= HIGHEST ? port : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing depends on it: without it the next start takes the usual port. */
export function keepPort(stateFolder: string, port: number): void {
  const file = join(stateFolder, "port");
  try {
    // A new file, not new content: the old one may be a link.
    rmSync(file, { force: true });
    writeFileSync(file, `${port}\n`, { flag: "wx", mode: 0o600 });
  } catch {
    // As on a full disk.
  }
}
