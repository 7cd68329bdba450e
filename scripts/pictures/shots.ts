import type { Page } from "playwright-core";
import type { Client } from "../../src/cli/http/client.ts";
import type { Shot } from "./camera.ts";

/** The runs that pictures are taken of; undefined where the hall has none. */
export interface Chosen {
  project: string;
  role: string;
  task: string;
  review?: string | undefined;
  failed?: string | undefined;
  working?: string | undefined;
  done?: string | undefined;
}

export async function chooseRuns({ call }: Client, project: string): Promise<Chosen> {
  const { review, done } = await call("getNow", {});
  const { runs } = await call("listRuns", { query: { limit: 200 } });
  const inReview = review.find((run) => run.projectId === project) ?? review[0];
  return {
    project,
    role: "coder",
    task: inReview?.projectId === project ? inReview.taskId : "TASK-001",
    review: inReview?.id,
    failed: runs.find(({ status }) => status === "failed")?.id,
    working: runs.find(({ status }) => status === "running")?.id,
    done: done[0]?.id,
  };
}

/** Every page, and what opens over it, by the name of its picture. */
export function everyPage({ project, role, task, review, failed, working, done }: Chosen): Record<string, Shot> {
  const at = `/projects/${project}`;
  const library = ["memory", "knowledge", "skills", "artifacts", "context"];
  const tabs = ["board", "work", "talk", "settings", "settings/roles", ...library.map((part) => `library/${part}`)];
  const views = ["transcript", "timeline", "changes", "prompt", "cost"];
  const run = (name: string, id: string | undefined, view = "") =>
    id === undefined ? {} : { [name]: { path: `/runs/${id}${view}` } };
  return {
    now: { path: "/" },
    inbox: { path: "/inbox" },
    "inbox-entry": { path: "/inbox?id=esc-001" },
    "inbox-resolved": { path: "/inbox?view=resolved" },
    projects: { path: "/projects" },
    "project-overview": { path: at },
    ...Object.fromEntries(tabs.map((tab) => [`project-${tab.replace("/", "-")}`, { path: `${at}/${tab}` }])),
    "project-list": { path: `${at}/board?view=list` },
    task: { path: `${at}/board?task=${task}`, before: opened() },
    spawn: {
      path: `${at}/board?task=TASK-003`,
      before: async (page) => {
        await opened()(page);
        await opened("s")(page);
      },
    },
    runs: { path: "/runs" },
    ...Object.assign({}, ...views.map((view) => run(`run-${view}`, review, `?view=${view}`))),
    ...run("run-failed", failed),
    ...run("run-working", working),
    ...run("run-done", done),
    roles: { path: "/roles" },
    role: { path: `/roles/${role}` },
    knowledge: { path: "/knowledge" },
    costs: { path: "/costs" },
    activity: { path: "/activity" },
    search: { path: "/search?q=checkout" },
    settings: { path: "/settings" },
    permissions: { path: "/settings/permissions" },
    hooks: { path: "/settings/hooks" },
    nowhere: { path: "/nowhere" },
    chat: { path: "/", before: opened("t") },
    palette: { path: "/", before: opened("Control+k") },
    keys: { path: "/", before: opened("?") },
    "new-task": { path: "/", before: opened("c") },
    "start-agent": { path: "/", before: opened("s") },
    more: { path: "/", before: openedMore },
  };
}

/** Waits for what lies over or beside the page, after a key was pressed or by itself. */
function opened(key?: string): (page: Page) => Promise<void> {
  return async (page) => {
    const panels = page.locator("dialog[open], aside[aria-labelledby]").filter({ visible: true });
    const before = key === undefined ? 0 : await panels.count();
    if (key !== undefined) await page.keyboard.press(key);
    await panels.nth(before).waitFor();
  };
}

/** The other pages, which a phone has under More; a desk shows them beside the page. */
async function openedMore(page: Page): Promise<void> {
  const more = page.getByRole("button", { name: "More", exact: true });
  if (!(await more.isVisible())) return;
  await more.click();
  await page.getByRole("dialog", { name: "More" }).waitFor();
}

/** Those of a hall in which nothing is. */
export function emptyPages(): Record<string, Shot> {
  const wanted = [
    "now",
    "inbox",
    "projects",
    "runs",
    "roles",
    "costs",
    "activity",
    "search",
    "settings",
    "permissions",
    "hooks",
    "chat",
    "new-task",
  ];
  const all = everyPage({ project: "none", role: "none", task: "none" });
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
}
