import { createHash } from "node:crypto";
import type { Core } from "../../workspace/core.ts";
import { ESCALATIONS_FOLDER, PROJECTS_FOLDER } from "../../workspace/layout.ts";

const WATCHED = /^projects\/[^/]+\/(?:TASKS|knowledge|plans|gates)\//;
/** So many results that wait for somebody tell enough. */
const MOST_RUNS = 200;

/** What the main agent could act on: escalations, tasks, plans, knowledge and results. Read from the index, so it costs little. */
export function fingerprintOf({ followed, glance }: Pick<Core, "followed" | "glance">): string {
  const lines: string[] = [];
  for (const folder of [ESCALATIONS_FOLDER, "knowledge", PROJECTS_FOLDER])
    for (const { path, etag } of followed.below(folder))
      if (folder !== PROJECTS_FOLDER || WATCHED.test(path)) lines.push(path, etag);
  const results = [...glance.review(MOST_RUNS), ...glance.failed(MOST_RUNS)];
  for (const { id, status, delivery } of results) lines.push(`${id} ${status} ${delivery?.state ?? ""}`);
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
