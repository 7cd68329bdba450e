import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { type Said, saidIn, searchText } from "./api/address.ts";
import { code } from "./api/code.ts";
import { NowPage } from "./pages/now/now-page.tsx";
import type { LIBRARY, SETTINGS, TABS, WORK } from "./pages/project/sections.ts";
import { LibraryTab, SettingsTab, WorkTab } from "./pages/project/sub-tabs.tsx";
import { Shell } from "./shell/shell.tsx";
import { buttonLook } from "./ui/button.tsx";
import { Coming } from "./ui/later.tsx";
import { Page } from "./ui/page.tsx";
import { Empty, Trouble } from "./ui/states.tsx";

const root = createRootRoute({
  component: Shell,
  // Each page takes what has a meaning there; on any page of a project, `task` opens the drawer of that task.
  validateSearch: (search: Record<string, unknown>): Said => saidIn(searchText(search)),
  notFoundComponent: NotFound,
  errorComponent: BrokenPage,
});

/** TanStack's own would, where the code is not to be had, load the whole page anew: while the daemon is away, into nothing. */
const later: typeof lazyRouteComponent = (load) => lazyRouteComponent(code(load));

const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

const project = createRoute({
  ...at("projects/$id"),
  component: later(() => import("./pages/project/project-page.tsx")),
});
const inProject = <const Path extends string>(path: Path) => ({ getParentRoute: () => project, path });

const library = createRoute({ ...inProject("library"), component: LibraryTab });
const inLibrary = <const Path extends string>(path: Path) => ({ getParentRoute: () => library, path });
const work = createRoute({ ...inProject("work"), component: WorkTab });
const inWork = <const Path extends string>(path: Path) => ({ getParentRoute: () => work, path });
const settings = createRoute({ ...inProject("settings"), component: SettingsTab });
const inSettings = <const Path extends string>(path: Path) => ({ getParentRoute: () => settings, path });

type Section = (typeof LIBRARY | typeof SETTINGS | typeof TABS | typeof WORK)[number]["to"];

/** Bookmarks and links of before lead to where it is now, with what they say after the question mark. */
const moved = (to: Section) => ({
  beforeLoad: ({ params, search }: { params: { id: string }; search: Said }) => {
    throw redirect({ to, params, search, replace: true });
  },
});

