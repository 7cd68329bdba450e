/** How a result gets into its branch: with a merge commit, or as one commit. Apart from the schemas, for pages and commands. */
export const MERGE_METHODS = ["merge", "squash"] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];
