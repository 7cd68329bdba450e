import type { PauseReason } from "../../../contract/words/teams/autonomy-words.ts";
import type { TeamFact } from "../team-facts.ts";
import type { OpenQuestion, TeamState } from "../team-state.ts";
import type { World } from "../world.ts";
import { autonomyOf } from "./autonomy-phase.ts";
import { usedMs, waitsForAnswer } from "./autonomy-steps.ts";

const MINUTE = 60_000;

/** Time while the daemon was away does not count. What was used since the last line before is not known, and is not counted. */
export function continued(state: TeamState, { upSince }: World): TeamFact[] {
  const autonomy = autonomyOf(state);
  if (autonomy?.since === undefined || state.updatedAt >= upSince) return [];
  return [{ type: "autonomy-continued", usedMs: usedMs(autonomy, state.updatedAt) }];
}

/** What keeps an autonomous team from going on by itself. */
export function held(state: TeamState, world: World): TeamFact[] {
  const autonomy = autonomyOf(state);
  // What it delivers waits for a review, if for anything.
  if (autonomy === undefined || state.status === "delivering") return [];
  const paused = (code: PauseReason, reason: string): TeamFact[] => [{ type: "paused", by: "hall", code, reason }];
  if (isCapReached(state, world)) return paused("cost-cap", `The cost cap of ${money(state.budgetUsd)} is reached.`);
  const { timeoutMinutes } = autonomy.limits;
  if (usedMs(autonomy, world.now) >= timeoutMinutes * MINUTE)
    return paused(
      "timeout",
      `The time limit of ${timeoutMinutes} ${timeoutMinutes === 1 ? "minute" : "minutes"} is reached.`,
    );
  const { question } = state;
  const code = question === undefined || question.number <= autonomy.pausedFor ? undefined : causeOf(state, question);
  return question === undefined || code === undefined ? [] : paused(code, question.reason);
}

/** When a team is held by its time limit, if nothing happens before; undefined where it won't be. */
export function deadlineOf(state: TeamState): number | undefined {
  const autonomy = autonomyOf(state);
  if (autonomy?.since === undefined || state.status === "delivering") return undefined;
  return Date.parse(autonomy.since) - autonomy.usedMs + autonomy.limits.timeoutMinutes * MINUTE;
}

/** No further call fits. The ledger has the last word: it refused one. */
export function isCapReached(
  { budgetUsd }: Pick<TeamState, "budgetUsd">,
  { isCapReached: refused, spentUsd }: Pick<World, "isCapReached" | "spentUsd">,
): boolean {
  return budgetUsd !== null && (refused || spentUsd >= budgetUsd);
}

const money = (usd: number | null) => `$${(usd ?? 0).toFixed(2)}`;

/** Where others go on, a question is no reason to pause. */
function causeOf(state: TeamState, { kind }: OpenQuestion): PauseReason | undefined {
  switch (kind) {
    case "spec-change":
      return "approval-required";
    case "integration-failed":
      return state.check?.verdict !== "unable" && state.roundsAlone >= maxRounds(state)
        ? "max-remediation"
        : "approval-required";
    case "lead-failed":
      return "all-teammates-error";
    case "setup-failed":
    case "task-failed":
      return isAtRest(state) ? "all-teammates-error" : undefined;
    case "spec":
    case "plan":
    case "member-stuck":
      return undefined;
  }
}

function maxRounds(state: TeamState): number {
  return autonomyOf(state)?.limits.maxRemediationRounds ?? Number.POSITIVE_INFINITY;
}

function isAtRest({ index, phases, status }: TeamState): boolean {
  if (status !== "working") return true;
  const current = phases.find((phase) => phase.status !== "completed");
  return index.atWork.size === 0 && current?.status === "blocked";
}

/** The person has a paused team go on: what it gave up is tried again. */
export function resumed(state: TeamState, by: string): TeamFact[] {
  const { question } = state;
  const facts: TeamFact[] = [{ type: "resumed", by }];
  const reason = autonomyOf(state)?.pauseReason;
  if (question === undefined) return facts;
  if (reason === "max-remediation") facts.push({ type: "step-retried", step: "check", by });
  if (reason === "all-teammates-error") facts.push(...triedAgain(state, question, by));
  return facts;
}

function triedAgain({ index }: TeamState, { kind, task }: OpenQuestion, by: string): TeamFact[] {
  if (kind === "lead-failed") return [{ type: "step-retried", step: "lead", by }];
  if (kind === "setup-failed" && task === undefined) return [{ type: "step-retried", step: "setup", by }];
  return [...index.blocked].map((key) => ({ type: "task-retried", key, by }));
}

/** An answer has a team go on that was paused for the question. */
export function withResume(state: TeamState, answer: TeamFact[], by: string): TeamFact[] {
  const autonomy = autonomyOf(state);
  const isEnd = answer.some(({ type }) => type === "stopped" || type === "question-withdrawn");
  if (autonomy === undefined || state.status !== "paused" || answer.length === 0 || isEnd) return answer;
  return waitsForAnswer(autonomy) ? [{ type: "resumed", by }, ...answer] : answer;
}
