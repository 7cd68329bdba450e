import { z } from "zod";
import { Clone, CloneStart, RepositoryUrl } from "../documents/clone.ts";
import { byId, success } from "./route-parts.ts";

export const FolderQuery = z.strictObject({
  /** Absolute; the home folder unless given. */
  path: z.string().min(1).max(4_096).optional(),
  /** Also those whose name begins with a dot. */
  hidden: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .default(false),
});
export type FolderQuery = z.infer<typeof FolderQuery>;

export const FolderList = z.strictObject({
  path: z.string(),
  /** Absent at the root. */
  parent: z.string().optional(),
  isGit: z.boolean(),
  /** Why no project can work in this very folder. */
  refused: z.string().optional(),
  folders: z.array(z.strictObject({ name: z.string(), path: z.string(), isGit: z.boolean() })),
  /** There are more folders in it than are shown. */
  more: z.boolean(),
});
export type FolderList = z.infer<typeof FolderList>;

export const folderRoutes = {
  listFolders: {
    summary: "Subfolders of a folder on this machine, for choosing a project's working folder.",
    group: "Projects",
    query: FolderQuery,
    response: FolderList,
  },
  startClone: {
    summary: "Clone a repository into a folder on this machine. Returns immediately; `getClone` shows the progress.",
    group: "Projects",
    body: CloneStart,
    response: z.strictObject({ ...success, clone: Clone }),
    status: 201,
  },
  previewClone: {
    summary: "Default folder for a clone of an address.",
    group: "Projects",
    query: z.strictObject({ url: RepositoryUrl }),
    response: z.strictObject({ url: z.string(), name: z.string(), folder: z.string() }),
  },
  getClone: {
    summary: "Progress or outcome of a clone.",
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
    summary: "Create the first commit of a project's repository, so that agents can start.",
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
