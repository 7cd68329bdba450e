import { z } from "zod";
import { Skill, SkillAccept, SkillSummary } from "../documents/skill.ts";
import { Slug } from "../words/text.ts";
import { success } from "./route-parts.ts";

const where = z.strictObject({ project: Slug.optional() });
const params = z.strictObject({ slug: z.string() });

/** Why a pack, or a folder of packs, cannot be used. */
const SkillProblem = z.strictObject({ file: z.string(), line: z.int().optional(), reason: z.string() });

export const skillRoutes = {
  listSkills: {
    summary: "Skill packs of the workspace or, with project, of a project. If names match, the nearest wins.",
    group: "Skills",
    query: where,
    response: z.strictObject({ skills: z.array(SkillSummary), problems: z.array(SkillProblem) }),
  },
  getSkill: {
    summary: "A skill pack with its text and file list.",
    group: "Skills",
    params,
    query: where,
    response: z.strictObject({ skill: Skill }),
  },
  acceptSkill: {
    summary: "Accept the current content of a skill pack, given by its hash.",
    group: "Skills",
    params,
    query: where,
    body: SkillAccept,
    response: z.strictObject({ ...success, skill: SkillSummary }),
  },
} as const;
