import type { ControlFile } from "../../contract/documents/control-file.ts";

/** The document of a run names so many; a diff names all of them. */
const MOST_KEPT = 100;
const MOST_NAMED = 5;
const LONGEST_NAME = 100;

/** Why a result waits that changes files which steer the person's tools. */
export function controlReason(files: readonly ControlFile[]): string {
  const named = files
    .slice(0, MOST_NAMED)
    .map(({ path }) => (path.length > LONGEST_NAME ? `…${path.slice(-LONGEST_NAME)}`.toWellFormed() : path));
  const more = files.length - named.length;
  return `it changes files that control your tools: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** What a run's document tells of them; nothing where there are none. */
export function controlStanding(files: readonly ControlFile[]) {
  return files.length === 0 ? {} : { controlFiles: files.slice(0, MOST_KEPT), controlFileCount: files.length };
}
