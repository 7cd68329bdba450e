import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Team, TeamActivity } from "../../../../../src/contract/documents/teams/team.ts";
import { activityWords } from "../../../../../src/contract/words/teams/team-activity.ts";
import type { ActivityType } from "../../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../../api/queries.ts";
import { SelectField } from "../../../ui/field.tsx";
import { dayText } from "../../../ui/figures.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { Windowed } from "../../run/windowed.tsx";
import { type FeedRow, feedRows } from "../feed-rows.ts";

/** What happened, the newest first. */
export default function TimelineView({ team }: { team: Team }) {
  const found = useQuery(queries.teamActivity(team.id));
  return (
    <Loaded query={found}>
      {({ activity }) =>
        activity.length === 0 ? <Empty title="Nothing happened yet." /> : <Feed team={team} activity={activity} />
      }
    </Loaded>
  );
}

function Feed({ team, activity }: { team: Team; activity: readonly TeamActivity[] }) {
  const [member, setMember] = useState("");
  const tasks = useQuery(queries.teamTasks(team.id)).data?.tasks;
  const titles = useMemo(() => new Map(tasks?.map(({ key, title }) => [key, title])), [tasks]);
  const rows = useMemo(
    () =>
      feedRows(
        activity.filter((entry) => member === "" || entry.member === member),
        (at) => dayText(at, new Date()),
      ),
    [activity, member],
  );
  return (
    <div className="flex flex-col gap-2">
      <search>
        <SelectField label="Member" hideLabel value={member} onChange={({ target }) => setMember(target.value)}>
          <option value="">All members</option>
          {team.members.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      </search>
      {rows.length === 0 ? (
        <Empty title={`Nothing from ${visibleLine(member)} yet.`} />
      ) : (
        <Windowed rows={rows} keyOf={({ key }) => key} estimate={33} label="Timeline" above={56}>
          {(row) => <Row row={row} titles={titles} />}
        </Windowed>
      )}
    </div>
  );
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const DOTS: Partial<Record<ActivityType, string>> = {
  "task-completed": "bg-good",
  "quality-gate-passed": "bg-good",
  "integration-check-passed": "bg-good",
  "plan-approved": "bg-good",
  "task-failed": "bg-bad",
  "quality-gate-failed": "bg-bad",
  "integration-check-failed": "bg-bad",
  error: "bg-bad",
  "plan-rejected": "bg-warn",
  "review-feedback-sent": "bg-warn",
  "phase-blocked": "bg-warn",
  "stall-detected": "bg-warn",
  "file-conflict": "bg-warn",
  "cost-warning": "bg-warn",
  escalation: "bg-accent",
  "task-claimed": "bg-info",
};

function Row({ row, titles }: { row: FeedRow; titles: ReadonlyMap<string, string> }) {
  if ("day" in row) return <h2 className="pt-3 pb-1 text-sm font-semibold">{row.day}</h2>;
  const { entry } = row;
  const { who, did, task, more } = activityWords(entry);
  const title = task === undefined ? "" : visibleLine(titles.get(task) ?? task);
  return (
    <div className="flex items-start gap-2 border-b border-line py-1.5 text-sm">
      <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${DOTS[entry.type] ?? "bg-edge"}`} />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <bdi className="font-medium">{visibleLine(who)}</bdi> {visibleLine(did)}
        {task !== undefined && (
          <>
            {" "}
            <About entry={entry} title={title} />
          </>
        )}
        <bdi className="text-faint">{visibleLine(more)}</bdi>
        <GateLink entry={entry} />
      </p>
      <time
        dateTime={entry.at}
        title={exact.format(new Date(entry.at))}
        className="shrink-0 text-xs leading-5 text-faint tabular-nums"
      >
        {time.format(new Date(entry.at))}
      </time>
    </div>
  );
}

function About({ entry: { runId }, title }: { entry: TeamActivity; title: string }) {
  if (runId === undefined) return <bdi>“{title}”</bdi>;
  return (
    <Link to="/runs/$runId" params={{ runId }} className="text-accent hover:underline">
      <bdi>{title}</bdi>
    </Link>
  );
}

/** The report that a verdict is in. */
function GateLink({ entry: { data = {} } }: { entry: TeamActivity }) {
  const { gateId, checkId } = data;
  if (typeof gateId === "string")
    return (
      <>
        {" "}
        <Link to="/gates/$gateId" params={{ gateId }} className="text-xs text-accent underline">
          Report
        </Link>
      </>
    );
  if (typeof checkId !== "string") return null;
  return (
    <>
      {" "}
      <Link to="/integration-checks/$checkId" params={{ checkId }} className="text-xs text-accent underline">
        Report
      </Link>
    </>
  );
}
