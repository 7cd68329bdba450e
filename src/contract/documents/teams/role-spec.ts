import { z } from "zod";
import { RESPONSIBILITY_TYPES, ROLE_SPEC_RULES } from "../../words/teams/role-spec-words.ts";
import { line, Slug } from "../../words/text.ts";
import { MessageType } from "./team-message.ts";

/** The frontmatter of `role-specs/<name>.md`. It grants nothing: rights come from roles only. */
export const RoleSpecFields = z.strictObject({
  /** The name of the file. */
  role: Slug,
  /** Tasks with this prefix are its own: RESEARCH, DRAFT, IMPL. */
  prefix: z.string().regex(/^[A-Z][A-Z0-9]{0,19}$/, "must be 1 to 20 capital letters and digits, such as IMPL"),
  /** Whether one member does all tasks of the prefix, one after the other. */
  inner_loop: z.boolean(),
  /** Agents that it may call, by name. */
  subagents: z.array(Slug).max(20).optional(),
  message_types: z.strictObject({
    success: line(60),
    error: line(60),
    /** Types of messages that it may send to other members. Absent: it reports to the lead only. */
    talk: z.array(MessageType).min(1).max(10).optional(),
  }),
});
export type RoleSpecFields = z.infer<typeof RoleSpecFields>;

/** What is wrong with a role-spec. */
export const RoleSpecFault = z.strictObject({
  rule: z.enum(ROLE_SPEC_RULES),
  line: z.int().min(1),
  message: z.string(),
  /** A warning is shown; the role-spec is used all the same. */
  severity: z.enum(["error", "warning"]),
});
export type RoleSpecFault = z.infer<typeof RoleSpecFault>;

/** A role-spec as it is in the team's folder. */
export const RoleSpec = z.strictObject({
  name: Slug,
  responsibilityType: z.enum(RESPONSIBILITY_TYPES),
  /** Keys of the tasks that are done by it. */
  tasks: z.array(z.string()),
  text: z.string(),
  etag: z.string(),
  faults: z.array(RoleSpecFault),
  /** What members get: the file, or the last version without errors. */
  inUse: z.enum(["file", "last-good"]),
});
export type RoleSpec = z.infer<typeof RoleSpec>;
