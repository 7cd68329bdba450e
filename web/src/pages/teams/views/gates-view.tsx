import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Team, TeamTask } from "../../../../../src/contract/documents/teams/team.ts";
import { queries } from "../../../api/queries.ts";
import { plural } from "../../../ui/figures.tsx";
import { VerdictBadge, VerdictIcon } from "../../../ui/gate/verdict.tsx";
import { Card, Section } from "../../../ui/page.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { integrationOutcome } from "../../gate/report-words.ts";
import { Windowed } from "../../run/windowed.tsx";

/** How the whole was judged, and the newest verdict on each task. */
export default function GatesView({ team }: { team: Team }) {
  const found = useQuery(queries.teamTasks(team.id));
  return (
    <div className="flex flex-col gap-5">
      {team.checkId !== undefined && <Whole checkId={team.checkId} rounds={team.rounds} />}
      <Loaded query={found}>{({ tasks }) => <Judged tasks={tasks} hasCheck={team.checkId !== undefined} />}</Loaded>
    </div>
  );
}

function Whole({ checkId, rounds }: { checkId: string; rounds: number }) {
  const found = useQuery(queries.integrationCheck(checkId));
  return (
    <Section title="The whole">
      <Loaded query={found}>
        {({ check }) => (
          <Card className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
            <VerdictBadge state={check.state} verdict={check.verdict} />
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{visibleLine(integrationOutcome(check))}</span>
            {rounds > 0 && <span className="text-xs text-faint">{plural(rounds, "repair round")}</span>}
            <Link to="/integration-checks/$checkId" params={{ checkId }} className="text-accent underline">
              Open the integration check
            </Link>
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

type JudgedTask = TeamTask & { gate: NonNullable<TeamTask["gate"]> };

/** What did not pass comes first. */
const ORDER = { fail: 0, unable: 1, pass: 2, skipped: 3 } as const;

function Judged({ tasks, hasCheck }: { tasks: readonly TeamTask[]; hasCheck: boolean }) {
  const judged = useMemo(
    () =>
      tasks
        .filter((task): task is JudgedTask => task.gate !== undefined)
        .sort((a, b) => ORDER[a.gate.verdict] - ORDER[b.gate.verdict]),
    [tasks],
  );
  if (judged.length === 0)
    return hasCheck ? null : (
      <Empty title="Nothing judged yet.">Each result passes the quality gates before it is merged.</Empty>
    );
  return (
    <Section title="Tasks" count={judged.length}>
      <Windowed rows={judged} keyOf={({ key }) => key} estimate={41} label="Judged tasks" above={56}>
        {({ gate, title }) => (
          <div className="flex flex-wrap items-center gap-x-2 border-b border-line bg-card px-3 py-2 text-sm">
            <VerdictIcon verdict={gate.verdict} />
            <Link
              to="/gates/$gateId"
              params={{ gateId: gate.id }}
              data-row
              className="min-w-0 flex-1 wrap-anywhere hover:underline"
            >
              <bdi>{visibleLine(title)}</bdi>
            </Link>
            {gate.score !== null && <span className="tabular-nums text-faint">{Math.round(gate.score * 10) / 10}</span>}
            <VerdictBadge state="finished" verdict={gate.verdict} />
          </div>
        )}
      </Windowed>
    </Section>
  );
}
