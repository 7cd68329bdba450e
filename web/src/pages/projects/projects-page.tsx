import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import type { RouteResponse } from "../../../../src/contract/routes/routes.ts";
import { oneOf, wordsOf } from "../../api/address.ts";
import { code } from "../../api/code.ts";
import { queries } from "../../api/queries.ts";
import { showPanel } from "../../shell/panels.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { countText, plural } from "../../ui/figures.tsx";
import { Page } from "../../ui/page.tsx";
import { projectWords } from "../../ui/run/status.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { SubTabs, subTabLook } from "../../ui/sub-tabs.tsx";
import { ProjectList } from "./project-list.tsx";
import { countByStatus, matching, ORDERS, type Order, ordered, type ProjectRow, projectRows } from "./project-rows.ts";

const PortfolioView = lazy(code(() => import("./portfolio-view.tsx")));
const PORTFOLIO = "portfolio";
const EXACT = { exact: true, includeSearch: true } as const;

type Listed = RouteResponse<"listProjects">;

export default function ProjectsPage() {
  const projects = useQuery(queries.projects());
  const isPortfolio = useSearch({ strict: false }).view === PORTFOLIO;
  return (
    <Page
      title="Projects"
      lead={projects.data && summaryOf(projects.data)}
      actions={
        <Button kind="primary" onClick={() => showPanel("new-project")}>
          <Plus size={16} aria-hidden />
          New project
        </Button>
      }
    >
      {projects.data?.projects.length !== 0 && <Views />}
      {isPortfolio && (
        <Suspense fallback={<Loading lines={6} />}>
          <PortfolioView />
        </Suspense>
      )}
      <Loaded query={projects}>
        {(listed) =>
          isPortfolio ? null : listed.projects.length === 0 ? <NoProjects /> : <Projects listed={listed} />
        }
      </Loaded>
    </Page>
  );
}

function Views() {
  return (
    <SubTabs label="Views of projects">
      <Link to="/projects" activeOptions={EXACT} className={subTabLook}>
        List
      </Link>
      <Link to="/projects" search={{ view: PORTFOLIO }} activeOptions={{ includeSearch: true }} className={subTabLook}>
        Portfolio
      </Link>
    </SubTabs>
  );
}

function summaryOf({ projects, nextCursor }: Listed): string {
  if (nextCursor !== undefined) return `The first ${countText(projects.length)} projects`;
  const active = projects.filter(({ status }) => status === "active").length;
  return `${plural(projects.length, "project")}, ${countText(active)} active`;
}

function NoProjects() {
  return (
    <Empty
      title="No projects yet."
      action={
        <Button kind="primary" onClick={() => showPanel("new-project")}>
          New project
        </Button>
      }
    >
      A project is a folder with code, a task board and a team of roles.
    </Empty>
  );
}

/** Midnight of the day that the daemon counts costs by. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function useRows({ projects }: Listed): ProjectRow[] {
  const running = useQuery(queries.runs({ status: "running", limit: 1_000 })).data?.runs;
  const overall = useQuery(queries.costs({ by: "project" })).data?.rows;
  const ofToday = useQuery(queries.costs({ by: "project", since: today() })).data?.rows;
  return projectRows({ projects, running, overall, today: ofToday });
}

function Projects({ listed }: { listed: Listed }) {
  const rows = useRows(listed);
  const { q = "", view: wanted } = useSearch({ strict: false });
  const view = oneOf(wordsOf(projectWords), wanted) ?? "all";
  const [order, setOrder] = useState<Order>("activity");
  const text = useDeferredValue(q);
  const shown = ordered(matching(rows, { text, status: view }), order);
  return (
    <>
      <Filter rows={rows} text={q} status={view} order={order} onOrder={setOrder} />
      {shown.length === 0 ? <Empty title="No projects match these filters." /> : <ProjectList rows={shown} />}
    </>
  );
}

interface FilterProps {
  rows: readonly ProjectRow[];
  text: string;
  status: string;
  order: Order;
  onOrder: (order: Order) => void;
}

function Filter({ rows, text, status, order, onOrder }: FilterProps) {
  const navigate = useNavigate();
  const counts = countByStatus(rows);
  const choose = (change: { q?: string; view?: string }) => {
    const { q, view } = { q: text, view: status, ...change };
    const search = { ...(q === "" ? {} : { q }), ...(view === "all" ? {} : { view }) };
    void navigate({ to: "/projects", search, replace: true });
  };
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <TextField
          type="search"
          label="Filter by text"
          hideLabel
          placeholder="Filter by name or description"
          value={text}
          onChange={({ target }) => choose({ q: target.value })}
        />
      </div>
      <SelectField label="Status" hideLabel value={status} onChange={({ target }) => choose({ view: target.value })}>
        <option value="all">All ({counts.get("all")})</option>
        {Object.entries(projectWords).map(([key, word]) => (
          <option key={key} value={key} disabled={!counts.has(key)}>
            {word} ({counts.get(key) ?? 0})
          </option>
        ))}
      </SelectField>
      <SelectField label="Sort" hideLabel value={order} onChange={({ target }) => onOrder(target.value as Order)}>
        {Object.entries(ORDERS).map(([key, word]) => (
          <option key={key} value={key}>
            By {word.toLowerCase()}
          </option>
        ))}
      </SelectField>
    </search>
  );
}
