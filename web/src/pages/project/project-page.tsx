import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ProjectView } from "../../../../src/contract/routes/project-routes.ts";
import { queries } from "../../api/queries.ts";
import { usePageTitle } from "../../ui/page.tsx";
import { ProjectBadge } from "../../ui/run/status.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { keepLastProject } from "../task/last-project.ts";
import { OpenTask } from "../task/open-task.tsx";
import { FolderNotice } from "./folder-notice.tsx";
import { AtRest, ProjectActions } from "./project-actions.tsx";
import { useProjectId } from "./project-id.ts";

const TABS = [
  { to: "/projects/$id", name: "Overview" },
  { to: "/projects/$id/board", name: "Board" },
  { to: "/projects/$id/runs", name: "Runs" },
  { to: "/projects/$id/talk", name: "Talk" },
  { to: "/projects/$id/team", name: "Team" },
  { to: "/projects/$id/memory", name: "Memory" },
  { to: "/projects/$id/knowledge", name: "Knowledge" },
  { to: "/projects/$id/skills", name: "Skills" },
  { to: "/projects/$id/artifacts", name: "Artifacts" },
  { to: "/projects/$id/context", name: "Context" },
  { to: "/projects/$id/settings", name: "Settings" },
] as const;

/** One project: who it is, how it stands, and the ways into it. */
export default function ProjectPage() {
  const id = useProjectId();
  const project = useQuery(queries.project(id));
  const isThere = project.isSuccess;
  useEffect(() => {
    if (isThere) keepLastProject(id);
  }, [isThere, id]);
  return (
    <div className="mx-auto flex w-full max-w-400 flex-col gap-4 px-4 py-4 sm:px-6">
      <Loaded query={project} loading={<Loading lines={2} />}>
        {({ project: found }) => (
          <>
            <Head project={found} />
            <Tabs id={id} />
            <AtRest project={found} />
            {found.workdir !== undefined && <FolderNotice id={id} />}
            <Outlet />
            <OpenTask projectId={id} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Head({ project }: { project: ProjectView }) {
  usePageTitle(project.name);
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <nav aria-label="Where this is" className="text-xs text-faint">
          <Link to="/projects" className="inline-block py-0.5 hover:underline">
            Projects
          </Link>{" "}
          / <bdi>{project.id}</bdi>
        </nav>
        <div className="flex flex-wrap items-center gap-x-2">
          <h1 className="min-w-0 text-xl font-semibold">
            <bdi>{project.name}</bdi>
          </h1>
          <ProjectBadge status={project.status} />
        </div>
        {project.workdir !== undefined && (
          <p className="flex items-center gap-1.5 text-xs text-faint" title="The folder in which agents work">
            <FolderOpen size={14} className="shrink-0" aria-hidden />
            <code className="min-w-0 truncate">{project.workdir}</code>
          </p>
        )}
      </div>
      <ProjectActions project={project} />
    </header>
  );
}

function Tabs({ id }: { id: string }) {
  const strip = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab that is open is another one when the address is
  useEffect(() => {
    strip.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav
      ref={strip}
      aria-label="Project"
      className="-mx-4 flex overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:-mx-6 sm:px-6"
    >
      {TABS.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          params={{ id }}
          activeOptions={{ exact: true, includeSearch: false }}
          className="-mb-px shrink-0 border-b-2 border-transparent px-2.5 py-2 text-sm text-faint outline-offset-[-2px] hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
