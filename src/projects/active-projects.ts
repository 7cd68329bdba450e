import type { Core } from "../workspace/core.ts";

const PAGE = 200;

/** The ids of all active projects, a page at a time: a project may well move between two of them. */
export function* activeProjects({ projects }: Pick<Core, "projects">): Generator<string> {
  for (let after = ""; ; ) {
    const page = projects.list({ after, limit: PAGE, status: "active" });
    for (const { id } of page) yield id;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? "";
  }
}
