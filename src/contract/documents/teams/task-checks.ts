import { z } from "zod";
import { CHECK_VERDICTS, TASK_CHECKS } from "../../words/teams/check-words.ts";
import { RESPONSIBILITY_TYPES } from "../../words/teams/role-spec-words.ts";

export const TaskCheck = z.strictObject({
  name: z.enum(TASK_CHECKS),
  verdict: z.enum(CHECK_VERDICTS),
  /** What was found, or why it could not be checked. */
  detail: z.string().optional(),
});
export type TaskCheck = z.infer<typeof TaskCheck>;

/** What Guildhall measured itself. */
export const CheckFigures = z.strictObject({
  tests: z.strictObject({ passed: z.int(), failed: z.int(), skipped: z.int() }).optional(),
  /** In percent. */
  passRate: z.number().optional(),
  coverage: z.number().optional(),
  coverageThreshold: z.number().optional(),
});
export type CheckFigures = z.infer<typeof CheckFigures>;

/** How Guildhall checked what a member returned, before its result counted. */
export const TaskChecks = z.strictObject({
  type: z.enum(RESPONSIBILITY_TYPES),
  runId: z.string(),
  /** How often the end of the run was asked about; a round is answered once. */
  round: z.int().min(1),
  /** How often what this run returned was checked. */
  attempt: z.int().min(1),
  /** The run fails when its last attempt does. */
  attempts: z.int().min(1),
  /** `unable`: nothing failed, and something could not be checked. */
  verdict: z.enum(["pass", "fail", "unable"]),
  checks: z.array(TaskCheck),
  /** Where the result is, relative to the team's folder. */
  artifact: z.string().optional(),
  figures: CheckFigures.optional(),
});
export type TaskChecks = z.infer<typeof TaskChecks>;
