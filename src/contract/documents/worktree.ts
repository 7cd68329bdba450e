import { z } from "zod";
import { line } from "../words/text.ts";

const commands = z.array(line(4_000)).min(1).max(20);
const settings = {
  /** Run in every new worktree, one after the other, before its agent starts. */
  setup: commands.optional(),
  /** Run before a worktree is removed. */
  teardown: commands.optional(),
  /** For all commands of one setup. */
  timeoutSeconds: z.int().min(1).max(7_200).optional(),
};

/** How worktrees of a project are made ready for runs whose agents may run commands. */
export const WorktreeSettings = z.strictObject(settings);
export type WorktreeSettings = z.infer<typeof WorktreeSettings>;

/** A change names only what it changes; null takes a setting away. */
export const WorktreeSettingsUpdate = z.strictObject({
  setup: settings.setup.nullable(),
  teardown: settings.teardown.nullable(),
  timeoutSeconds: settings.timeoutSeconds.nullable(),
});

/** What commands in a worktree have besides: variables, and folders that they may write. */
export const WorktreeOutfit = z.strictObject({
  env: z.record(z.string(), z.string()),
  writable: z.array(z.string()),
});
export type WorktreeOutfit = z.infer<typeof WorktreeOutfit>;
