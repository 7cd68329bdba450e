import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { barriers, sharedBrowser, signIn, visit } from "../harness/browser.ts";
import { newContext } from "../harness/chromium-browser.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { entriesOf, furnish, journalOf, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const browser = sharedBrowser();
const later = afterAllTests();
let hall: Hall;
let folder: string;

const turns = (...calls: object[]) =>
  JSON.stringify({ turns: [...calls.map((call) => ({ calls: [call] })), { text: "Done." }] });
const exec = (command: string) => ({ tool: "exec", input: { command } });
const write = (path: string, content: string) => ({ tool: "write", input: { path, content } });

beforeAll(async () => {
  folder = temporaryFolder(later);
  hall = await furnish(await startHall(undefined, { later }), {
    file: turns(write("note.md", "first line\nsecond line\n"), exec("cat note.md; rm -f note.md")),
    hello: turns(exec("echo hello")),
    bye: turns(exec("echo bye")),
    twice: turns(exec("echo a >> twice.txt"), exec("echo a >> twice.txt")),
  });
  const role = { id: "asker", name: "Asker", skills: ["read", "write", "exec"], ask: ["exec", "write"] };
  expect((await hall.call("POST", "/api/roles", role)).status).toBe(201);
  expect((await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder })).status).toBe(200);
});

async function asking(playbook: string): Promise<{ runId: string; id: string }> {
  const runId = await spawnRun(hall, playbook, `Play ${playbook}`, { roleId: "asker" });
  return { runId, id: (await pendingOf(hall, runId)).id };
}

const saved = async (id: string) => (await hall.call("GET", `/api/escalations/${id}`)).body.escalation;
const results = (runId: string) => entriesOf(journalOf(hall.workspace, runId), "result").map(({ output }) => output);
const entry = (page: Page, text: string) =>
  page.getByRole("list", { name: "Entries" }).getByRole("link").filter({ hasText: text });
const waitingCall = (page: Page) => page.getByRole("region", { name: "Open question" });

