import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { RecordedAnswers } from "./recorded-answers.ts";

/** Recorded answers of the open workspace. Close it before the workspace. */
export function openKnown({ core, hall }: { core: Core; hall: Hall }): RecordedAnswers {
  const { escalations, events, knowledge, answerRules } = hall;
  return new RecordedAnswers({ core, escalations, events, knowledge, rules: () => answerRules.list() });
}
