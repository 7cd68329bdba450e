import { z } from "zod";
import { line } from "../../words/text.ts";
import { AbsolutePath } from "../project.ts";

/** The tools whose folders can be imported. */
const IMPORT_KINDS = ["superbot", "openclaw", "claude-code"] as const;
export const ImportKind = z.enum(IMPORT_KINDS);
export type ImportKind = z.infer<typeof ImportKind>;

/** What something becomes. */
const IMPORT_THINGS = [
  "project",
  "initiative",
  "task",
  "escalation",
  "knowledge",
  "role",
  "skill",
  "trigger",
  "memory",
  "context",
  "file",
] as const;
const ImportThing = z.enum(IMPORT_THINGS);
export type ImportThing = z.infer<typeof ImportThing>;

/** Why something is left out. `import-words.ts` has the sentences. */
const LEFT_OUT_REASONS = [
  "secret",
  "link",
  "missing",
  "same_name",
  "too_large",
  "too_many",
  "not_text",
  "session",
  "settings",
  "commands",
  "daily_notes",
  "folder_not_named",
  "schedule",
  "read_in_place",
  "unknown",
  "no_project",
  "refused",
] as const;
const LeftOutReason = z.enum(LEFT_OUT_REASONS);
export type LeftOutReason = z.infer<typeof LeftOutReason>;

export const ImportRequest = z.strictObject({
  folder: AbsolutePath,
  /** Detected by its files unless given. */
  from: ImportKind.optional(),
  dryRun: z.boolean().default(true),
});
export type ImportRequest = z.infer<typeof ImportRequest>;

const ImportEntry = z.strictObject({
  /** Relative to the folder. */
  source: z.string(),
  line: z.int().optional(),
  thing: ImportThing,
  /** `new`: a dry run would import it. `exists`: there is one already, and it stays as it is. `broken`: it can't be read. */
  state: z.enum(["new", "imported", "exists", "left_out", "broken"]),
  /** What it is, or would be, here. */
  id: z.string().optional(),
  projectId: z.string().optional(),
  reason: LeftOutReason.optional(),
  /** What is wrong with it, or what changed on the way. */
  detail: line(2_000).optional(),
});
export type ImportEntry = z.infer<typeof ImportEntry>;

export const ImportReport = z.strictObject({
  kind: ImportKind,
  folder: z.string(),
  dryRun: z.boolean(),
  entries: z.array(ImportEntry),
  counts: z.strictObject({ new: z.int(), imported: z.int(), exists: z.int(), left_out: z.int(), broken: z.int() }),
});
export type ImportReport = z.infer<typeof ImportReport>;
