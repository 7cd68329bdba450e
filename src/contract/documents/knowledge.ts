import { z } from "zod";
import { line } from "../words/text.ts";
import { ESCALATION_ID } from "./escalation.ts";

/** The files of knowledge/, without their ending: those of the workspace, and those of a project. */
export const HALL_TOPICS = ["conventions", "preferences", "decisions"] as const;
export const PROJECT_TOPICS = ["conventions", "decisions", "patterns"] as const;
export const Topic = z.enum(["conventions", "preferences", "decisions", "patterns"]);
export type Topic = z.infer<typeof Topic>;

export const LONGEST_STATEMENT = 500;

// Joiners and the selectors of emoji stay: some scripts need them.
const UNSEEN = /(?!\p{Join_Control}|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Without characters that take no room on the screen. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

/** One sentence or two on one line, with nothing in it that a reader cannot see. */
export const StatementText = line(LONGEST_STATEMENT)
  .refine((text) => withoutUnseen(text) === text, "must not contain invisible characters")
  .refine((text) => /[\p{L}\p{N}]/u.test(text), "must contain words");

/** Words that say something about a statement on its line, after its origins. */
const STATEMENT_MARK = /^(?:promoted|pending|superseded(?: by \S+)?)$/;

/** Where a statement comes from: a task, `project/task`, an escalation, a person's name. */
const Origin = line(80)
  .refine((text) => !/[,()]/.test(text), "must not have commas or parentheses")
  .refine((text) => !isStatementMark(text), "must not be promoted, pending or superseded")
  .refine((text) => !ESCALATION_ID.test(text), "must not be an escalation: only its answer has it");

export function isStatementMark(note: string): boolean {
  return STATEMENT_MARK.test(note);
}

/**
 * `pending`: an agent's own conclusion that no person has confirmed; never a source of an answer. `accepted`: written or
 * confirmed by a person. `superseded`: replaced by a later answer; kept, and no longer given to agents.
 */
export const STATEMENT_STATUSES = ["pending", "accepted", "superseded"] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

/** `<topic>-<10 hex digits>`: follows from its words, so it stays the same wherever its line stands. */
export const StatementId = z.string().regex(/^[a-z]{1,20}-[0-9a-f]{10}$/, "must be a statement id");

export const Statement = z.strictObject({
  id: z.string(),
  /** Absent when it holds for the whole hall. */
  projectId: z.string().optional(),
  topic: Topic,
  text: z.string(),
  /** A day; absent when a person wrote it without one. */
  date: z.string().optional(),
  origins: z.array(z.string()),
  /** It was copied to the hall's knowledge, and is shown there. */
  promoted: z.literal(true).optional(),
  status: z.enum(STATEMENT_STATUSES),
  /** Of a superseded one, where known: the statement or the escalation that replaced it. */
  replacedBy: z.string().optional(),
  /** The file it stands in, relative to the workspace, and the line. */
  file: z.string(),
  line: z.int(),
  etag: z.string(),
});
export type Statement = z.infer<typeof Statement>;

export const StatementCreate = z
  .strictObject({
    text: StatementText,
    topic: Topic.default("conventions"),
    project: z.string().max(100).optional(),
    origin: Origin.optional(),
  })
  .meta({
    anyOf: [
      { required: ["project"], properties: { topic: { enum: PROJECT_TOPICS } } },
      { not: { required: ["project"] }, properties: { topic: { enum: HALL_TOPICS } } },
    ],
  });
export type StatementCreate = z.infer<typeof StatementCreate>;

export const StatementPromote = z.strictObject({
  project: z.string().max(100),
  id: StatementId,
  /** The hall's topic that it goes to; its own, unless given, or conventions. */
  topic: z.enum(HALL_TOPICS).optional(),
});
export type StatementPromote = z.infer<typeof StatementPromote>;

export const KnowledgeQuery = z.strictObject({
  /** Without one: the hall's and every project's. */
  project: z.string().max(100).optional(),
  topic: Topic.optional(),
  q: line(500).optional(),
  /** `all`: a project's own and the hall's; what was promoted is shown once. `project`: its own, promoted ones too. */
  scope: z.enum(["all", "project", "hall"]).default("all"),
  /** `current`: pending and accepted. */
  status: z.enum([...STATEMENT_STATUSES, "current", "all"]).default("current"),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});
export type KnowledgeQuery = z.infer<typeof KnowledgeQuery>;
