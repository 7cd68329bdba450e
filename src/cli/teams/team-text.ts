import type { CriterionState, Team, TeamActivity, TeamMember, TeamTask } from "../../contract/documents/teams/team.ts";
import { AUTONOMY_PHASE_WORDS, PAUSE_REASON_WORDS } from "../../contract/words/teams/autonomy-words.ts";
import { activityWords } from "../../contract/words/teams/team-activity.ts";
import { TEAM_QUESTION_WORDS, TEAM_STATUS_WORDS, TEAM_TASK_WORDS } from "../../contract/words/teams/team-phrases.ts";
import { TEAM_TASK_STATES, type TeamStatus, type TeamTaskState } from "../../contract/words/teams/team-words.ts";
import { money } from "../runs/run-text.ts";
import type { Style } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { type Field, fieldLines, localTime, proseLines } from "../text/text-card.ts";
import { type Column, type TableSpace, textTable } from "../text/text-table.ts";

const STATUS_STYLES: Partial<Record<TeamStatus, Style>> = {
  completed: "green",
  failed: "red",
  stopped: "yellow",
  paused: "yellow",
  "awaiting-approval": "yellow",
};
const TASK_STYLES: Partial<Record<TeamTaskState, Style>> = {
  working: "cyan",
  review: "cyan",
  merged: "green",
  failed: "red",
  blocked: "yellow",
  "left-out": "dim",
};
const CRITERION_STYLES: Record<CriterionState["state"], Style | undefined> = {
  met: "green",
  unmet: "red",
  waived: "yellow",
  open: undefined,
};
const WAITS = {
  person: "waiting for you",
  budget: "waiting for budget",
  quota: "waiting for a provider quota",
  project: "waiting: the project is suspended",
} as const;

export const teamColumns: Column<Team>[] = [
  { title: "TEAM", text: ({ id }) => id, style: () => "bold" },
  { title: "STATUS", text: statusText, style: ({ status }) => STATUS_STYLES[status] },
  { title: "PROJECT", text: ({ projectId }) => projectId, spare: 1 },
  { title: "TASKS", text: (team) => `${team.tasks.merged}/${tasksOf(team)}`, spare: 2 },
  { title: "COST", text: ({ costUsd, costKnown }) => money(costUsd, costKnown), spare: 3 },
  { title: "CREATED", text: ({ createdAt }) => localTime(createdAt), spare: 4 },
  { title: "NAME", text: ({ name }) => name, flexible: true },
];

export const teamTaskColumns: Column<TeamTask>[] = [
  { title: "KEY", text: ({ key }) => key, style: () => "bold" },
  { title: "STATE", text: ({ state }) => TEAM_TASK_WORDS[state], style: ({ state }) => TASK_STYLES[state] },
  { title: "TASK", text: ({ taskId = "" }) => taskId, spare: 2 },
  { title: "PHASE", text: ({ phase }) => phase, spare: 4 },
  { title: "MEMBER", text: ({ member = "" }) => member, spare: 1 },
  {
    title: "GATE",
    text: ({ gate }) => (gate === undefined ? "" : `${gate.verdict} ${gate.score ?? ""}`.trim()),
    spare: 3,
  },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
  { title: "REASON", text: ({ reason = "" }) => reason, flexible: true, spare: 5 },
];

export const criterionColumns: Column<CriterionState>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "STATE", text: ({ state }) => state, style: ({ state }) => CRITERION_STYLES[state] },
  { title: "CHECK", text: ({ kind }) => kind, spare: 2 },
  { title: "TASK", text: ({ task = "" }) => task, spare: 1 },
  { title: "CRITERION", text: ({ text }) => text, flexible: true },
  { title: "EVIDENCE", text: ({ evidence = "" }) => evidence, flexible: true, spare: 3 },
];

const memberColumns: Column<TeamMember>[] = [
  { title: "MEMBER", text: ({ name }) => name, style: () => "bold" },
  { title: "STATUS", text: ({ status }) => status, style: ({ status }) => (status === "working" ? "cyan" : "dim") },
  { title: "TASK", text: ({ task = "" }) => task },
  { title: "RUN", text: ({ runId = "" }) => runId, spare: 2 },
  { title: "MODEL", text: ({ model = "" }) => model, spare: 1 },
];

/** The status, and what it waits for. */
export function statusText({ status, pausedFrom, waitingFor }: Team): string {
  const paused =
    status === "paused" && pausedFrom !== undefined ? ` (${TEAM_STATUS_WORDS[pausedFrom].toLowerCase()})` : "";
  const waits = waitingFor === undefined || status === "awaiting-approval" ? "" : `, ${WAITS[waitingFor]}`;
  return `${TEAM_STATUS_WORDS[status]}${paused}${waits}`;
}

