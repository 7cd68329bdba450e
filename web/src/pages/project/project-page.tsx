import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronLeft, FolderOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ProjectView } from "../../../../src/contract/routes/project-routes.ts";
import { queries } from "../../api/queries.ts";
import { useKeys } from "../../shell/keys.ts";
import { usePageTitle } from "../../ui/page.tsx";
import { ProjectBadge } from "../../ui/run/status.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { keepLastProject } from "../task/last-project.ts";
import { OpenTask } from "../task/open-task.tsx";
import { FolderNotice } from "./folder-notice.tsx";
import { AtRest, ProjectActions } from "./project-actions.tsx";
import { useProjectId } from "./project-id.ts";
import { TABS } from "./sections.ts";

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
        <nav aria-label="Breadcrumb" className="text-xs text-faint">
          <Link to="/projects" className="inline-flex items-center gap-0.5 py-0.5 hover:underline">
            <ChevronLeft size={12} aria-hidden className="-ml-0.5" />
            Projects
          </Link>
        </nav>
        <div className="flex flex-wrap items-center gap-x-2">
          <h1 className="min-w-0 text-xl font-semibold">
            <bdi>{project.name}</bdi>
          </h1>
          <ProjectBadge status={project.status} />
        </div>
        {project.workdir !== undefined && (
          <p className="flex items-center gap-1.5 text-xs text-faint" title="Working folder">
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
  const navigate = useNavigate();
  const going = TABS.map(({ to }, at) => [String(at + 1), () => void navigate({ to, params: { id } })] as const);
  useKeys(Object.fromEntries(going));
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
      {TABS.map(({ to, name }, at) => (
        <Link
          key={to}
          to={to}
          params={{ id }}
          title={`Press ${at + 1}`}
          activeOptions={{ exact: to === "/projects/$id", includeSearch: false }}
          className="-mb-px shrink-0 border-b-2 border-transparent px-2.5 py-2 text-sm text-faint outline-offset-[-2px] hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
