import { expect, onTestFinished, test } from "vitest";
import { barriers, sharedBrowser, signIn, visit } from "../harness/browser.ts";
import { newContext } from "../harness/chromium-browser.ts";
import { eventually } from "../harness/daemon.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { entriesOf, journalOf, listRuns, runOf, spawnRun, untilOver, writePlaybook } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const hall = sharedHall();

const LOGIN = "export function login(): boolean {\n  return true;\n}\n";
const FIX = JSON.stringify({
  turns: [
    {
      think: "It must be in src.",
      text: "I look at the **check**.",
      calls: [{ tool: "read", input: { path: "src/login.ts" } }],
    },
    {
      calls: [
        { tool: "edit", input: { path: "src/login.ts", oldText: "return true;", newText: "return isKnown;" } },
        { tool: "write", input: { path: "src/new.ts", content: "// new\n" } },
      ],
    },
    { calls: [{ tool: "report", input: { summary: "It is compared now.", outcome: "full" } }] },
    { text: "Done." },
  ],
});

const isFocused = (element: Element) => element === element.ownerDocument.activeElement;

const READS = `
role: Reader
turns:
  - calls: [{tool: report, input: {summary: Read it., verdict: request_changes, findings: [{severity: high, file: src/login.ts, line: 2, message: isKnown is nowhere.}]}}]
  - text: Read.
`;

