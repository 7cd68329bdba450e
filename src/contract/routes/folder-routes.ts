import { z } from "zod";

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
} as const;
