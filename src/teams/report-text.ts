import type { ForPerson, TeamReport } from "../contract/documents/teams/team-report.ts";
import { cutText } from "../contract/words/cut-text.ts";
import { TEAM_STATUS_WORDS } from "../contract/words/teams/team-phrases.ts";

const LONGEST_GOAL = 4_000;

const HEADINGS: Record<ForPerson["kind"], string> = {
  "approved-anyway": "Approved in spite of the checks",
  unmet: "Criteria that are not met",
  "left-out": "Left out",
  waiver: "Waived findings",
  dispute: "Disputed findings",
  "changed-test": "Changed tests",
  "changed-settings": "Changed check settings",
  "changed-interface": "Changed interfaces",
  unwired: "New files that nothing imports",
  unproven: "Not proven",
};

/** `report.md`: first what only the person can judge, then the proof, then the figures. */
export function reportText(report: TeamReport): string {
  return `${[title(report), ...judging(report), ...lead(report), ...proof(report), ...work(report), ...figures(report)].join("\n\n")}\n`;
}

function title({ goal, status, reason }: TeamReport): string {
  const [line = "", ...more] = goal.split("\n");
  const rest = quoted(cutText(more.join("\n").trim(), LONGEST_GOAL));
  const why = reason === undefined ? "" : ` ${oneLine(reason)}`;
  return [`# ${line}`, ...(rest === "" ? [] : [rest]), `Status: ${TEAM_STATUS_WORDS[status]}.${why}`].join("\n\n");
}

/** Its own headings are none of the report. */
function quoted(text: string): string {
  return text === "" ? "" : text.replaceAll(/^/gm, "> ");
}

function judging({ forPerson }: TeamReport): string[] {
  if (forPerson.length === 0) return ["## For you to judge", "Nothing: no waivers, disputes or unproven changes."];
  const groups = Map.groupBy(forPerson, ({ kind }) => kind);
  return [
    "## For you to judge",
    ...[...groups].map(([kind, entries]) => [`### ${HEADINGS[kind]}`, "", ...entries.map(entryText)].join("\n")),
  ];
}

function entryText({ text, file, gateId, by, reason }: ForPerson): string {
  const where = [file, gateId].filter((one) => one !== undefined).join(", ");
  const who = by === undefined ? "" : ` By ${by}.`;
  return `- ${oneLine(text)}${where === "" ? "" : ` (${where})`}${who}${reason === undefined ? "" : ` ${oneLine(reason)}`}`;
}

function lead({ lead: said }: TeamReport): string[] {
  if (said === undefined) return [];
  const list = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [[`### ${name}`, "", ...items.map((item) => `- ${oneLine(item)}`)].join("\n")];
  return [
    "## Summary",
    said.summary,
    ...list("Highlights", said.highlights),
    ...list("Risks", said.risks),
    ...list("Follow-ups", said.followUps),
  ];
}

function proof({ requirements }: TeamReport): string[] {
  if (requirements.length === 0) return [];
  const lines = requirements.flatMap(({ id, text, met, criteria }) => [
    `- [${met ? "x" : " "}] **${id}** ${oneLine(text)}`,
    ...criteria.map(
      ({ id: criterion, text: what, kind, state, evidence }) =>
        `  - ${criterion} (${kind}, ${state}): ${oneLine(what)}${evidence === undefined ? "" : ` — ${oneLine(evidence)}`}`,
    ),
  ]);
  return ["## Requirements", lines.join("\n")];
}

function work({ tasks }: TeamReport): string[] {
  if (tasks.length === 0) return [];
  const rows = tasks.map(({ key, taskId = "", title: name, state, member = "", gate }) => {
    const judged =
      gate === undefined ? "" : `${gate.verdict}${gate.score === null ? "" : ` ${Math.round(gate.score)}`}`;
    return `| ${key} | ${taskId} | ${cell(name)} | ${state} | ${member} | ${judged} |`;
  });
  const head = ["| Key | Task | Title | State | Member | Gate |", "|---|---|---|---|---|---|"];
  return ["## Tasks", [...head, ...rows].join("\n")];
}

function figures({ gates, integration, cost, delivery, startedAt, endedAt, ...plan }: TeamReport): string[] {
  const { judged, passed, failed, unable, cycles } = gates;
  const ranks = Object.entries(cost.byRank).map(([rank, usd]) => `${rank} ${money(usd)}`);
  const budget = cost.budgetUsd === null ? "no budget" : `of ${money(cost.budgetUsd)}`;
  const { strategy, planApprovedBy } = plan;
  const lines = [
    ...(strategy === undefined ? [] : [`Strategy: ${strategy.value}; ${strategy.because}.`]),
    ...(planApprovedBy === undefined ? [] : [`Plan approved by: ${planApprovedBy}.`]),
    `Gates: ${judged} judged, ${passed} passed, ${failed} failed, ${unable} unable, ${cycles} cycles at most.`,
    ...(integration === undefined
      ? []
      : [`Integration: ${integration.verdict} (${integration.checkId}), rounds of fixes: ${integration.rounds}.`]),
    `Cost: ${money(cost.usd)}${cost.known ? "" : " (estimated)"}, ${budget}${ranks.length === 0 ? "" : `; ${ranks.join(", ")}`}.`,
    ...(delivery === undefined
      ? []
      : [`Delivery: ${delivery.branch} into ${delivery.target}, ${delivery.state} (${delivery.runId}).`]),
    `Time: ${startedAt}${endedAt === undefined ? "" : ` to ${endedAt}`}.`,
  ];
  return ["## Figures", lines.map((line) => `- ${line}`).join("\n")];
}

const money = (usd: number) => `$${usd.toFixed(2)}`;
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const cell = (text: string) => oneLine(text).replaceAll("|", "\\|");
