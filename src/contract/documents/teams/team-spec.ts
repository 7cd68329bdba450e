import { z } from "zod";
import { CHECK_KINDS, TEAM_LIMITS } from "../../words/teams/team-words.ts";
import { line, prose } from "../../words/text.ts";
import { TASK_PRIORITIES } from "../task-status.ts";

export const REQUIREMENT_ID = /^REQ-\d{3,4}$/;
const RequirementId = z.string().regex(REQUIREMENT_ID, "must look like REQ-001");

const Sentence = line(2_000);
const sentences = z.array(Sentence).max(50);

/** `REQ-001.1` is the first criterion of REQ-001. */
export const AcceptanceCriterion = z.strictObject({
  id: z.string(),
  text: Sentence,
  kind: z.enum(CHECK_KINDS),
  /** Of the kind `command`: it is met when this ends with 0. */
  command: z.array(line(2_000)).min(1).max(50).optional(),
});
export type AcceptanceCriterion = z.infer<typeof AcceptanceCriterion>;

export const Requirement = z.strictObject({
  id: RequirementId,
  text: Sentence,
  priority: z.enum(TASK_PRIORITIES),
  acceptance: z.array(AcceptanceCriterion).min(1).max(20),
});
export type Requirement = z.infer<typeof Requirement>;

/** What a team is to bring about, as the hall keeps it; `spec.md` has the same for people. */
export const TeamSpec = z.strictObject({
  title: line(200),
  goals: sentences,
  nonGoals: sentences,
  requirements: z.array(Requirement).min(1).max(TEAM_LIMITS.requirements),
  risks: sentences,
  definitionOfDone: sentences,
  /** Of a fix: what happens now, what should happen, and what must stay as it is. */
  current: prose(4_000).optional(),
  expected: prose(4_000).optional(),
  unchanged: prose(4_000).optional(),
});
export type TeamSpec = z.infer<typeof TeamSpec>;
