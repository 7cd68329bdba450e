import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Play, Plus, TriangleAlert } from "lucide-react";
import { useDeferredValue, useMemo, useRef } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { Problem } from "../../../../src/contract/problem.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { call } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { tell, tellFailure } from "../../ui/toasts.tsx";
import { Board } from "./board.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { facetsOf, filtersIn, matching } from "./filtering.ts";
import type { BoardActs } from "./use-board-keys.ts";

export default function BoardPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const navigate = useNavigate();
  const cards = useQuery(queries.cards(id));
  const filter = useRef<HTMLInputElement>(null);
  const acts: BoardActs = {
    open: (task) => void navigate({ to: ".", search: (before: Record<string, unknown>) => ({ ...before, task }) }),
    create: () => showPanel("new-task", { projectId: id }),
    spawn: (taskId) => showPanel("start-agent", { projectId: id, taskId }),
    stop: (taskId) => void stopRunOf(id, taskId),
    filter: () => filter.current?.focus(),
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Loaded query={cards} loading={<Loading lines={8} label="Loading the board" />}>
        {(data) => <Filtered {...data} projectId={id} acts={acts} input={filter} />}
      </Loaded>
    </div>
  );
}

interface FilteredProps {
  projectId: string;
  cards: readonly TaskCard[];
  invalid: readonly Problem[];
  acts: BoardActs;
  input: React.RefObject<HTMLInputElement | null>;
}

function Filtered({ projectId, cards, invalid, acts, input }: FilteredProps) {
  const filters = filtersIn(useSearch({ strict: false }));
  const key = JSON.stringify(filters);
  const facets = useMemo(() => facetsOf(cards), [cards]);
  const wanted = useMemo(() => matching(cards, JSON.parse(key) as typeof filters), [cards, key]);
  const shown = useDeferredValue(wanted);
  if (cards.length === 0)
    return (
      <>
        <InvalidFiles invalid={invalid} />
        <NoTasks acts={acts} />
      </>
    );
  return (
    <>
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <FilterBar filters={filters} facets={facets} shown={wanted.length} all={cards.length} input={input} />
        </div>
        <Button onClick={() => acts.spawn()} title="Press s">
          <Play size={14} aria-hidden />
          Start an agent
        </Button>
        <Button kind="primary" onClick={acts.create} title="Press c">
          <Plus size={14} aria-hidden />
          New task
        </Button>
      </div>
      <InvalidFiles invalid={invalid} />
      <Board projectId={projectId} cards={shown} acts={acts} />
    </>
  );
}

function NoTasks({ acts }: { acts: BoardActs }) {
  return (
    <Empty
      title="There are no tasks yet."
      action={
        <>
          <Button onClick={() => acts.spawn()} title="Press s">
            <Play size={14} aria-hidden />
            Start an agent
          </Button>
          <Button kind="primary" onClick={acts.create} title="Press c">
            <Plus size={14} aria-hidden />
            New task
          </Button>
        </>
      }
    >
      A task says what is to be done and how to see that it is done. It is a Markdown file in the project's folder; what
      you change there shows here.
    </Empty>
  );
}

async function stopRunOf(projectId: string, taskId: string): Promise<void> {
  try {
    const { runs } = await call("listRuns", { query: { project: projectId, task: taskId, limit: 20 } });
    const running = runs.filter((run) => !isOver(run));
    if (running.length === 0) return tell(`Nobody is at work on ${taskId}.`);
    for (const { id } of running) await call("stopRun", { params: { runId: id } });
    tell(`Stopped the agent of ${taskId}.`);
  } catch (error) {
    tellFailure(error);
  }
}

/** Files of tasks that cannot be read: they stand nowhere on the board until a person mends them. */
function InvalidFiles({ invalid }: { invalid: readonly Problem[] }) {
  if (invalid.length === 0) return null;
  return (
    <details className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      <summary className="font-medium text-warn">
        <TriangleAlert size={14} aria-hidden className="mr-1.5 inline" />
        {plural(invalid.length, "task file")} cannot be read
      </summary>
      <ScrollBox label="Files that cannot be read" className="mt-2 max-h-48">
        <ProblemList problems={invalid} />
      </ScrollBox>
    </details>
  );
}
