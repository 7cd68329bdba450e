import type { TeamActivity } from "../../documents/teams/team.ts";
import { cutText } from "../cut-text.ts";
import { AUTONOMY_PHASE_WORDS, type AutonomyPhase, PAUSE_REASON_WORDS, type PauseReason } from "./autonomy-words.ts";
import { HEALTH_ACTING_WORDS, HEALTH_ISSUE_VERBS, type HealthAction, type HealthIssueType } from "./health-words.ts";
import { ACTIVITY_WORDS, TEAM_QUESTION_WORDS } from "./team-phrases.ts";
import type { ActivityType, TeamQuestion } from "./team-words.ts";

/** One entry of a team's feed: `head-lisbon` `started` `store` ` with opus`. */
export interface ActivityWords {
  who: string;
  did: string;
  /** The key of the task that the sentence is about. */
  task?: string | undefined;
  /** After the task; begins with the space or colon before it. */
  more: string;
}

type Data = Record<string, unknown>;

export function activityWords({ type, member, task, data = {} }: TeamActivity): ActivityWords {
  const {
    who = member ?? "Guildhall",
    did = ACTIVITY_WORDS[type] ?? type,
    more = "",
  } = SENTENCES[type]?.({ ...data, member, task }) ?? {};
  return { who, did, task, more };
}

type Sentence = Partial<Omit<ActivityWords, "task">>;

const SENTENCES: Partial<Record<ActivityType, (data: Data) => Sentence>> = {
  "teammate-spawned": ({ rank }) => ({ more: text(rank) === "" ? "" : ` as ${text(rank)}` }),
  "teammate-shutdown": ({ reason }) => ({ more: colon(reason) }),
  "task-claimed": ({ model }) => ({ more: text(model) === "" ? "" : ` with ${text(model)}` }),
  "task-completed": () => ({ did: "merged" }),
  "task-failed": ({ isLeftOut, by, reason }) =>
    isLeftOut === true
      ? { who: actor(by), did: "left out", more: colon(reason) }
      : { did: "failed", more: colon(reason) },
  "task-in-review": () => ({ did: "finished", more: " and its result is in review" }),
  "checks-passed": ({ verdict, checks }) => ({
    who: "The checks",
    did: "passed",
    more: verdict === "unable" ? ` without ${listed(checks).slice(2) || "all of them"}` : "",
  }),
  "checks-failed": ({ attempt, attempts, checks }) => ({
    who: "The checks",
    did: "failed",
    more: `${typeof attempt === "number" ? ` in attempt ${attempt} of ${text(attempts)}` : ""}${listed(checks)}`,
  }),
  "quality-gate-passed": ({ score }) => ({ who: "The gate", did: "passed", more: scored(score) }),
  "quality-gate-failed": ({ verdict, score }) =>
    verdict === "unable"
      ? { who: "The gate", did: "could not judge" }
      : { who: "The gate", did: "failed", more: scored(score) },
  "review-feedback-sent": () => ({ who: "The gate", did: "requested changes", more: " with its findings" }),
  "message-sent": ({ to, by }) => ({
    ...(by === undefined ? {} : { who: actor(by) }),
    more: text(to) === "" ? "" : ` to ${to === "all" ? "all members" : text(to)}`,
  }),
  "plan-submitted": ({ what, by, changed, tasks }) => {
    if (by !== undefined) return { who: actor(by), did: "edited the spec", more: listed(changed) };
    const count = Number(tasks);
    return {
      did: `submitted the ${text(what) || "plan"}`,
      more: count > 0 ? ` with ${count} ${count === 1 ? "task" : "tasks"}` : "",
    };
  },
  "plan-approved": ({ what, by }) => ({ who: actor(by), did: `approved the ${text(what) || "plan"}` }),
  "plan-rejected": ({ what, by, remarks }) => ({
    ...{ who: actor(by), did: `requested changes to the ${text(what) || "plan"}` },
    more: colon(remarks),
  }),
  "model-swapped": ({ model, by, reason }) => ({
    did: "changed models",
    more: ` to ${text(model)}, by ${actor(by)}${colon(reason)}`,
  }),
  escalation: ({ kind, reason }) => ({
    who: "The team",
    did: "asked you for",
    more: ` ${TEAM_QUESTION_WORDS[text(kind) as TeamQuestion] ?? "a decision"}${colon(reason)}`,
  }),
  "integration-check-started": () => ({ did: "started the integration check" }),
  "integration-check-passed": () => ({ who: "The integration check", did: "passed" }),
  "integration-check-failed": ({ verdict, reason }) => ({
    ...{ who: "The integration check", did: verdict === "unable" ? "could not judge the whole" : "failed" },
    more: colon(reason),
  }),
  "stall-detected": ({ reason, task }) => ({ did: `stalled${on(task)}`, more: colon(reason) }),
  "health:stall": ({ action, why, member, task }) => ({
    who: "Guildhall",
    did: `${HELP[text(action) as HealthAction] ?? HELP.none} ${text(member) || "a member"}${on(task)}`,
    more: colon(why),
  }),
  "health:error-loop": (data) => unwell("error-loop", data),
  "health:retry-storm": (data) => unwell("retry-storm", data),
  "health:context-exhaustion": (data) => unwell("context-exhaustion", data),
  "health:cleared": ({ isOver, task }) => ({ did: `${isOver === true ? "ended its run" : "recovered"}${on(task)}` }),
  "file-conflict": ({ path }) => ({
    who: "Two members",
    did: "changed the same file",
    more: text(path) === "" ? "" : `: ${text(path)}`,
  }),
  "checkpoint-created": () => ({ did: "saved a checkpoint of" }),
  "checkpoint-rollback": () => ({ did: "rolled back" }),
  "cost-warning": ({ spentUsd, budgetUsd }) => ({
    ...{ who: "The team", did: "is close to its budget:" },
    more: ` $${dollars(spentUsd)} of $${dollars(budgetUsd)} spent`,
  }),
  "phase-advanced": ({ phase, status }) => ({
    ...{ who: "Phase", did: text(phase), more: status === "completed" ? " is complete" : " started" },
  }),
  "phase-blocked": ({ phase, reason }) => ({ who: "Phase", did: text(phase), more: ` is blocked${colon(reason)}` }),
  "yolo-started": ({ by, mode, isChange }) => ({
    ...{ who: actor(by), did: isChange === true ? "changed the autonomy" : "started autonomous work" },
    more: `: ${text(mode)} mode`,
  }),
  "yolo-phase-changed": ({ to }) => ({
    ...{ who: "The team", did: "moved to the phase" },
    more: `: ${AUTONOMY_PHASE_WORDS[text(to) as AutonomyPhase] ?? text(to)}`,
  }),
  "yolo-paused": ({ reason, by, text: about }) => ({
    who: reason === "user-requested" ? actor(by) : "The team",
    did: reason === "user-requested" ? "paused the autonomous work" : "paused",
    more: reason === "user-requested" ? colon(about) : pausedBecause(reason),
  }),
  "yolo-completed": () => ({ who: "The team", did: "completed its autonomous work" }),
  "yolo-aborted": ({ reason }) => ({ who: "The autonomous work", did: "was aborted", more: colon(reason) }),
  "yolo-remediation-created": ({ round, tasks }) => ({
    who: "The team",
    did: "created",
    more: ` ${text(tasks)} fix ${Number(tasks) === 1 ? "task" : "tasks"} in round ${text(round)}`,
  }),
  "yolo-spec-evolution-proposed": ({ reason }) => ({ did: "proposed a change to the spec", more: colon(reason) }),
  error: ({ step, reason }) =>
    text(step) === ""
      ? { who: "The team", did: "failed", more: colon(reason) }
      : { did: `failed to submit the ${text(step)}`, more: colon(reason) },
};

