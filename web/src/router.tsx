import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from "@tanstack/react-router";
import { NowPage } from "./pages/now/now-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { buttonLook } from "./ui/button.tsx";
import { Page } from "./ui/page.tsx";
import { Empty, Trouble } from "./ui/states.tsx";

/** What an address may say after the question mark, on any page: `task` opens the drawer of a task of the page's project. */
interface Search {
  task?: string | undefined;
  q?: string | undefined;
  view?: string | undefined;
}

const text = (value: unknown) =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;

const root = createRootRoute({
  component: Shell,
  validateSearch: (search: Record<string, unknown>): Search & Record<string, unknown> => ({
    ...search,
    task: text(search.task),
    q: text(search.q),
    view: text(search.view),
  }),
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => (
    <div className="p-6">
      <Trouble error={error} retry={() => location.reload()} />
    </div>
  ),
});

const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

const project = createRoute({
  ...at("projects/$id"),
  component: lazyRouteComponent(() => import("./pages/project/project-page.tsx")),
});
const inProject = <const Path extends string>(path: Path) => ({ getParentRoute: () => project, path });

const tree = root.addChildren([
  createRoute({ ...at("/"), component: NowPage }),
  createRoute({ ...at("projects"), component: lazyRouteComponent(() => import("./pages/projects/projects-page.tsx")) }),
  project.addChildren([
    createRoute({ ...inProject("/"), component: lazyRouteComponent(() => import("./pages/project/overview.tsx")) }),
    createRoute({ ...inProject("board"), component: lazyRouteComponent(() => import("./pages/board/board-page.tsx")) }),
    createRoute({ ...inProject("runs"), component: lazyRouteComponent(() => import("./pages/project/runs-tab.tsx")) }),
    createRoute({ ...inProject("team"), component: lazyRouteComponent(() => import("./pages/project/team.tsx")) }),
    createRoute({ ...inProject("memory"), component: lazyRouteComponent(() => import("./pages/project/memory.tsx")) }),
    createRoute({
      ...inProject("knowledge"),
      component: lazyRouteComponent(() => import("./pages/project/knowledge.tsx")),
    }),
    createRoute({ ...inProject("skills"), component: lazyRouteComponent(() => import("./pages/project/skills.tsx")) }),
    createRoute({
      ...inProject("artifacts"),
      component: lazyRouteComponent(() => import("./pages/project/artifacts.tsx")),
    }),
    createRoute({
      ...inProject("context"),
      component: lazyRouteComponent(() => import("./pages/project/context.tsx")),
    }),
    createRoute({ ...inProject("talk"), component: lazyRouteComponent(() => import("./pages/chat/project-talk.tsx")) }),
    createRoute({
      ...inProject("settings"),
      component: lazyRouteComponent(() => import("./pages/project/settings.tsx")),
    }),
  ]),
  createRoute({ ...at("runs"), component: lazyRouteComponent(() => import("./pages/run/runs-page.tsx")) }),
  createRoute({ ...at("runs/$runId"), component: lazyRouteComponent(() => import("./pages/run/run-page.tsx")) }),
  createRoute({ ...at("roles"), component: lazyRouteComponent(() => import("./pages/roles/roles-page.tsx")) }),
  createRoute({ ...at("roles/$roleId"), component: lazyRouteComponent(() => import("./pages/roles/role-page.tsx")) }),
  createRoute({
    ...at("knowledge"),
    component: lazyRouteComponent(() => import("./pages/knowledge/knowledge-page.tsx")),
  }),
  createRoute({ ...at("costs"), component: lazyRouteComponent(() => import("./pages/costs/costs-page.tsx")) }),
  createRoute({ ...at("activity"), component: lazyRouteComponent(() => import("./pages/activity/activity-page.tsx")) }),
  createRoute({ ...at("search"), component: lazyRouteComponent(() => import("./pages/search/search-page.tsx")) }),
  createRoute({ ...at("settings"), component: lazyRouteComponent(() => import("./pages/settings/settings-page.tsx")) }),
]);

export const router = createRouter({ routeTree: tree, defaultPreload: "intent", scrollRestoration: false });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty
        title="There is nothing at this address."
        action={
          <Link to="/" className={buttonLook()}>
            To what happens now
          </Link>
        }
      />
    </Page>
  );
}
