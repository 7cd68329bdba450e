import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./daemon.ts";

/** A workspace that is not there yet but for its config.yml. */
export function workspaceWith(config: string): string {
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "config.yml"), config);
  return workspace;
}
