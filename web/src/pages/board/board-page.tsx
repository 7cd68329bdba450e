import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Columns3, List, Play, Plus, TriangleAlert } from "lucide-react";
import { useDeferredValue, useMemo, useRef } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { Problem } from "../../../../src/contract/problem.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { oneOf } from "../../api/address.ts";
import { call } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { useKeys } from "../../shell/keys.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { tell, tellFailure } from "../../ui/toasts.tsx";
import { Board } from "./board.tsx";
import { BOARD_VIEWS, type BoardView, useBoardMemory } from "./board-memory.ts";
import { FilterBar } from "./filter-bar.tsx";
import { facetsOf, filtersIn, matching } from "./filtering.ts";
import { TaskList } from "./task-list.tsx";
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
    team: (taskId) => showPanel("start-team", { projectId: id, taskId }),
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
  const search = useSearch({ strict: false });
  const { view: kept, columns, keep } = useBoardMemory(projectId);
  const view = oneOf(BOARD_VIEWS, search.view) ?? kept;
  const { status, ...rest } = filtersIn(search);
  // A board shows the statuses as its columns.
  const filters = view === "list" ? { ...rest, status } : rest;
  const navigate = useNavigate();
  const setView = (chosen: BoardView) => {
    keep({ view: chosen });
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, view: chosen }),
      replace: true,
    });
  };
  useKeys({ v: () => setView(view === "list" ? "board" : "list") });
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
  const isList = view === "list";
  return (
    <>
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <FilterBar {...{ filters, facets, input, isList }} shown={wanted.length} all={cards.length} />
        </div>
        <ViewSwitch view={view} onView={setView} />
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
      {isList ? (
        <TaskList projectId={projectId} cards={shown} acts={acts} />
      ) : (
        <Board
          {...{ projectId, acts }}
          cards={shown}
          chosen={columns}
          onChoose={(chosen) => keep({ columns: chosen })}
        />
      )}
    </>
  );
}

const VIEWS = [
  { view: "board", name: "Board", icon: Columns3 },
  { view: "list", name: "List", icon: List },
] as const;

function ViewSwitch({ view, onView }: { view: BoardView; onView: (view: BoardView) => void }) {
  return (
    <fieldset className="flex h-8 rounded-md border border-line bg-card p-0.5" title="Press v">
      <legend className="sr-only">View</legend>
      {VIEWS.map(({ view: each, name, icon: Icon }) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === view}
          onClick={() => onView(each)}
          className="flex items-center gap-1.5 rounded px-2 text-sm text-faint hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          <Icon size={14} aria-hidden />
          <span className="max-sm:sr-only">{name}</span>
        </button>
      ))}
    </fieldset>
  );
}

function NoTasks({ acts }: { acts: BoardActs }) {
  return (
    <Empty
      title="No tasks yet."
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
      Add a task and start an agent on it, or describe the work and start an agent right away.
    </Empty>
  );
}

async function stopRunOf(projectId: string, taskId: string): Promise<void> {
  try {
    const { runs } = await call("listRuns", { query: { project: projectId, task: taskId, limit: 20 } });
    const running = runs.filter((run) => !isOver(run));
    if (running.length === 0) return tell(`No agent is running on ${taskId}.`);
    for (const { id } of running) await call("stopRun", { params: { runId: id } });
    tell(`Stopped the agent on ${taskId}.`);
  } catch (error) {
    tellFailure(error);
  }
}

/** Task files that cannot be read: they are not on the board until a person fixes them. */
function InvalidFiles({ invalid }: { invalid: readonly Problem[] }) {
  if (invalid.length === 0) return null;
  return (
    <details className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      <summary className="font-medium text-warn">
        <TriangleAlert size={14} aria-hidden className="mr-1.5 inline" />
        {plural(invalid.length, "task file")} can't be read
      </summary>
      <ScrollBox label="Unreadable files" className="mt-2 max-h-48">
        <ProblemList problems={invalid} />
      </ScrollBox>
    </details>
  );
}
