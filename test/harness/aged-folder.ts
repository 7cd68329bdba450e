import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

const TEN_DAYS_MS = 864_000_000;

/** Nothing in the folder has changed for ten days. */
export function ageFolder(folder: string): void {
  const then = new Date(Date.now() - TEN_DAYS_MS);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
}