export function statusLine(team: Team, { paint }: TableSpace): string {
  return [
    paint(STATUS_STYLES[team.status] ?? "cyan", statusText(team)),
    ...(team.phases.length === 0 ? [] : [phaseText(team)]),
    tasksText(team),
    moneyText(team),
  ].join(" · ");
}

function phaseText({ phases }: Team): string {
  const completed = phases.filter(({ status }) => status === "completed").length;
  const current = phases.find(({ status }) => status === "in-progress" || status === "blocked");
  const figures = `phase ${Math.min(phases.length, completed + 1)} of ${phases.length}`;
  return current === undefined ? figures : `${figures}: ${oneLine(current.name)}`;
}

export function tasksOf({ tasks }: Team): number {
  return TEAM_TASK_STATES.reduce((sum, state) => sum + (tasks[state] ?? 0), 0);
}

function tasksText(team: Team): string {
  const parts = TEAM_TASK_STATES.flatMap((state) =>
    team.tasks[state] > 0 ? [`${team.tasks[state]} ${TEAM_TASK_WORDS[state].toLowerCase()}`] : [],
  );
  return parts.length === 0 ? "no tasks yet" : `tasks: ${parts.join(", ")}`;
}

function moneyText({ costUsd, costKnown, budgetUsd }: Team): string {
  const spent = money(costUsd, costKnown);
  return budgetUsd === null ? spent : `${spent} of $${budgetUsd}`;
}

interface CardSpace extends TableSpace {
  calledAs: string;
}

export function teamCard(team: Team, space: CardSpace): string {
  const { paint } = space;
  return [
    `${paint("bold", team.id)}  ${paint("bold", oneLine(team.name))}`,
    statusLine(team, space),
    ...nextLines(team, space).map((line) => paint("yellow", line)),
    "",
    ...fieldLines(fieldsOf(team), paint),
    ...(team.members.length === 0 ? [] : ["", textTable(memberColumns, team.members, space)]),
    ...proseLines("Goal", team.goal, space),
    ...proseLines("Reason", team.reason, space),
  ].join("\n");
}

function fieldsOf(team: Team): Field[] {
  const { strategy, sdd, requirements } = team;
  return [
    ["project", team.projectId],
    ["task", team.taskId],
    ["branch", team.branch],
    ["into", team.baseBranch],
    ["strategy", strategy && `${strategy.value} (${strategy.because})`],
    ["spec", `${sdd.value} (${sdd.because})`],
    ["approval", team.approval],
    ["autonomy", autonomyText(team)],
    ["requirements", requirements.total === 0 ? undefined : `${requirements.met} of ${requirements.total} met`],
    ["fix rounds", team.rounds === 0 ? undefined : team.rounds],
    ["integration check", team.checkId],
    ["delivery", team.deliveryRunId],
    ["created", localTime(team.createdAt)],
    ["ended", localTime(team.endedAt)],
  ];
}

function autonomyText({ autonomy }: Team): string | undefined {
  if (autonomy === undefined) return undefined;
  const { mode, phase, pauseReason } = autonomy;
  const why = pauseReason === undefined ? "" : `: ${PAUSE_REASON_WORDS[pauseReason]}`;
  return mode === "off" ? mode : `${mode} (${AUTONOMY_PHASE_WORDS[phase].toLowerCase()}${why})`;
}

/** What the person has to do next, if anything. */
export function nextLines(team: Team, { calledAs }: { calledAs: string }): string[] {
  const { escalation, status, deliveryRunId } = team;
  if (escalation?.kind === "plan" || escalation?.kind === "spec")
    return [
      `Waiting for your ${TEAM_QUESTION_WORDS[escalation.kind]}. See it: ${calledAs} team ${escalation.kind} ${team.id}`,
      `Approve: ${calledAs} team approve ${team.id} · Reject: ${calledAs} team reject ${team.id} "remarks"`,
    ];
  if (escalation !== undefined)
    return [
      `Waiting for ${TEAM_QUESTION_WORDS[escalation.kind]}. Answer: ${calledAs} escalation answer ${escalation.id}`,
    ];
  if (status === "delivering" && deliveryRunId !== undefined && team.waitingFor === "person")
    return [
      `Waiting for your review. See it: ${calledAs} run diff ${deliveryRunId} · Merge: ${calledAs} run approve ${deliveryRunId}`,
    ];
  return [];
}

/** One line: when, who, what, and on which task. */
export function activityLine(activity: TeamActivity, { paint }: TableSpace): string {
  const time = localTime(activity.at, "seconds").slice("2026-11-18 ".length);
  const { who, did, task, more } = activityWords(activity);
  const about = task === undefined ? "" : ` ${oneLine(task)}`;
  return `${paint("dim", time)}  ${paint("bold", oneLine(who))} ${oneLine(did)}${about}${more === "" ? "" : paint("dim", oneLine(more))}`;
}
