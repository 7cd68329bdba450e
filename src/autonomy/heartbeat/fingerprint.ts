import { createHash } from "node:crypto";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { PROJECTS_FOLDER } from "../../workspace/layout.ts";

const WATCHED = /^projects\/[^/]+\/(?:TASKS|knowledge|plans|gates)\//;
/** So many results that wait for somebody tell enough. */
const MOST_RUNS = 200;

export interface FingerprintParts {
  core: Pick<Core, "followed" | "glance">;
  hall: { escalations: Pick<Hall["escalations"], "open" | "undelivered"> };
}

/**
 * What the main agent could act on: escalations, tasks, plans, knowledge and results. Read from the index, so it costs little. Not the files of
 * escalations: each reminder of the person is noted there.
 */
export function fingerprintOf({ core: { followed, glance }, hall: { escalations } }: FingerprintParts): string {
  const lines: string[] = [];
  for (const { id, status, question } of [...escalations.open(), ...escalations.undelivered()])
    lines.push(id, status, question);
  for (const folder of ["knowledge", PROJECTS_FOLDER])
    for (const { path, etag } of followed.below(folder))
      if (folder !== PROJECTS_FOLDER || WATCHED.test(path)) lines.push(path, etag);
  const results = [...glance.review(MOST_RUNS), ...glance.failed(MOST_RUNS)];
  for (const { id, status, delivery } of results) lines.push(`${id} ${status} ${delivery?.state ?? ""}`);
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