test("a result is seen as a diff, read by a reviewer, returned with comments on lines, and approved as it is shown", {
  timeout: 120_000,
}, async () => {
  const work = repository({ "src/login.ts": LOGIN });
  const config = { constraints: { requireReview: true } };
  await hallOver(hall(), { root: work.root, config, playbooks: { fix: FIX, reads: READS } });
  await hall().call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] });
  const first = await spawnRun(hall(), "fix", "Fix the login");
  await untilOver(hall(), first);
  await hall().call("PUT", "/api/projects/shop/tasks/TASK-001", {
    acceptanceCriteria: ["It is compared", "It is tested"].map((text) => ({ text, done: false })),
  });
  const page = await visit(browser(), hall(), "/runs?review=true");
  await page.getByRole("link", { name: "Fix the login" }).click();
  await page.getByRole("heading", { name: "src/login.ts" }).waitFor();
  await page.getByText("It is compared now.").waitFor();
  await page.getByRole("heading", { name: "src/new.ts" }).waitFor();
  await expect.poll(() => page.locator("mark").allTextContents()).toEqual(["true", "isKnown"]);
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("link", { name: "TASK-001" }).first().click();
  const drawer = page.getByRole("dialog", { name: "TASK-001", exact: true });
  await drawer.getByRole("button", { name: "Start an agent" }).click();
  await page.getByText("This run starts the task over").waitFor();
  const dialog = page.getByRole("dialog", { name: "Start an agent on TASK-001" });
  await dialog.getByLabel("Role", { exact: true }).selectOption("reader");
  await page.getByText("The decision stays with you.").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("region", { name: "Review report" }).getByText("isKnown is nowhere.").waitFor();
  await page.getByRole("link", { name: "review of another run" }).click();
  const says = page
    .getByRole("region", { name: "Review" })
    .getByRole("link", { name: "Reader: Changes requested, 1 finding" });
  await says.waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("checkbox", { name: "It is compared" }).check();
  await page.getByText("1 of 2 met").waitFor();
  // What waits is not passed over without a word.
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog", { name: "Retry this task?" }).getByText("stays on its branch").waitFor();
  await page.keyboard.press("Escape");

  // With the keyboard: to the first change, from the line that went to the one that came, and back from the box.
  await page.keyboard.press("n");
  const gone = page.getByRole("button", { name: "Comment on removed line 2" });
  const line = page.getByRole("button", { name: "Comment on line 2" });
  await eventually(() => gone.evaluate(isFocused), Boolean);
  await page.keyboard.press("ArrowDown");
  await eventually(() => line.first().evaluate(isFocused), Boolean);
  expect(await page.locator("[data-spot][tabindex='0']").count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.keyboard.type("compare the password");
  await page.keyboard.press("Escape");
  await eventually(() => line.first().evaluate(isFocused), Boolean);
  await page.getByRole("button", { name: "Request changes" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(first));
  const second = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(journalOf(hall().workspace, second)[0]).toMatchObject({
    plan: {
      continues: {
        runId: first,
        feedback: "See the comment.",
        comments: [{ id: "C1", file: "src/login.ts", line: 2, text: "compare the password" }],
      },
    },
  });
  await page.getByRole("region", { name: "Your feedback" }).getByText("compare the password").waitFor();
  await untilOver(hall(), second);
  // The view that was shown stays, though the run is to be decided about by now.
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  await page.getByRole("link", { name: "Previous run" }).click();
  await page.getByRole("region", { name: "Changes requested" }).getByText("compare the password").waitFor();
  await page.getByRole("link", { name: "Next run", exact: true }).click();
  await page.waitForURL((url) => url.pathname.endsWith(second));

  // Nothing is decided where nothing is seen: the key leads to the changes first.
  await page.keyboard.press("1");
  await page.getByText("Task: Fix the login").waitFor();
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("heading", { name: "src/login.ts" }).waitFor();
  await page.keyboard.press("a");
  const question = page.getByRole("dialog", { name: "Approve this result?" });
  await question.getByText("1 of 2 acceptance criteria not met").waitFor();
  expect(await question.getByRole("listitem").allTextContents()).toEqual(["It is tested"]);
  await question.getByRole("button", { name: "Approve and merge" }).click();
  await page.getByText("Merged into main.").waitFor();
  expect(work.text("src/login.ts")).toContain("return isKnown;");
  await page.getByRole("button", { name: "Revert" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revert" }).click();
  await page.getByText("Reverted.").first().waitFor();
  expect(work.text("src/login.ts")).toBe(LOGIN);
});

const CLAIM = JSON.stringify({
  turns: [
    { calls: [{ tool: "read", input: { path: "none.ts" } }] },
    { calls: [{ tool: "report", input: { summary: "All is green.", outcome: "full" } }] },
    { text: "Done." },
  ],
});

test("a run that changed nothing says so, waits for nobody, and shows what was seen beside what it says", async () => {
  writePlaybook(hall().workspace, "claim", CLAIM);
  await hall().call("POST", "/api/projects", { id: "inn", name: "Inn" });
  const { root: workdir } = repository({ "a.txt": "a\n" });
  const config = { constraints: { requireReview: true } };
  await hall().call("PUT", "/api/projects/inn", { workdir, config });
  const claimed = await spawnRun(hall(), "claim", "Mend it", { projectId: "inn" });
  expect((await untilOver(hall(), claimed)).calls).toEqual({ total: 2, failed: 1 });
  const page = await visit(browser(), hall(), `/runs/${claimed}`, { width: 390, height: 844 });
  await page.getByText("Verified: no files changed; 1 of 2 tool calls failed").waitFor();
  await page.getByText("No changes", { exact: true }).waitFor();
  expect(await page.getByRole("region", { name: "Review" }).count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
});

test("a result is discarded with a key, restored from the notice and from the page, and what blocks its merge is shown", async () => {
  const work = repository({ "src/login.ts": LOGIN });
  writePlaybook(hall().workspace, "fix", FIX);
  await hall().call("POST", "/api/projects", { id: "mill", name: "Mill" });
  const config = { constraints: { requireReview: true } };
  await hall().call("PUT", "/api/projects/mill", { workdir: work.root, config });
  const id = await spawnRun(hall(), "fix", "Fix the login", { projectId: "mill" });
  await untilOver(hall(), id);
  work.write("src/login.ts", "mine\n");
  const page = await visit(browser(), hall(), `/runs/${id}?view=changes`, { width: 390, height: 844 });
  const review = page.getByRole("region", { name: "Review" });
  await review.getByText("Uncommitted changes in src/login.ts block the merge. Commit or stash them.").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("d");
  const notice = page.getByRole("region", { name: "Notices" });
  await notice.getByText("Discarded. TASK-001 is pending again.").waitFor();
  await expect.poll(() => work.branches()).toEqual(["main"]);
  await review.waitFor({ state: "detached" });
  await notice.getByRole("button", { name: "Undo" }).click();
  await review.waitFor();
  expect(work.branches()).toHaveLength(2);
  await review.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("region", { name: "Discarded" }).getByRole("button", { name: "Undo" }).click();
  await review.waitFor();
  expect((await runOf(hall(), id)).delivery?.state).toBe("review");
});

test("a discard that comes after an approval says so, and the approval stays", async () => {
  const work = repository({ "src/login.ts": LOGIN });
  writePlaybook(hall().workspace, "fix", FIX);
  await hall().call("POST", "/api/projects", { id: "lathe", name: "Lathe" });
  await hall().call("PUT", "/api/projects/lathe", {
    workdir: work.root,
    config: { constraints: { requireReview: true } },
  });
  const id = await spawnRun(hall(), "fix", "Fix the login", { projectId: "lathe" });
  await untilOver(hall(), id);
  const page = await (await newContext(browser())).newPage();
  onTestFinished(() => page.context().close());
  await signIn(page, hall());
  await page.goto(`${hall().url}/runs/${id}?view=changes`);
  const { hash } = (await hall().call("GET", `/api/runs/${id}/diff`)).body;
  await page.route(/\/discard$/, async (route) => {
    await hall().call("POST", `/api/runs/${id}/approve`, { hash });
    await route.continue();
  });
  await page.getByRole("region", { name: "Review" }).getByRole("button", { name: "Discard" }).click();
  await page.getByRole("region", { name: "Notices" }).getByText("Can't discard").waitFor();
  expect((await runOf(hall(), id)).delivery?.state).toBe("delivered");
});

/** Long enough for the slowest machine; it does not call the same twice, which would end it. */
const SLOWLY = JSON.stringify({
  turns: Array.from({ length: 40 }, (_, at) => ({
    delayMs: at === 0 ? 300 : 2_000,
    think: "What is next?",
    text: "A **part** of it.",
    calls: [{ tool: "read", input: { path: `none-${at}.md` } }],
  })),
});
const ROUND = JSON.stringify({ repeat: true, turns: [{ calls: [{ tool: "read", input: { path: "none.md" } }] }] });

test("a run is watched, spoken to and stopped; one that failed says why, where, and is started again", async () => {
  writePlaybook(hall().workspace, "slowly", SLOWLY);
  writePlaybook(hall().workspace, "round", ROUND);
  await hall().call("POST", "/api/projects", { id: "den", name: "Den" });
  const running = await spawnRun(hall(), "slowly", "Watch <img src=x> me", { projectId: "den" });
  const page = await visit(browser(), hall(), `/runs/${running}`, { width: 390, height: 844 });
  await page.getByText("Turn 1 ·").waitFor();
  await page.getByLabel("Message to the agent").fill("Be quick");
  await page.keyboard.press("Enter");
  await page.getByText("You", { exact: true }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Stop run" }).click();
  await page.getByText("TASK-001 is pending again.", { exact: false }).first().waitFor();
  await page.getByText("Stopped", { exact: true }).first().waitFor();
  expect((await runOf(hall(), running)).status).toBe("cancelled");
  const turns = entriesOf(journalOf(hall().workspace, running, "den"), "answer").length;
  await page.keyboard.press("2");
  await page.getByRole("row").nth(turns).waitFor();
  await page.keyboard.press("6");
  await page.getByText("Total", { exact: true }).waitFor();
  await page.keyboard.press("5");
  await page.getByRole("heading", { name: "System prompt" }).waitFor();
  expect(await barriers(page)).toEqual([]);

  const ended = await spawnRun(hall(), "slowly", "End meanwhile", { projectId: "den" });
  await page.goto(`${hall().url}/runs/${ended}`);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("dialog", { name: "Stop this run?" }).waitFor();
  await hall().call("POST", `/api/runs/${ended}/stop`);
  await page.getByText("The run had already ended.").waitFor();
  await page.getByRole("dialog", { name: "Stop this run?" }).waitFor({ state: "detached" });

  const failed = await spawnRun(hall(), "round", "Go round", { projectId: "den" });
  await untilOver(hall(), failed);
  await page.goto(`${hall().url}/runs?status=failed&project=den`);
  await page.getByRole("link", { name: "Go round" }).click();
  const why = page.getByRole("region", { name: "Why it failed" });
  await why.getByText("Repeated call:").waitFor();
  await why.getByText("read none.md").waitFor();
  await why.getByRole("link", { name: "Show in transcript" }).click();
  await page.waitForURL(/at=failing/);
  await why.getByRole("link", { name: "Edit task" }).click();
  await page.getByRole("textbox", { name: "Description" }).waitFor();
  await page.goBack();
  await why.getByRole("button", { name: "Retry" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(failed));
  await eventually(
    () => listRuns(hall(), "&role=worker&project=den&status=failed"),
    (runs) => runs.length === 2,
  );
});
