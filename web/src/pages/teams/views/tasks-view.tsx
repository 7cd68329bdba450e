import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import type { Team, TeamTask } from "../../../../../src/contract/documents/teams/team.ts";
import { checkLine, checksText } from "../../../../../src/contract/words/teams/check-words.ts";
import { DOMAIN_WORDS } from "../../../../../src/contract/words/teams/team-choices.ts";
import { TEAM_TASK_WORDS } from "../../../../../src/contract/words/teams/team-phrases.ts";
import { TEAM_TASK_STATES, type TeamTaskState } from "../../../../../src/contract/words/teams/team-words.ts";
import { queries } from "../../../api/queries.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { countText, plural } from "../../../ui/figures.tsx";
import { VerdictBadge } from "../../../ui/gate/verdict.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { PhaseBadge, TeamTaskBadge } from "../../../ui/team/team-badges.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { Windowed } from "../../run/windowed.tsx";
import { FileNames, Requirements } from "../task-parts.tsx";
import { TaskTitle } from "../task-title.tsx";
import { byPhase, listRows, type PhaseGroup, type TaskListRow } from "../team-model.ts";

/** All tasks by phase; however many there are, only those near the window are drawn. */
export default function TasksView({ team }: { team: Team }) {
  const found = useQuery(queries.teamTasks(team.id));
  return (
    <Loaded query={found}>
      {({ tasks }) =>
        tasks.length === 0 ? (
          <Empty title="No tasks yet.">The lead plans them once there is a spec.</Empty>
        ) : (
          <Tasks team={team} tasks={tasks} />
        )
      }
    </Loaded>
  );
}

function Tasks({ team, tasks }: { team: Team; tasks: readonly TeamTask[] }) {
  const [typed, setText] = useState("");
  const [state, setState] = useState<TeamTaskState>();
  const text = useDeferredValue(typed);
  const { phases } = team;
  const groups = useMemo(() => byPhase(phases, tasks), [phases, tasks]);
  const rows = useMemo(() => listRows(groups, { text, state }), [groups, text, state]);
  const titles = useMemo(() => new Map(tasks.map(({ key, title }) => [key, title])), [tasks]);
  const count = rows.filter((row) => "task" in row).length;
  return (
    <div className="flex flex-col gap-2">
      <search className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-48">
          <TextField
            type="search"
            label="Filter tasks"
            hideLabel
            placeholder="Filter by title, member or ID"
            value={typed}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <SelectField
          label="State"
          hideLabel
          value={state ?? ""}
          onChange={({ target }) => setState((target.value || undefined) as TeamTaskState | undefined)}
        >
          <option value="">All states</option>
          {TEAM_TASK_STATES.map((each) => (
            <option key={each} value={each} disabled={team.tasks[each] === 0}>
              {TEAM_TASK_WORDS[each]} ({countText(team.tasks[each])})
            </option>
          ))}
        </SelectField>
      </search>
      <p role="status" className="sr-only">
        {plural(count, "task")} shown
      </p>
      {rows.length === 0 ? (
        <Empty title="No tasks match these filters." />
      ) : (
        <Windowed rows={rows} keyOf={keyOf} estimate={58} label="Tasks by phase" above={56}>
          {(row) => ("phase" in row ? <PhaseRow phase={row.phase} /> : <TaskRow task={row.task} titles={titles} />)}
        </Windowed>
      )}
    </div>
  );
}

const keyOf = (row: TaskListRow) => ("phase" in row ? `phase ${row.phase.id}` : `task ${row.task.key}`);

function PhaseRow({ phase: { name, status, tasks, merged } }: { phase: PhaseGroup }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 pt-3 pb-1">
      <h2 className="text-sm font-semibold wrap-anywhere">
        <bdi>{visibleLine(name)}</bdi>
      </h2>
      {status !== undefined && <PhaseBadge status={status} />}
      <span className="text-xs text-faint tabular-nums">
        {countText(merged)} of {plural(tasks.length, "task")} merged
      </span>
    </div>
  );
}

function TaskRow({ task, titles }: { task: TeamTask; titles: ReadonlyMap<string, string> }) {
  const { state, domain, member, requirements, files, gate, checks, reason, attempts, runIds, dependsOn, round } = task;
  const runId = runIds.at(-1);
  const isHeld = state === "waiting" && dependsOn.length > 0;
  return (
    <div className="border-b border-line bg-card px-3 py-2 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <TeamTaskBadge state={state} />
        <span className="min-w-0 font-medium">
          <TaskTitle task={task} />
        </span>
        <Requirements ids={requirements} />
        {round !== undefined && <span className="text-xs text-warn">Repair, round {round}</span>}
        {gate !== undefined && (
          <Link to="/gates/$gateId" params={{ gateId: gate.id }} title="Open the gate report">
            <VerdictBadge state="finished" verdict={gate.verdict} />
          </Link>
        )}
      </div>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-faint">
        <span>{DOMAIN_WORDS[domain]}</span>
        {member !== undefined && <bdi>{visibleLine(member)}</bdi>}
        {runId !== undefined && (
          <Link to="/runs/$runId" params={{ runId }} className="text-accent underline">
            {attempts > 1 ? `Run ${attempts}` : "Run"}
          </Link>
        )}
        {isHeld && (
          <span className="inline-flex min-w-0 items-center gap-0.5">
            <Hourglass size={12} aria-hidden className="shrink-0" />
            <bdi className="wrap-anywhere">
              after {dependsOn.map((key) => visibleLine(titles.get(key) ?? key)).join(", ")}
            </bdi>
          </span>
        )}
        {checks !== undefined && (
          <span
            className={checks.verdict === "fail" ? "text-bad" : ""}
            title={checks.checks.map(checkLine).map(visibleLine).join("\n")}
          >
            {checksText(checks)}
          </span>
        )}
        <FileNames files={files} />
      </p>
      {reason !== undefined && !isHeld && (
        <p
          dir="auto"
          className={`text-xs wrap-anywhere ${state === "failed" || state === "blocked" ? "text-bad" : "text-faint"}`}
        >
          {visibleLine(reason)}
        </p>
      )}
    </div>
  );
}
