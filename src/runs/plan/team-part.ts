import type { HandInOrder, RunTeam } from "../../contract/runs/hand-in.ts";
import type { RunPlan, RunPurpose, Workplace } from "../../contract/runs/run.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";

/** The tool of a member that starts agents of its own. */
export const DELEGATES_BY = "spawn_subagent";

/** What a team decides about a run of its own, beside the request. */
export interface TeamPart {
  of: RunTeam;
  /** What the team adds to the prompt. */
  brief: string;
  /** What it has to hand in; without it, the run does its task. */
  handIn?: HandInOrder | undefined;
  /** Where a run that hands something in looks; the project's folder, unless given. */
  workplace?: Workplace | undefined;
  /** The team's branch, off which work starts and into which it goes. */
  target?: string | undefined;
  /** What a run that does its task is responsible for; its report is checked by that. */
  returns?: ResponsibilityType | undefined;
  /** Skill packs that it may use beside those of its role. */
  standards?: readonly string[] | undefined;
  /** It may have parts of its task done by workers, and looked at by reviewers, of its own. */
  delegates?: boolean | undefined;
}

/** The part of a run that does work for its team, for the run that continues its result. */
export function teamPartOf(plan: RunPlan | undefined): TeamPart | undefined {
  if (plan?.team === undefined || plan.purpose !== "work") return undefined;
  const delegates = plan.tools.value.includes(DELEGATES_BY);
  const { team: of, brief = "", workplace, returns, standards } = plan;
  return { of, brief, standards, target: workplace?.target, delegates, returns };
}

/** What is looked at for others; the rest is the lead's. */
const CHECKS: readonly HandInOrder["kind"][] = ["check", "explore", "discuss"];

export function teamPurpose({ handIn }: TeamPart): RunPurpose {
  if (handIn === undefined) return "work";
  return CHECKS.includes(handIn.kind) ? "check" : "lead";
}
