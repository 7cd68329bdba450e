import { cpSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

/** A copy of the workspace that the last program of format 1 made; gone after the test. */
export function oldWorkspace(folder = join(temporaryFolder(), "workspace")): string {
  cpSync(join(import.meta.dirname, "../fixtures/workspace-format-1"), folder, { recursive: true });
  return folder;
}
