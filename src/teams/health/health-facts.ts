import type { HealthIssueType } from "../../contract/words/teams/health-words.ts";
import type { TeamFact } from "../machine/team-facts.ts";
import type { HealthRecord, MemberState, TeamState } from "../machine/team-state.ts";
import { nextAction } from "./health-ladder.ts";
import type { FoundIssue } from "./health-rules.ts";

/** What was seen of one member in a look. */
export interface SeenMember {
  member: string;
  runId: string;
  epoch: number;
  /** Whom its run asks now. */
  model?: string | undefined;
  /** Its run is over: nothing can be done for it any more. */
  isOver: boolean;
  found: readonly FoundIssue[];
}

export interface Means {
  /** Attempts before a stronger model. */
  threshold: number;
  /** Undefined where none can be asked. */
  strongerModel?: string | undefined;
  /** Whether an issue of that kind was told of the member a moment ago. */
  isDebounced: (member: string, issue: HealthIssueType) => boolean;
}

/** What follows from a look at a member: issues that are over, and new ones with what is done about them. */
export function healthFacts(state: TeamState, seen: SeenMember, means: Means): TeamFact[] {
  const member = state.members.get(seen.member);
  const cleared = openOf(state, seen.member).flatMap((record): TeamFact[] => {
    const isLeft = record.runId !== member?.runId || (record.runId === seen.runId && seen.isOver);
    const persists = record.runId !== seen.runId || seen.found.some(({ issue }) => issue === record.issue);
    if (!isLeft && persists) return [];
    return [{ type: "health-cleared", number: record.number, ...(isLeft ? { isOver: true } : {}) }];
  });
  if (member === undefined) return cleared;
  let number = state.health.last;
  const told = seen.found.flatMap((found) => {
    const facts = isNew(state, seen, found, means)
      ? issueFacts(state, member, { seen, found, means, number: number + 1 })
      : [];
    if (facts.length > 0) number++;
    return facts;
  });
  return [...cleared, ...told];
}

function openOf({ health }: TeamState, member: string): HealthRecord[] {
  return [...health.open.values()].filter((record) => record.member === member);
}

/** The same is told once, also after a restart of the daemon. */
function isNew(state: TeamState, { member, runId }: SeenMember, { issue, mark }: FoundIssue, means: Means): boolean {
  if (means.isDebounced(member, issue)) return false;
  const last = state.health.members.get(member)?.issues.findLast((one) => one.issue === issue);
  return mark === undefined || last?.mark !== mark || last.runId !== runId;
}

interface Telling {
  seen: SeenMember;
  found: FoundIssue;
  means: Means;
  number: number;
}

function issueFacts(state: TeamState, member: MemberState, { seen, found, means, number }: Telling): TeamFact[] {
  const { issue, reason, mark } = found;
  const { runId, epoch, isOver } = seen;
  const decided = isOver ? TOO_LATE : decision(state, member, { seen, found, means });
  if (decided === undefined) return [];
  const { action, why } = decided;
  const model = action === "stronger-model" ? means.strongerModel : undefined;
  const fact: TeamFact = {
    ...{ type: "health-issue", number, member: member.name, issue, runId, epoch, reason, action, why },
    ...(member.task === undefined ? {} : { task: member.task }),
    ...(mark === undefined ? {} : { mark }),
    ...(model === undefined ? {} : { model }),
  };
  const acted: TeamFact = { type: "health-acted", number, outcome: isOver ? "too-late" : "done" };
  if (isOver) return [fact, acted, { type: "health-cleared", number, isOver: true }];
  if (model === undefined) return [fact];
  const swapped: TeamFact = { type: "model-swapped", member: member.name, model, by: "hall", reason };
  return [fact, swapped, acted];
}

const TOO_LATE = { action: "none" as const, why: "Its run ended first. The team decides what becomes of the task." };

function decision({ health }: TeamState, member: MemberState, { seen, found, means }: Omit<Telling, "number">) {
  const own = health.members.get(member.name);
  const counts = ({ number, issue, task }: HealthRecord) =>
    issue === found.issue && task === member.task && number > (own?.resolvedThrough ?? 0);
  const { strongerModel, threshold } = means;
  return nextAction({
    issue: found.issue,
    taken: (own?.issues ?? []).filter((one) => counts(one) && one.action !== "none").map(({ action }) => action),
    threshold,
    strongerModel: strongerModel === seen.model || strongerModel === member.model ? undefined : strongerModel,
    wasRestarted: own?.restartedFor.has(found.issue) ?? false,
  });
}
