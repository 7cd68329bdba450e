import type { ProjectStatus } from "../contract/documents/project.ts";
import type { Core } from "../workspace/core.ts";

const PAGE = 200;

/** The ids of all projects with a status, a page at a time: a project may well move between two of them. */
export function* projectsWith(status: ProjectStatus, { projects }: Pick<Core, "projects">): Generator<string> {
  for (let after = ""; ; ) {
    const page = projects.list({ after, limit: PAGE, status });
    for (const { id } of page) yield id;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? "";
  }
}

/** The ids of all active projects. */
export function activeProjects(core: Pick<Core, "projects">): Generator<string> {
  return projectsWith("active", core);
}
