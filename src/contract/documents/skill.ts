import { z } from "zod";
import { line } from "../words/text.ts";

/** The name of a pack, which its folder has too. */
export const SkillName = z
  .string()
  .max(64, "must have at most 64 characters")
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case letters and digits, joined by single '-'");

/** Whose a pack is: the hall's, one project's, whoever's the folder is that a project works in, or Guildhall's own. */
export const SkillOrigin = z.enum(["project", "workdir", "hall", "built-in"]);
export type SkillOrigin = z.infer<typeof SkillOrigin>;

/** Whether a person has accepted the content as it is now, another one, or none. */
export const SkillState = z.enum(["new", "accepted", "changed"]);
export type SkillState = z.infer<typeof SkillState>;

export const SkillSummary = z.strictObject({
  slug: z.string(),
  description: z.string(),
  origin: SkillOrigin,
  /** Its folder: relative to the workspace, or absolute where it lies elsewhere. */
  path: z.string(),
  state: SkillState,
  /** Over every file of the pack. */
  hash: z.string(),
  /** False for a pack of a working folder that nobody has accepted as it is now. */
  usable: z.boolean(),
  /** Only for roles that name it. */
  onlyNamed: z.literal(true).optional(),
  argumentHint: z.string().optional(),
});
export type SkillSummary = z.infer<typeof SkillSummary>;

const SkillFile = z.strictObject({ path: z.string(), size: z.int(), hash: z.string() });
export type SkillFile = z.infer<typeof SkillFile>;

export const Skill = SkillSummary.extend({
  body: z.string(),
  files: z.array(SkillFile),
  /** Which files are other than those that were accepted. */
  changes: z
    .strictObject({ added: z.array(z.string()), changed: z.array(z.string()), removed: z.array(z.string()) })
    .optional(),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  /** What its author would have allowed it to use. Shown, never granted. */
  allowedTools: z.array(z.string()),
  /** Every other key of its frontmatter, as it stands there. */
  other: z.record(z.string(), z.unknown()),
});
export type Skill = z.infer<typeof Skill>;

export const SkillAccept = z.strictObject({ hash: line(100) });

/** `skills/accepted.json`: which content of which pack a person accepted. */
export const AcceptedSkills = z.strictObject({
  version: z.literal(1),
  accepted: z.record(
    z.string(),
    z.strictObject({
      hash: z.string(),
      at: z.string(),
      /** The hash of each file. */
      files: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
export type AcceptedSkills = z.infer<typeof AcceptedSkills>;
