import { markdownLine, plural } from "../../contract/words/autonomy/briefing-text.ts";
import { reportText } from "../../contract/words/autonomy/lead-text.ts";
import { LEAD_STATUS_WORDS } from "../../contract/words/autonomy/lead-words.ts";
import type { LeadLine, LeadState } from "./lead-state.ts";
import type { Place } from "./lead-store.ts";

const MOST_READY = 20;

interface Ended extends Place {
  lead: LeadState;
  ended: Extract<LeadLine, { type: "ended" }>;
  /** Questions of the initiative without an answer. */
  open: readonly { id: string; question: string }[];
}

/** `report.md`: how the last lead of an initiative went, for people. */
export function leadPage({ projectId, initiative, lead, ended, open }: Ended): string {
  const { started, told, runs, teams, report } = lead;
  const { why, startedBy, briefing } = started;
  const line = (text: string) => `- ${markdownLine(text)}`;
  const took = [plural(told.length, "round"), plural(runs.size, "run"), plural(teams.size, "team")].join(", ");
  const works = [...runs, ...teams].map(([id, task]) => line(task === undefined ? id : `${task}: ${id}`));
  const ready = ended.ready.slice(0, MOST_READY).join(", ");
  const more = ended.ready.length - MOST_READY;
  const needs = [
    ...open.map(({ id, question }) => line(`Answer ${id}: ${question}`)),
    ...(ready === "" ? [] : [line(`Ready for the next lead: ${ready}${more > 0 ? ` and ${more} more` : ""}`)]),
  ];
  return [
    `# ${markdownLine(briefing.title)}`,
    `${projectId} / ${initiative}. Written by Guildhall when a lead ends; edits are lost. Times are UTC.`,
    [
      line(`${LEAD_STATUS_WORDS[ended.status]}. ${ended.error ?? ""}`.trim()),
      line(`From ${timeOf(started.at)} to ${timeOf(ended.at)} (${lead.id})`),
      line(`Started by ${startedBy}: ${why}`),
      line(`Cost $${ended.costUsd.toFixed(2)}: ${took}`),
    ].join("\n"),
    ...section("Report", report === undefined ? [] : [reportText({ projectId, initiative }, report)]),
    ...section("Work", works),
    ...section("Needed", needs),
  ]
    .join("\n\n")
    .concat("\n");
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.join("\n")];
}

function timeOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}
