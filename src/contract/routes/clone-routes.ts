import { z } from "zod";
import { Clone, CloneStart, RepositoryUrl } from "../documents/clone.ts";
import { byId, success } from "./route-parts.ts";

export const cloneRoutes = {
  startClone: {
    summary: "Clone a repository into a folder of this machine. Answers at once; `getClone` has the progress.",
    group: "Projects",
    body: CloneStart,
    response: z.strictObject({ ...success, clone: Clone }),
    status: 201,
  },
  previewClone: {
    summary: "Where an address would be cloned to, unless a folder is given.",
    group: "Projects",
    query: z.strictObject({ url: RepositoryUrl }),
    response: z.strictObject({ url: z.string(), name: z.string(), folder: z.string() }),
  },
  getClone: {
    summary: "The progress or outcome of a clone.",
    group: "Projects",
    params: byId,
    response: z.strictObject({ clone: Clone }),
  },
  cancelClone: {
    summary: "Cancel a clone and remove what was fetched.",
    group: "Projects",
    params: byId,
    response: z.strictObject({ ...success, clone: Clone }),
  },
  createFirstCommit: {
    summary: "Commit the files of a project's repository that has no commit yet, so that agents can start.",
    group: "Projects",
    params: byId,
    response: z.strictObject({
      ...success,
      commit: z.string(),
      branch: z.string(),
      files: z.int(),
      /** Files that look like secrets and were left out. */
      omitted: z.array(z.string()),
    }),
  },
} as const;
