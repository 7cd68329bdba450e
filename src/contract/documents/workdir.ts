import { z } from "zod";

/**
 * What tells one folder or file from another at the same path. No device number: it changes when the machine restarts.
 * Numbers are decimal text, because inodes and nanoseconds do not fit a JSON number.
 */
export const PathIdentity = z.strictObject({
  /** The real path. */
  path: z.string(),
  inode: z.string(),
  /** Birth time in nanoseconds; absent where the file system keeps none. */
  born: z.string().optional(),
});
export type PathIdentity = z.infer<typeof PathIdentity>;

/** A repository, by everything that decides where git reads and writes. */
export const RepositoryIdentity = z.strictObject({
  state: z.literal("repository"),
  /** The folder with the files that `.git` belongs to. */
  checkout: PathIdentity,
  /** The `.git` entry itself. */
  dotGit: PathIdentity,
  kind: z.enum(["folder", "file"]),
  /** What this checkout has for itself: HEAD and index. */
  records: PathIdentity,
  /** What all checkouts share: objects, branches, settings. */
  repository: PathIdentity,
  /** Real paths of other object folders that git reads (`objects/info/alternates`). */
  alternates: z.array(z.string()),
});
export type RepositoryIdentity = z.infer<typeof RepositoryIdentity>;

/** `unusable`: there is a repository, and no run can write in it, for the reason given. */
export const FolderGit = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("none") }),
  z.strictObject({ state: z.literal("unusable"), at: z.string(), reason: z.string() }),
  RepositoryIdentity,
]);
export type FolderGit = z.infer<typeof FolderGit>;

export const FolderState = z.strictObject({ folder: PathIdentity, git: FolderGit });
export type FolderState = z.infer<typeof FolderState>;

/** workdir.json of a project: the working folder as it was when a person named or confirmed it. */
export const WorkdirRecord = z.strictObject({
  version: z.literal(1),
  /** As the project names it. */
  workdir: z.string(),
  recordedAt: z.string(),
  ...FolderState.partial({ folder: true }).shape,
  /** Repositories of folders that the project had before; results of runs may still be in them. */
  earlier: z.array(RepositoryIdentity).default([]),
});
export type WorkdirRecord = z.infer<typeof WorkdirRecord>;

/**
 * `ok`: as recorded. `git_appeared`: a plain folder has a repository now, which is not used. `git_changed`: the repository
 * is another one; runs that write are refused. `folder_changed`: another folder; nothing is run or read there.
 * `missing`: no folder. `unrecorded`: the record cannot be read.
 */
const WorkdirCondition = z.enum(["ok", "git_appeared", "git_changed", "folder_changed", "missing", "unrecorded"]);

/** A working folder as it was recorded and as it is now. */
export const WorkdirView = z.strictObject({
  workdir: z.string(),
  state: WorkdirCondition,
  /** What differs, one sentence each. */
  changes: z.array(z.string()),
  /** What is left out or deserves a look: filters that are not run, folders shared with another project. */
  warnings: z.array(z.string()),
  recordedAt: z.string().optional(),
  recorded: FolderState.partial({ folder: true }).optional(),
  now: FolderState.optional(),
  /** Of what is there now; to be sent back to confirm it. Absent while there is no folder. */
  fingerprint: z.string().optional(),
});
export type WorkdirView = z.infer<typeof WorkdirView>;

export const WorkdirConfirm = z.strictObject({ fingerprint: z.string().min(1).max(200) });
