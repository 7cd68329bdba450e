import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageCircle } from "lucide-react";
import type { ReactNode } from "react";
import type { HallEvent } from "../../../../src/contract/event.ts";
import type { ProjectView } from "../../../../src/contract/routes/project-routes.ts";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { queries } from "../../api/queries.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { RunRows } from "../../ui/run/run-row.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { NamesOfEvents, useEventNames } from "../activity/event-names.ts";
import { EventRow } from "../activity/event-row.tsx";
import { ProjectQuestions } from "../inbox/question-list.tsx";
import { TaskBar } from "../projects/task-bar.tsx";
import { Checkpoints } from "./checkpoints.tsx";
import { Initiatives } from "./initiatives.tsx";
import { isFresh, WorkButtons } from "./project-actions.tsx";
import { useProjectId } from "./project-id.ts";

const LAST_RUNS = 6;

/** The project at a glance: how far it is, who is at work, what it is for. */
export default function OverviewTab() {
  const id = useProjectId();
  const found = useQuery(queries.project(id));
  return (
    <Loaded query={found}>
      {({ project }) => (
        <div className="grid min-w-0 items-start gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="flex min-w-0 flex-col gap-5">
            {isFresh(project) && project.status === "active" ? <Begin id={id} /> : <Tasks project={project} />}
            <ProjectQuestions id={id} />
            <Work id={id} />
            <RecentEvents id={id} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <Purpose project={project} />
            <Initiatives id={id} />
            <Checkpoints id={id} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** A project that has nothing to do yet, and the ways to change that. */
function Begin({ id }: { id: string }) {
  return (
    <Empty
      title="What should we work on?"
      action={
        <WorkButtons id={id}>
          <Link to="/projects/$id/talk" params={{ id }} className={buttonLook()}>
            <MessageCircle size={14} aria-hidden />
            Plan it in Talk
          </Link>
        </WorkButtons>
      }
    >
      Add a task, have the project's agent plan the work, or start an agent right away.
    </Empty>
  );
}

function Tasks({ project }: { project: ProjectView }) {
  return (
    <Section
      title="Tasks"
      actions={
        <Link to="/projects/$id/board" params={{ id: project.id }} className={buttonLook({ size: "small" })}>
          Open the board
        </Link>
      }
    >
      <Card className="px-4 py-3">
        <TaskBar counts={project.taskCount} roomy />
      </Card>
    </Section>
  );
}

function Work({ id }: { id: string }) {
  const running = useQuery(queries.runs({ project: id, status: "running", limit: 50 }));
  const last = useQuery(queries.runs({ project: id, limit: 20 }));
  return (
    <>
      <Section title="Running now" count={running.data?.runs.length}>
        <Loaded query={running}>
          {({ runs }) =>
            runs.length === 0 ? (
              <p className="text-sm text-faint">No agents running.</p>
            ) : (
              <RunRows runs={runs.map(runLine)} showProject={false} label="Running now" />
            )
          }
        </Loaded>
      </Section>
      <Section
        title="Recent runs"
        actions={
          <Link to="/projects/$id/work" params={{ id }} className={buttonLook({ size: "small" })}>
            All runs
          </Link>
        }
      >
        <Loaded query={last}>
          {({ runs }) => {
            const over = runs.filter(isOver).slice(0, LAST_RUNS);
            if (over.length === 0) return <p className="text-sm text-faint">No runs yet.</p>;
            return <RunRows runs={over.map(runLine)} showProject={false} label="Recent runs" />;
          }}
        </Loaded>
      </Section>
    </>
  );
}

function Purpose({ project: { id, description, config, model, requiresReview } }: { project: ProjectView }) {
  const { goals, scope, techStack } = config;
  const stack = [...techStack.languages, ...techStack.frameworks, ...techStack.tools];
  const isBare = description === "" && goals.length + scope.in.length + scope.out.length + stack.length === 0;
  return (
    <Section title="About">
      <Card className="flex flex-col gap-3 px-4 py-3 text-sm">
        {isBare && (
          <p className="text-faint">
            No description yet.{" "}
            <Link to="/projects/$id/settings" params={{ id }} className="text-accent underline">
              Add goals
            </Link>
          </p>
        )}
        {description !== "" && <Markdown text={description} />}
        <Points name="Goals" points={goals} />
        <Points name="In scope" points={scope.in} />
        <Points name="Out of scope" points={scope.out} />
        {stack.length > 0 && <Fact name="Built with">{stack.join(", ")}</Fact>}
        {model !== undefined && <Fact name="Model">{model}</Fact>}
        <Fact name="Review before merge">{requiresReview ? "On" : "Off: results merge automatically"}</Fact>
      </Card>
    </Section>
  );
}

function Points({ name, points }: { name: string; points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <div>
      <h3 className="text-xs font-semibold text-faint">{name}</h3>
      <ul className="list-disc pl-4">
        {points.map((point) => (
          <li key={point} dir="auto">
            {point}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="text-xs font-semibold text-faint">{name}</h3>
      <p>{children}</p>
    </div>
  );
}

const LAST_EVENTS = 12;
const NONE: readonly HallEvent[] = [];

/** What happened in the project last. */
function RecentEvents({ id }: { id: string }) {
  const found = useQuery(queries.recentEvents(id, LAST_EVENTS));
  const names = useEventNames(found.data?.events ?? NONE, { project: id, limit: 20 });
  return (
    <Section
      title="Activity"
      actions={
        <Link to="/activity" search={{ project: id }} className={buttonLook({ size: "small" })}>
          All activity
        </Link>
      }
    >
      <Loaded query={found}>
        {({ events }) => (
          <NamesOfEvents value={names}>
            <Card>
              <ol aria-label="Activity" className="px-2">
                {events.toReversed().map((event) => (
                  <li key={event.id} className="[&:last-child>div]:border-b-0">
                    <EventRow event={event} showProject={false} />
                  </li>
                ))}
              </ol>
            </Card>
          </NamesOfEvents>
        )}
      </Loaded>
    </Section>
  );
}
