import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PortfolioProject } from "../../../../src/contract/documents/autonomy/portfolio.ts";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Ago, Money, plural } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Card } from "../../ui/page.tsx";
import { ProjectBadge } from "../../ui/run/status.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";

/** Every project with its goals and initiatives: what is ready, blocked and running. */
export default function PortfolioView() {
  const found = useQuery(queries.portfolio());
  return (
    <Loaded query={found}>
      {({ projects }) =>
        projects.length === 0 ? (
          <Empty title="No projects yet." />
        ) : (
          <ul aria-label="Portfolio" className="flex flex-col gap-3">
            {projects.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function ProjectCard({ project }: { project: PortfolioProject }) {
  const { id, name, status, autonomy, goals, initiatives, tasks, escalations, running, spent, activeAt } = project;
  const open = escalations.draft + escalations.pending;
  const atWork = running.leads + running.teams + running.runs;
  return (
    <li>
      <Card className="flex flex-col gap-2 p-4">
        <div className="flex flex-wrap items-center gap-2">
          <Link to="/projects/$id" params={{ id }} className="font-medium hover:underline">
            <bdi>{name}</bdi>
          </Link>
          {status !== "active" && <ProjectBadge status={status} />}
          {autonomy !== "off" && <Badge tone="info">orchestrator: {autonomy}</Badge>}
          <span className="ml-auto text-xs text-faint">
            {atWork > 0 ? `${atWork} running` : <Ago at={activeAt} />} · today <Money usd={spent.todayUsd} />
          </span>
        </div>
        {goals.length > 0 && (
          <p className="text-sm text-faint">
            <bdi>{goals.join(" · ")}</bdi>
          </p>
        )}
        <p className="text-sm">
          {tasks.done} of {tasks.total} tasks done · {tasks.ready} ready · {tasks.blocked} blocked ·{" "}
          {plural(open, "open question")}
        </p>
        {initiatives.length > 0 && (
          <ul aria-label={`Initiatives of ${name}`} className="divide-y divide-line border-t border-line text-sm">
            {initiatives.map((one) => (
              <li key={one.slug} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
                <bdi className="min-w-0 flex-1 basis-48 truncate">{one.title}</bdi>
                <Meter
                  value={one.tasks.done}
                  max={Math.max(1, one.tasks.total)}
                  label={`${one.tasks.done} of ${one.tasks.total} tasks done`}
                />
                <span className="text-xs text-faint">
                  {one.tasks.done}/{one.tasks.total} ·{" "}
                  {one.lead?.status ?? (one.status === "paused" ? "paused" : one.state)}
                  {one.escalations.length > 0 && ` · ${one.escalations.length} open`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </li>
  );
}
