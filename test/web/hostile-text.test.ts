import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostileMarkup, hostileText } from "../cases/hostile-markup.ts";
import { oddNames } from "../cases/names.ts";
import { go, sharedBrowser, visit } from "../harness/browser.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const IMAGE = "<img src=x onerror=window.hit=1>";

/** The texts in every place where somebody or something can write what pages show. What is refused cannot be shown. */
async function plant(hall: Hall): Promise<string> {
  const at = `/api/projects/${PROJECT}`;
  const playbook = {
    turns: [
      {
        think: hostileText,
        text: hostileText,
        calls: [{ tool: "write", input: { path: "a<img src=x onerror=1>.md", content: hostileText } }],
      },
      { calls: [{ tool: "report", input: { summary: hostileText, outcome: "full" } }] },
      { text: hostileText },
    ],
  };
  await furnish(hall, { hostile: JSON.stringify(playbook) });
  const named = await hall.call("PUT", at, { name: IMAGE, description: hostileText, config: { goals: [IMAGE] } });
  expect(named.status, JSON.stringify(named.body)).toBe(200);
  await hall.call("PUT", "/api/roles/worker", {
    name: IMAGE,
    emoji: "<b>",
    description: hostileText,
    specialty: ["<i>x</i>"],
  });
  await hall.call("POST", `${at}/team`, { roleId: "worker" });
  for (const title of [...hostileMarkup, ...Object.values(oddNames)]) {
    const labels = ["<u>label</u>"];
    await hall.call("POST", `${at}/tasks`, {
      title,
      description: hostileText,
      labels,
      acceptanceCriteria: [IMAGE],
      notes: hostileText,
    });
  }
  await Promise.all([
    hall.call("POST", `${at}/initiatives`, { slug: "x", title: IMAGE }),
    hall.call("POST", "/api/knowledge", { project: PROJECT, text: `${IMAGE} [x](javascript:window.hit=1)` }),
    hall.call("PUT", `${at}/memory/file`, {
      path: "facts/x.md",
      content: `# ${IMAGE}\n\n> Summary: ${IMAGE}\n\n${hostileText}`,
    }),
    hall.call("PUT", `${at}/context`, { path: "x.md", content: hostileText }),
    hall.call("POST", `${at}/artifacts`, { name: "x<svg onload=alert(1)>.md", content: hostileText }),
    hall.call("POST", "/api/chat?wait=10", { text: hostileText }),
    hall.call("POST", `${at}/messages?wait=10`, { text: hostileText }),
  ]);
  const broken = join(hall.workspace, "projects", PROJECT, "TASKS/todo");
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, "TASK-900.md"), `---\nid: TASK-900\ntitle: [${IMAGE}\n---\n${hostileText}`);
  const { body: planted } = await hall.call("GET", `${at}/tasks/TASK-001`);
  expect(planted.task.description).toContain("<script>window.hit=2</script>");
  const run = await spawnRun(hall, "hostile", IMAGE);
  await untilOver(hall, run);
  return run;
}

test("never takes what people, agents and files say for a part of the page", async () => {
  const hall = await startHall();
  const run = await plant(hall);
  const page = await visit(browser(), hall);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(hall.url)) elsewhere.push(request.url());
  });
  const at = `/projects/${PROJECT}`;
  const tabs = [
    "",
    "/board",
    "/board?task=TASK-001",
    "/runs",
    "/talk",
    "/team",
    "/memory",
    "/knowledge",
    "/artifacts",
    "/context",
    "/settings",
  ];
  const views = ["transcript", "timeline", "changes", "prompt", "cost"].map((view) => `/runs/${run}?view=${view}`);
  const paths = [
    "/",
    "/projects",
    ...tabs.map((tab) => at + tab),
    "/runs",
    ...views,
    "/roles",
    "/roles/worker",
    "/costs",
    "/activity",
    "/search?q=img",
    "/settings",
  ];
  for (const path of paths) {
    await go(page, path);
    // A drawer puts the page behind it out of reach, so that it is looked for everywhere.
    const shown = page
      .locator("main, dialog")
      .getByText(/img|worker|Doctor/)
      .locator("visible=true")
      .first();
    await shown.waitFor().catch((error: Error) => {
      throw new Error(`${path}: ${error.message}`);
    });
    expect(await page.evaluate("window.hit"), path).toBeUndefined();
    const planted =
      "img[src=x], iframe, base, main style, main script, [onerror], [onload], [ontoggle], a[href^=javascript]";
    expect(await page.locator(planted).count(), path).toBe(0);
  }
  expect(asked).toEqual([]);
  expect(elsewhere).toEqual([]);
}, 120_000);