const tree = root.addChildren([
  createRoute({ ...at("/"), component: NowPage }),
  createRoute({ ...at("inbox"), component: later(() => import("./pages/inbox/inbox-page.tsx")) }),
  createRoute({ ...at("projects"), component: later(() => import("./pages/projects/projects-page.tsx")) }),
  project.addChildren([
    createRoute({ ...inProject("/"), component: later(() => import("./pages/project/overview.tsx")) }),
    createRoute({
      ...inProject("initiatives/$slug"),
      component: later(() => import("./pages/project/initiative-page.tsx")),
    }),
    createRoute({ ...inProject("board"), component: later(() => import("./pages/board/board-page.tsx")) }),
    work.addChildren([
      createRoute({ ...inWork("/"), component: later(() => import("./pages/project/runs-tab.tsx")) }),
      createRoute({ ...inWork("teams"), component: later(() => import("./pages/project/teams-tab.tsx")) }),
      createRoute({ ...inWork("gates"), component: later(() => import("./pages/project/gates/gates-tab.tsx")) }),
    ]),
    createRoute({ ...inProject("talk"), component: later(() => import("./pages/chat/project-talk.tsx")) }),
    library.addChildren([
      createRoute({ ...inLibrary("/"), ...moved("/projects/$id/library/memory") }),
      createRoute({ ...inLibrary("memory"), component: later(() => import("./pages/project/documents/memory.tsx")) }),
      createRoute({
        ...inLibrary("knowledge"),
        component: later(() => import("./pages/project/knowledge/knowledge.tsx")),
      }),
      createRoute({ ...inLibrary("skills"), component: later(() => import("./pages/project/skills/skills.tsx")) }),
      createRoute({
        ...inLibrary("artifacts"),
        component: later(() => import("./pages/project/documents/artifacts.tsx")),
      }),
      createRoute({ ...inLibrary("context"), component: later(() => import("./pages/project/documents/context.tsx")) }),
    ]),
    settings.addChildren([
      createRoute({ ...inSettings("/"), component: later(() => import("./pages/project/settings/settings.tsx")) }),
      createRoute({ ...inSettings("roles"), component: later(() => import("./pages/project/team/team.tsx")) }),
      createRoute({
        ...inSettings("gates"),
        component: later(() => import("./pages/project/settings/gate-settings.tsx")),
      }),
      createRoute({
        ...inSettings("triggers"),
        component: later(() => import("./pages/project/settings/triggers.tsx")),
      }),
    ]),
    createRoute({ ...inProject("runs"), ...moved("/projects/$id/work") }),
    createRoute({ ...inProject("team"), ...moved("/projects/$id/settings/roles") }),
    createRoute({ ...inProject("memory"), ...moved("/projects/$id/library/memory") }),
    createRoute({ ...inProject("knowledge"), ...moved("/projects/$id/library/knowledge") }),
    createRoute({ ...inProject("skills"), ...moved("/projects/$id/library/skills") }),
    createRoute({ ...inProject("artifacts"), ...moved("/projects/$id/library/artifacts") }),
    createRoute({ ...inProject("context"), ...moved("/projects/$id/library/context") }),
  ]),
  createRoute({ ...at("teams"), component: later(() => import("./pages/teams/teams-page.tsx")) }),
  createRoute({ ...at("teams/$teamId"), component: later(() => import("./pages/teams/team-page.tsx")) }),
  createRoute({ ...at("runs"), component: later(() => import("./pages/runs/runs-page.tsx")) }),
  createRoute({ ...at("runs/$runId"), component: later(() => import("./pages/run/run-page.tsx")) }),
  createRoute({ ...at("gates/$gateId"), component: later(() => import("./pages/gate/gate-page.tsx")) }),
  createRoute({
    ...at("integration-checks/$checkId"),
    component: later(() => import("./pages/gate/integration-page.tsx")),
  }),
  createRoute({ ...at("roles"), component: later(() => import("./pages/roles/roles-page.tsx")) }),
  createRoute({ ...at("roles/$roleId"), component: later(() => import("./pages/roles/role-page.tsx")) }),
  createRoute({ ...at("knowledge"), component: later(() => import("./pages/knowledge/knowledge-page.tsx")) }),
  createRoute({ ...at("costs"), component: later(() => import("./pages/costs/costs-page.tsx")) }),
  createRoute({ ...at("activity"), component: later(() => import("./pages/activity/activity-page.tsx")) }),
  createRoute({ ...at("search"), component: later(() => import("./pages/search/search-page.tsx")) }),
  createRoute({ ...at("settings"), component: later(() => import("./pages/settings/settings-page.tsx")) }),
  createRoute({
    ...at("settings/permissions"),
    component: later(() => import("./pages/settings/permissions/permissions-page.tsx")),
  }),
  createRoute({
    ...at("settings/hooks"),
    component: later(() => import("./pages/settings/hooks/hooks-page.tsx")),
  }),
  createRoute({
    ...at("settings/triggers"),
    component: later(() => import("./pages/settings/triggers/triggers-page.tsx")),
  }),
  createRoute({
    ...at("settings/orchestrator"),
    component: later(() => import("./pages/settings/orchestrator/orchestrator-page.tsx")),
  }),
  createRoute({
    ...at("settings/gates"),
    component: later(() => import("./pages/settings/gates/hall-gates-page.tsx")),
  }),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  scrollRestoration: false,
  parseSearch: saidIn,
  stringifySearch: searchText,
  defaultPendingComponent: ComingPage,
  defaultPendingMinMs: 0,
  defaultErrorComponent: BrokenPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function ComingPage() {
  return (
    <div className="p-6">
      <Coming />
    </div>
  );
}

function BrokenPage({ error }: { error: unknown }) {
  return (
    <div className="p-6">
      <Trouble error={error} retry={() => location.reload()} />
    </div>
  );
}

function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        title="This page doesn't exist."
        action={
          <Link to="/" className={buttonLook()}>
            Back to Now
          </Link>
        }
      />
    </Page>
  );
}
