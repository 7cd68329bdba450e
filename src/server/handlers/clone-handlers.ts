import type { Clone, CloneStart } from "../../contract/documents/clone.ts";
import type { ProjectCreate } from "../../contract/documents/project.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs for repositories that come from elsewhere, or have no commit yet. */
export interface ClonePort {
  clones: {
    start(body: CloneStart, change: Change): Clone;
    preview(url: string): { url: string; name: string; folder: string };
    get(id: string): Clone;
    cancel(id: string): Promise<Clone>;
    /** The request with the cloned folder in place of the address. */
    cloneFor(body: ProjectCreate, change: Change): Promise<Omit<ProjectCreate, "repoUrl">>;
  };
  createFirstCommit(projectId: string, change: Change): Promise<Omit<RouteResponse<"createFirstCommit">, "success">>;
}

export const cloneHandlers = ({
  clones,
  createFirstCommit,
}: ClonePort): HandlersOf<"startClone" | "previewClone" | "getClone" | "cancelClone" | "createFirstCommit"> => ({
  startClone: ({ body, change }) => ({ success: true, clone: clones.start(body, change) }),
  previewClone: ({ query }) => clones.preview(query.url),
  getClone: ({ params }) => ({ clone: clones.get(params.id) }),
  cancelClone: async ({ params }) => ({ success: true, clone: await clones.cancel(params.id) }),
  createFirstCommit: async ({ params, change }) => ({ success: true, ...(await createFirstCommit(params.id, change)) }),
});
