import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CHANGES = "state/changes";

/** The paths of documents whose content, as the change log keeps it for a while, has a word in it. */
export function loggedPathsWith(workspace: string, word: string): string[] {
  return readdirSync(join(workspace, CHANGES))
    .flatMap((name) =>
      readFileSync(join(workspace, CHANGES, name), "utf8")
        .split("\n")
        .slice(0, -1),
    )
    .flatMap((line) => (JSON.parse(line) as { writes?: { path: string }[] }).writes ?? [])
    .filter((write) => JSON.stringify(write).includes(word))
    .map(({ path }) => join(workspace, path));
}
