import { z } from "zod";
import { STRATEGIES } from "../../words/teams/team-words.ts";
import { line, prose } from "../../words/text.ts";
import { ModelPreset } from "../rank.ts";
import { TeamBudget } from "./team.ts";

/** What of a session's `team.json` counts where it is handed over. The rest is of the team that it was. */
export const SessionTeam = z.looseObject({
  name: line(100),
  goal: prose(20_000).refine((text) => text.trim() !== "", "must not be empty"),
  strategy: z.union([z.enum(STRATEGIES), z.looseObject({ value: z.enum(STRATEGIES) })]).optional(),
  preset: ModelPreset.optional(),
});
export type SessionTeam = z.infer<typeof SessionTeam>;

const LONGEST_PATH = 300;
const LONGEST_TEXT = 1_000_000;
const MOST_FILES = 1_000;

/** A session folder, file by file, for a team that carries out the plan in it. */
export const SessionRequest = z.strictObject({
  /** Texts by path, such as `role-specs/dev-impl.md`. */
  files: z
    .record(z.string().min(1).max(LONGEST_PATH), z.string().max(LONGEST_TEXT))
    .refine((files) => Object.keys(files).length <= MOST_FILES, `must have at most ${MOST_FILES} files`),
  /** Parts that are there and could not be sent, such as links: they are named with what else is wrong. */
  unreadable: z
    .array(z.strictObject({ path: z.string().min(1).max(LONGEST_PATH), reason: line(200) }))
    .max(MOST_FILES)
    .optional(),
  budgetUsd: TeamBudget.optional(),
  baseBranch: line(250).optional(),
});
export type SessionRequest = z.infer<typeof SessionRequest>;
