import type { HealthIssue, MemberHealth } from "../../contract/documents/teams/team-health.ts";
import {
  HEALTH_ISSUE_WORDS,
  HEALTH_STATE_WORDS,
  type HealthState,
  healthActionWords,
  LIVENESS_WORDS,
  type Liveness,
} from "../../contract/words/teams/health-words.ts";
import type { Style } from "../text/paint.ts";
import { localTime } from "../text/text-card.ts";
import { type Column, type TableSpace, textTable } from "../text/text-table.ts";

const LIVENESS_STYLES: Record<Liveness, Style> = {
  active: "green",
  waiting: "cyan",
  stalled: "red",
  idle: "dim",
  stopped: "dim",
};
const STATE_STYLES: Record<HealthState, Style> = { acting: "yellow", open: "red", cleared: "dim", ended: "dim" };

/** Members, and below them what was wrong with any, the newest last. */
export function healthText(members: readonly MemberHealth[], space: TableSpace): string {
  if (members.length === 0) return "No members yet.";
  const issues = members
    .flatMap(({ name: member, history }) => history.map((issue) => ({ ...issue, member })))
    .toSorted((left, right) => left.number - right.number);
  const below = issues.length === 0 ? "No issues so far." : textTable(issueColumns, issues, space);
  return [textTable(memberColumns, members, space), "", below].join("\n");
}

const memberColumns: Column<MemberHealth>[] = [
  { title: "MEMBER", text: ({ name }) => name, style: () => "bold" },
  {
    title: "LIVENESS",
    text: ({ liveness, inactiveSeconds }) =>
      `${LIVENESS_WORDS[liveness].toLowerCase()}${inactiveSeconds === undefined ? "" : `, last sign ${inactiveSeconds} s ago`}`,
    style: ({ liveness }) => LIVENESS_STYLES[liveness],
  },
  { title: "TASK", text: ({ task = "" }) => task },
  { title: "CONTEXT", text: ({ context }) => percentOf(context), spare: 1 },
  { title: "CALLS", text: ({ calls }) => callsOf(calls), spare: 2 },
  { title: "OPEN", text: ({ open }) => String(open.length), spare: 3 },
];

const issueColumns: Column<HealthIssue & { member: string }>[] = [
  { title: "AT", text: ({ at }) => localTime(at), spare: 2 },
  { title: "MEMBER", text: ({ member }) => member, style: () => "bold" },
  { title: "ISSUE", text: ({ issue }) => HEALTH_ISSUE_WORDS[issue] },
  { title: "ACTION", text: healthActionWords },
  {
    title: "STATE",
    text: ({ state }) => HEALTH_STATE_WORDS[state].toLowerCase(),
    style: ({ state }) => STATE_STYLES[state],
  },
  { title: "REASON", text: ({ reason }) => reason, flexible: true, spare: 1 },
  { title: "WHY", text: ({ why }) => why, flexible: true, spare: 3 },
];

function percentOf(context: MemberHealth["context"]): string {
  return context === undefined ? "" : `${Math.round((context.used / context.window) * 100)} %`;
}

function callsOf(calls: MemberHealth["calls"]): string {
  const failed = calls.filter((call) => call.failed).length;
  return failed === 0 ? String(calls.length) : `${calls.length} (${failed} failed)`;
}
