import type { RouteResponse } from "../../../src/contract/routes/routes.ts";

type Listed = RouteResponse<"listProjects">;

/** A page's worth; the daemon gives no more at once. */
export const PAGE = 1_000;
/** More than a person has, and still quick to filter; of more, the answer keeps where it would go on. */
const MOST_PAGES = 20;

/** Every project, so that lists, pickers and the palette find by typing whatever there is. */
export async function allProjects(ask: (cursor: string | undefined) => Promise<Listed>): Promise<Listed> {
  const found = new Map<string, Listed["projects"][number]>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { projects, nextCursor } = await ask(cursor);
    // One that was changed between two pages may be on both.
    for (const project of projects) found.set(project.id, project);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return { projects: [...found.values()], ...(cursor === undefined ? {} : { nextCursor: cursor }) };
}