function pausedBecause(reason: unknown): string {
  return colon(PAUSE_REASON_WORDS[text(reason) as PauseReason]);
}

/** Before the name of the member. */
const HELP: Readonly<Record<HealthAction, string>> = {
  nudge: "nudges",
  compact: "compacts the context of",
  restart: "restarts",
  "stronger-model": "gives a stronger model to",
  escalate: "will ask you about",
  none: "took no action for",
};

function unwell(issue: HealthIssueType, { reason, action, task }: Data): Sentence {
  const help = HEALTH_ACTING_WORDS[text(action) as HealthAction];
  const more = colon(reason);
  return {
    did: `${HEALTH_ISSUE_VERBS[issue]}${on(task)}`,
    more: help === undefined ? more : `${more === "" ? ":" : more} ${help}.`,
  };
}

function on(task: unknown): string {
  return text(task) === "" ? "" : " on";
}

const LONGEST = 300;

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function colon(reason: unknown): string {
  return text(reason).trim() === "" ? "" : `: ${cutText(text(reason).trim(), LONGEST)}`;
}

function scored(score: unknown): string {
  return typeof score === "number" ? ` with a score of ${Math.round(score)}` : "";
}

function actor(by: unknown): string {
  const name = text(by);
  if (name === "person") return "You";
  return name === "" || name === "hall" ? "Guildhall" : name;
}

function listed(changed: unknown): string {
  return Array.isArray(changed) && changed.length > 0 ? `: ${cutText(changed.map(text).join(", "), LONGEST)}` : "";
}

function dollars(value: unknown): string {
  return typeof value === "number" ? value.toFixed(2) : "?";
}
