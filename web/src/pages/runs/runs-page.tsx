import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { dayText } from "../../ui/figures.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { RunRows } from "../../ui/run/run-row.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { filterOf, type RunFilter, RunsFilter, searchOf } from "./runs-filter.tsx";
import StopEverything from "./stop-everything.tsx";

const PAGE = 50;

export default function RunsPage() {
  const filter = filterOf(useSearch({ strict: false }));
  const { before, ...asked } = filter;
  const runs = useQuery({
    ...queries.runs({ ...asked, limit: PAGE, ...(before === undefined ? {} : { cursor: before }) }),
    placeholderData: (known) => known,
  });
  if (before !== undefined && runs.isError && failureOf(runs.error).code === "invalid")
    return <Navigate to="/runs" search={searchOf(asked)} replace />;
  return (
    <Page title="Runs" actions={<StopEverything />}>
      <RunsFilter filter={filter} />
      <Loaded query={runs}>
        {(page) =>
          page.runs.length === 0 ? (
            <NoRuns filter={filter} />
          ) : (
            <div className="flex flex-col gap-5">
              {byDay(page.runs, new Date()).map(({ day, runs: ofDay }) => (
                <Section key={day} title={day} count={ofDay.length}>
                  <RunRows runs={ofDay.map(runLine)} label={`Runs on ${day}`} />
                </Section>
              ))}
              <Pages filter={filter} next={page.nextCursor} />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function Pages({ filter, next }: { filter: RunFilter; next: string | undefined }) {
  if (next === undefined && filter.before === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex justify-center gap-2">
      {filter.before !== undefined && (
        <Link to="/runs" search={searchOf({ ...filter, before: undefined })} className={buttonLook()}>
          Newest
        </Link>
      )}
      {next !== undefined && (
        <Link to="/runs" search={searchOf({ ...filter, before: next })} className={buttonLook()}>
          Older runs
        </Link>
      )}
    </nav>
  );
}

function NoRuns({ filter }: { filter: RunFilter }) {
  const navigate = useNavigate();
  if (Object.values(filter).some((value) => value !== undefined))
    return (
      <Empty
        title="No runs match these filters."
        action={<Button onClick={() => void navigate({ to: "/runs" })}>Clear filters</Button>}
      />
    );
  return (
    <Empty
      title="No runs yet."
      action={
        <Button kind="primary" onClick={() => showPanel("start-agent")}>
          Start an agent
        </Button>
      }
    >
      A run is one agent working on one task.
    </Empty>
  );
}

/** Runs by the day they were asked for, in the order they come. */
function byDay<Item extends Pick<Run, "createdAt">>(runs: readonly Item[], now: Date): { day: string; runs: Item[] }[] {
  const days: { day: string; runs: Item[] }[] = [];
  for (const run of runs) {
    const day = dayText(new Date(run.createdAt), now);
    const last = days.at(-1);
    if (last?.day === day) last.runs.push(run);
    else days.push({ day, runs: [run] });
  }
  return days;
}