test("digits allow and refuse in the inbox, with the change and the command in full, and the transcript says what came of it", async () => {
  const { runId, id } = await asking("file");
  const page = await visit(browser(), hall, `/inbox?id=${id}`);
  const article = page.getByRole("article");
  await article.getByText("Permission", { exact: true }).waitFor();
  await article.getByRole("list", { name: "Changed lines of note.md" }).getByText("second line").waitFor();
  expect(await article.getByRole("button", { name: "Decide for me" }).count()).toBe(0);
  expect(await article.getByRole("button", { name: "Dismiss" }).count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("1");
  await page.getByText(`Answered ${id}: Allowed once`).waitFor();
  await entry(page, "Run cat note.md; rm -f note.md?").click();
  await article.getByRole("region", { name: "Command" }).getByText("cat note.md; rm -f note.md").waitFor();
  expect(readFileSync(join(folder, "note.md"), "utf8")).toBe("first line\nsecond line\n");

  await page.keyboard.press("r");
  await page.keyboard.type("Keep the note.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("5");
  const run = await untilOver(hall, runId);
  expect(run.status).toBe("completed");
  expect(existsSync(join(folder, "note.md"))).toBe(true);
  expect(results(runId)[1]).toContain("Keep the note.");

  await page.goto(`${hall.url}/runs/${runId}?view=transcript`);
  const calls = page.getByRole("button", { expanded: false });
  await calls.filter({ hasText: "write" }).getByText("allowed").waitFor();
  await calls.filter({ hasText: "exec" }).getByText("refused").waitFor();
});

test("a waiting call is answered on the run's page, where digits count only within the question", async () => {
  const { runId, id } = await asking("bye");
  const page = await visit(browser(), hall, `/runs/${runId}`);
  await waitingCall(page).getByText("Waiting for your permission:").waitFor();
  await waitingCall(page).getByRole("region", { name: "Command" }).getByText("echo bye").waitFor();
  await page.keyboard.press("2");
  await page.waitForURL(/view=timeline/);
  expect((await saved(id)).status).toBe("pending");

  await waitingCall(page).getByLabel("Hours").selectOption("3");
  await waitingCall(page).getByRole("button", { name: "Allow for 3 hours" }).focus();
  await page.keyboard.press("3");
  await waitingCall(page).waitFor({ state: "detached" });
  expect((await untilOver(hall, runId)).status).toBe("completed");
  expect(await saved(id)).toMatchObject({ answer: "hour" });
});

test("of two tabs the slower one is shown the answer in effect", async () => {
  const { runId } = await asking("twice");
  // A refused request is an error on the console; there is no other complaint.
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await signIn(page, hall);
  /** Answers in place of the other tab, right before the request of this one arrives. */
  const answeredFirst = async (answer: string) => {
    const { id } = await pendingOf(hall, runId);
    await page.unroute("**/resolve");
    await page.route("**/resolve", async (route) => {
      expect((await hall.call("POST", `/api/escalations/${id}/resolve`, { answer })).status).toBe(200);
      await route.continue();
    });
    return id;
  };
  await page.goto(`${hall.url}/inbox?id=${await answeredFirst("once")}`);
  await page.getByRole("button", { name: "Refuse" }).waitFor();
  await page.keyboard.press("5");
  await page.getByText("Closed before you answered. Your answer was not recorded.").waitFor();
  await page.getByRole("region", { name: "Answer" }).getByText("Allowed once").waitFor();

  await answeredFirst("no");
  await page.goto(`${hall.url}/runs/${runId}`);
  await waitingCall(page).getByRole("button", { name: "Allow once" }).click();
  await page.getByText("Already closed: Answered: Refused. Your answer was not recorded.").waitFor();
  await untilOver(hall, runId);
  expect(readFileSync(join(folder, "twice.txt"), "utf8")).toBe("a\n");
});

test("always shows its rule and what it would have allowed, and the page lists what each permission allowed until it is revoked", async () => {
  const before = await asking("hello");
  await hall.call("POST", `/api/escalations/${before.id}/resolve`, { answer: "once" });
  await untilOver(hall, before.runId);
  const { runId, id } = await asking("hello");
  const page = await visit(browser(), hall, `/inbox?id=${id}`);
  await page.getByRole("button", { name: "Always allow…" }).waitFor();
  await page.keyboard.press("4");
  const dialog = page.getByRole("dialog", { name: "Always allow this?" });
  await dialog.getByRole("region", { name: "Rule" }).getByText("echo hello").waitFor();
  await dialog.getByText("Would have allowed in the last 30 days: 1").waitFor();
  await dialog.getByRole("region", { name: "Calls it would have allowed" }).getByText("echo hello").waitFor();
  await dialog.getByRole("button", { name: "Always allow" }).press("Enter");
  await untilOver(hall, runId);
  // It asks no more.
  await untilOver(hall, await spawnRun(hall, "hello", "Again", { roleId: "asker" }));

  await page.goto(`${hall.url}/settings/permissions`);
  const open = page.getByRole("list", { name: "Open permissions" }).getByRole("listitem");
  const always = open.filter({ hasText: "Always" });
  await always.getByText("Allowed 2 calls in the last 30 days").click();
  await expect.poll(() => always.getByRole("link", { name: "TASK-" }).count()).toBe(2);
  expect(await barriers(page)).toEqual([]);
  await always.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("dialog", { name: "Revoke this permission?" }).getByRole("button", { name: "Revoke" }).click();
  const closed = page.getByRole("list", { name: "Closed permissions" }).getByRole("listitem");
  await closed.filter({ hasText: "Revoked" }).getByText("echo hello").first().waitFor();
});

const isHere = (await sandboxProbe().settle()).name !== "none";
const row = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

test.skipIf(!isHere)(
  "hooks are listed by event, tested, switched and, of a repository, accepted with their content in view",
  async () => {
    mkdirSync(join(hall.workspace, "hooks"), { recursive: true });
    const refusing = "event: PreToolUse\nmatcher: list\ncommand: [sh, -c, 'echo Not in this shop. >&2; exit 2']\n";
    writeFileSync(join(hall.workspace, "hooks/no-lists.yml"), refusing);
    mkdirSync(join(folder, ".claude/hooks"), { recursive: true });
    const entry = { matcher: "Glob", hooks: [{ type: "command", command: "sh .claude/hooks/check.sh" }] };
    writeFileSync(join(folder, ".claude/settings.json"), JSON.stringify({ hooks: { PreToolUse: [entry] } }));
    writeFileSync(join(folder, ".claude/hooks/check.sh"), "exit 0 # nothing to see\n");
    await eventually(
      async () => (await hall.call("GET", "/api/hooks")).body.hooks,
      (hooks) => hooks.some(({ name }) => name === "no-lists") && hooks.some(({ source }) => source === "repository"),
    );
    const page = await visit(browser(), hall, "/settings/hooks");
    const hooks = page.getByRole("list", { name: "PreToolUse hooks" });
    await hooks.getByText("sh -c 'echo Not in this shop. >&2; exit 2'").waitFor();
    await page.getByRole("button", { name: "Test no-lists" }).click();
    await row(page, "no-lists").getByRole("status").getByText("Refused").waitFor();
    await row(page, "no-lists").getByText("Not in this shop.", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Enable no-lists" }).click();
    await page.getByText("Disabled no-lists.").waitFor();
    expect(await barriers(page)).toEqual([]);

    await row(page, "shop:").getByText("Not accepted, not used").waitFor();
    await page.getByRole("button", { name: "Review and accept…" }).click();
    const dialog = page.getByRole("dialog", { name: "Accept this hook?" });
    await dialog.getByText("exit 0 # nothing to see").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Accept hook" }).click();
    await row(page, "shop:").getByRole("checkbox").waitFor();
    const { body } = await hall.call("GET", "/api/hooks");
    expect(body.hooks.filter(({ name }) => /no-lists|^shop:/.test(name))).toMatchObject([
      { name: "no-lists", enabled: false },
      { source: "repository", accepted: true, enabled: true },
    ]);
  },
);

test("role and assignment forms say which tools ask first", async () => {
  const page = await visit(browser(), hall, "/roles/worker");
  const asking = page.getByRole("group", { name: "Ask before" });
  await asking.getByLabel("Changing files").check();
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(
    async () => (await hall.call("GET", "/api/roles/worker")).body.role.ask,
    (ask) => JSON.stringify(ask) === '["write","edit"]',
  );
  await hall.call("POST", `/api/projects/${PROJECT}/team`, { roleId: "worker" });
  await page.goto(`${hall.url}/projects/${PROJECT}/settings/roles`);
  await page.getByRole("button", { name: "Actions for Worker" }).click();
  await page.getByRole("menuitem", { name: "Override model and tools" }).click();
  await asking.getByLabel("Changing files (from the role)").waitFor();
  expect(await asking.getByLabel("Changing files (from the role)").isDisabled()).toBe(true);
  await asking.getByLabel("Fetching web pages").check();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await eventually(
    async () => (await hall.call("GET", `/api/projects/${PROJECT}/team`)).body.assignments[0]?.ask,
    (ask) => JSON.stringify(ask) === '["web_fetch"]',
  );
});
