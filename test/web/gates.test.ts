import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { fakeEngine, type Ruling } from "../fakes/fake-engine.ts";
import { barriers, go, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { finding, gateReport, placeReport, stages } from "../harness/gate-reports.ts";
import { HOSTILE, type JudgedHall, judgedHall, untilServed } from "../harness/judged-hall.ts";
import { complaintsAbout } from "../harness/looks.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { PROJECT, spawnRun } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const browser = sharedBrowser();
const hall = sharedHall();
const later = afterAllTests();
let judged: JudgedHall;

beforeAll(async () => {
  judged = await judgedHall(hall(), later);
});

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("a report says what stopped the change, stage by stage, with its findings, evidence and cycles", async () => {
  const page = await visit(browser(), hall(), "/gates/gate-2");
  const verdict = region(page, "Verdict");
  await verdict.getByRole("heading", { name: "Failed" }).waitFor();
  await verdict
    .getByText("1 blocking finding: The discount is not rounded to whole cents (src/prices.js:41).")
    .waitFor();
  await verdict.getByText("78.5 of 90 required").waitFor();
  const rows = page.getByRole("list", { name: "Stages" }).locator("> li");
  expect(await rows.count()).toBe(9);
  await rows.nth(4).getByText("58 / 100").waitFor();
  await rows.nth(5).getByText("The reviewer's answer could not be read. Asked twice.").waitFor();
  await rows.nth(6).getByText("No spec.").waitFor();
  await page.getByText("Not everything was looked at.").waitFor();

  const findings = region(page, "Findings").getByRole("article");
  expect(await findings.count()).toBe(3);
  await findings.first().getByText("Fix: Round once, at the end.").waitFor();
  await findings.first().getByText("REQ-004").waitFor();
  await page.getByLabel("State").selectOption("all");
  await page.getByText("Waived by Pat").waitFor();
  expect(await findings.count()).toBe(6);
  for (const state of ["Refuted", "Resolved", "Waived", "Disputed"])
    await findings.getByText(state, { exact: true }).first().waitFor();

  const cycles = region(page, "Cycles");
  await cycles.getByText("1 fixed").waitFor();
  await cycles.getByText("3 new").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);

  await cycles.getByRole("link", { name: "Cycle 1" }).click();
  await page.waitForURL("**/gates/gate-1");
  await verdict
    .getByText("Tests failed: discount is applied twice: expected 80, got 64 (test/prices.test.js:7).")
    .waitFor();
  await rows.nth(2).getByText("Not run: an earlier stage failed.").waitFor();
  // Evidence is folded, and opens with a key.
  expect(await page.getByText("not ok 7").isVisible()).toBe(false);
  await rows.nth(1).locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.getByText("not ok 7").waitFor();
  await rows.nth(1).getByText("exit 1 · 4.2 s · 11 passed, 1 failed · affected tests").waitFor();
  await rows.nth(1).getByText("cached").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);

test("text in findings is shown as text, however it is written", async () => {
  const long = "x".repeat(5_000);
  const message = `${HOSTILE} ${long}`;
  placeReport(
    hall().workspace,
    gateReport("gate-9", {
      title: `<b>Häßlich</b> 🛒 \u202eevil`,
      verdict: "fail",
      stages: stages({
        errors: {
          verdict: "fail",
          score: 10,
          findings: [finding("h", { message, fix: HOSTILE, file: `a ${long}/🛒.js` })],
        },
      }),
    }),
  );
  await untilServed(hall(), "gate-9");
  const page = await visit(browser(), hall(), "/gates/gate-9");
  await page.getByRole("heading", { name: "<b>Häßlich</b> 🛒 \\u202eevil", level: 1 }).waitFor();
  await page.getByText("<script>document.title").first().waitFor();
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("main script, main img").count()).toBe(0);
  const shown = await page.getByRole("main").textContent();
  for (const hidden of ["\u202e", "\u001b"]) expect(shown).not.toContain(hidden);
  await page.getByRole("button", { name: "Show all" }).first().waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
}, 120_000);

test("500 findings are interactive within a second, and only those in sight are drawn", async () => {
  const many = Array.from({ length: 500 }, (_, at) =>
    finding(`f${at}`, { line: at + 1, message: `Finding number ${at + 1}`, severity: at < 9 ? "critical" : "medium" }),
  );
  placeReport(
    hall().workspace,
    gateReport("gate-8", { verdict: "fail", stages: stages({ errors: { findings: many } }) }),
  );
  await untilServed(hall(), "gate-8");
  const page = await visit(browser(), hall(), "/gates/gate-2");
  await region(page, "Verdict").waitFor();
  await page.evaluate(`history.pushState({}, "", "/nowhere")`);
  await page.getByText("This page doesn't exist.").waitFor();
  const took = await page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    history.pushState({}, "", "/gates/gate-8");
    const look = () => document.querySelectorAll("article").length > 5
      ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
      : requestAnimationFrame(look);
    look();
  })`);
  expect(await page.getByRole("article").count()).toBeLessThan(120);
  await page.getByText("Finding number 1", { exact: true }).waitFor();
  await page.keyboard.press("End");
  await page.getByText("Finding number 500", { exact: true }).waitFor();
  await page.getByLabel("State").selectOption("blocking");
  expect(took, "milliseconds until the findings are there").toBeLessThan(SLOWEST_MS);
}, 120_000);

/** A second, and room for a machine that does other things meanwhile. */
const SLOWEST_MS = 4_000;

test("findings stand in the diff below their lines, and a report leads to them", async () => {
  const { runId } = judged;
  const page = await visit(browser(), hall(), `/gates/gate-2`);
  await page.getByRole("link", { name: "src/prices.js:41" }).click();
  await page.waitForURL(`**/runs/${runId}?view=changes&at=*`);
  const lines = page.getByRole("list", { name: "Changed lines" });
  const row = lines.locator("> li", { hasText: "The discount is not rounded to whole cents." });
  await row.waitFor();
  const above = Number(await row.getAttribute("data-index")) - 1;
  expect(await lines.locator(`> li[data-index="${above}"]`).textContent()).toContain("export const discount");
  // What is about a file that the diff does not have stands above it.
  await page.getByRole("list", { name: "Findings outside the diff" }).getByText("README.md:2").waitFor();
  expect(await page.getByText("It crashed without a cart.").count()).toBe(0);
  await lines.getByText("<script>document.title").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("4");
  await region(page, "Verdict").waitFor();
  await page.getByRole("navigation", { name: "Run views" }).getByText("Failed").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);

test("a project's Work tab lists its gates with filters, the trend and its weak stages", async () => {
  const page = await visit(browser(), hall(), "/projects/shop/work");
  await page.getByRole("link", { name: "Gates", exact: true }).click();
  await page.waitForURL("**/work/gates");
  const list = page.getByRole("list", { name: "Gate reports" });
  await list.getByText("78.5 of 90").waitFor();
  await region(page, "Quality").getByText("Findings resolved").waitFor();
  await page.getByRole("table", { name: "Scores of the newest gates" }).waitFor({ state: "attached" });
  await region(page, "Weak stages").getByRole("rowheader", { name: "Errors" }).waitFor();
  await page.getByLabel("Verdict").selectOption("unable");
  await page.getByText("No gate reports match these filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await list.waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  await page.getByRole("button", { name: "Check uncommitted changes" }).click();
  await page.getByRole("dialog").getByText("charged to the budget").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await hall().call("POST", "/api/projects", { id: "bare", name: "Bare" });
  await go(page, "/projects/bare/work/gates");
  await page.getByText("No gate reports yet.").waitFor();
  await page.getByText("No integration checks yet.").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);

test("a finding is waived with a reason, by keys alone, and stays in the report", async () => {
  const waivable = finding("w1", { message: "The name is too short." });
  const report = gateReport("gate-7", {
    verdict: "fail",
    stages: stages({ errors: { verdict: "fail", score: 60, findings: [waivable] } }),
  });
  placeReport(hall().workspace, report);
  await untilServed(hall(), "gate-7");
  const page = await visit(browser(), hall(), "/gates/gate-7");
  await page.getByRole("button", { name: "Waive: The name is too short." }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Waive this finding?" });
  await dialog.waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.type("   ");
  await page.keyboard.press("Enter");
  await dialog.getByText("Enter a reason.").waitFor();
  await page.keyboard.type("Renamed with the next release.");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await region(page, "Findings").getByText("Renamed with the next release.").waitFor();
  await region(page, "Findings").getByText("Waived", { exact: true }).waitFor();
  const { gate } = (await hall().call("GET", "/api/gates/gate-7")).body;
  expect(gate.stages.flatMap(({ findings }) => findings)).toMatchObject([
    { state: "waived", waiver: { reason: "Renamed with the next release." } },
  ]);
  expect(await complaintsAbout(page)).toEqual([]);
}, 120_000);

test("board, inbox and search show how a change was judged", async () => {
  const page = await visit(browser(), hall(), "/projects/shop/board");
  const card = page.locator("li", { has: page.locator(`[data-task="${judged.taskId}"]`) });
  await card.getByRole("link", { name: "Gate failed" }).click();
  await page.waitForURL("**/gates/gate-2");
  await go(page, "/inbox");
  await page.getByRole("article").getByRole("link", { name: "Gate report" }).waitFor();
  await page.getByText("1 blocking finding: The discount is not rounded").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  await go(page, "/search?q=rounded");
  await page.getByRole("main").getByRole("link", { name: "Add a discount" }).first().click();
  await page.waitForURL("**/gates/gate-2");
}, 120_000);

test("the settings of the gates are changed for the hall and for a project, which inherits the rest", async () => {
  const names = ["passThreshold", "appliesTo"].map((name) => `agentTeams.qualityGates.${name}`);
  await hall().call("PUT", "/api/settings", { reset: names });
  await hall().call("PUT", "/api/projects/shop", { config: { qualityGates: null } });
  const page = await visit(browser(), hall(), "/settings/gates");
  await page.getByText("A review costs about as much as a short run.", { exact: false }).waitFor();
  await page.getByLabel("Required score").fill("80");
  await page.getByLabel("Applies to").selectOption("all");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").first().waitFor();
  await page.getByText("You have unsaved changes.").waitFor({ state: "hidden" });
  const settings = (await hall().call("GET", "/api/settings")).body.settings;
  const set = (key: string) => settings.find((each) => each.key === `agentTeams.qualityGates.${key}`)?.value;
  expect([set("passThreshold"), set("appliesTo")]).toEqual([80, "all"]);
  expect(await complaintsAbout(page)).toEqual([]);

  await go(page, "/projects/shop/settings/gates");
  await page.getByPlaceholder("Default: 80").waitFor();
  await page.getByRole("textbox", { name: "Tests", exact: true }).fill("npm test -- --run");
  await page.getByLabel("Cycles").fill("5");
  // What is shown comes late. Until then the fields keep what was saved.
  const isAsked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  await page.route("**/api/projects/shop", async (route) => {
    if (route.request().method() === "GET") {
      isAsked.resolve();
      await mayAnswer.promise;
    }
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  await isAsked.promise;
  await page.getByText("Saved.").first().waitFor();
  expect(await page.getByLabel("Cycles").inputValue()).toBe("5");
  mayAnswer.resolve();
  const own = async () => (await hall().call("GET", "/api/projects/shop")).body.project.config.qualityGates;
  await eventually(own, (set) => set !== undefined);
  expect(await own()).toEqual({ maxReviewCycles: 5, commands: { tests: "npm test -- --run" } });
  await page.getByText("You have unsaved changes.").waitFor({ state: "hidden" });
  await page.getByLabel("Cycles").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(own, (set) => set?.maxReviewCycles === undefined);
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);

test("a new software project is offered gates for all runs, with what they cost", async () => {
  const page = await visit(browser(), hall(), "/projects");
  await page.getByRole("main").getByRole("button", { name: "New project" }).first().click();
  await page.getByLabel("Name").fill("Checked shop");
  await page.getByText("More options").click();
  const offer = page.getByLabel("Quality gates for all runs");
  expect(await offer.count()).toBe(0);
  await page.getByLabel("Template").selectOption("software");
  await page.getByText("A review costs about as much as a short run.", { exact: false }).waitFor();
  await offer.check();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Create project" }).click();
  await page.waitForURL("**/projects/checked-shop");
  const { project } = (await hall().call("GET", "/api/projects/checked-shop")).body;
  expect(project.config.qualityGates).toEqual({ appliesTo: "all" });
}, 120_000);

test("a real check of uncommitted changes is followed live, and started again", async () => {
  const repo = repository({ "package.json": PACKAGE, "src/sum.js": SUM, "test/sum.test.js": TEST }, "live", later);
  await hall().call("POST", "/api/projects", { id: "live", name: "Live 🛒 shop", workdir: repo.root });
  repo.write("src/sum.js", SUM.replace("a + b", "a - b"));
  const page = await visit(browser(), hall(), "/projects/live/work/gates");
  await page.getByRole("button", { name: "Check uncommitted changes" }).click();
  await page.getByLabel("Local checks only").check();
  await page.getByRole("button", { name: "Start check" }).click();
  await page.waitForURL("**/gates/gate-*");
  const verdict = region(page, "Verdict");
  await verdict.getByRole("heading", { name: /^(Failed|Not judged)$/ }).waitFor({ timeout: 60_000 });
  await verdict.getByText("uncommitted changes").waitFor();
  await verdict.getByText("Tests failed", { exact: false }).waitFor();
  // Failing tests are not waived.
  await page.getByRole("article").first().waitFor();
  expect(await page.getByRole("button", { name: /^Waive/ }).count()).toBe(0);
  repo.write("src/sum.js", `${SUM}// Added.\n`);
  await verdict.getByRole("button", { name: "Check again" }).click();
  await page.getByLabel("Local checks only").check();
  const before = page.url();
  await page.getByRole("button", { name: "Start check" }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByRole("list", { name: "Stages" }).locator("> li").nth(1).getByText("100 / 100").waitFor();
  await go(page, "/projects/live/settings/gates");
  await region(page, "Detected commands").getByText("node --test", { exact: false }).first().waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);

const PACKAGE = '{"name": "live", "type": "module", "scripts": {"test": "node --test"}}\n';
const SUM = "export const sum = (a, b) => a + b;\n";
const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum(1, 2), 3));
`;

test("Now, the run and its card say what the gates are at: checking, failed and reworked, passed", async () => {
  const rulings = [Promise.withResolvers<Ruling>(), Promise.withResolvers<Ruling>()];
  const engine = fakeEngine(({ cycle }) => rulings[cycle - 1]?.promise ?? { verdict: "unable" });
  const repo = repository({ "a.txt": "a\n" });
  const playbooks = { play: writing({ "a.txt": "agent\n" }) };
  const config = { constraints: { requireReview: true } };
  const own = await hallOver(await startHall(undefined, { engine }), { root: repo.root, config, playbooks });
  const page = await visit(browser(), own, "/");
  const id = await spawnRun(own, "play", "Do it");
  const checking = page.getByRole("list", { name: "Quality gates" });
  await checking.getByText("Checking", { exact: true }).waitFor();
  await page.getByText("1 being checked").waitFor();
  expect(await barriers(page)).toEqual([]);
  await go(page, `/projects/${PROJECT}/board`);
  await page.getByText("Checking", { exact: true }).waitFor();
  rulings[0]?.resolve({ verdict: "fail", findings: [{ file: "a.txt", line: 1, message: "The line is wrong." }] });
  await go(page, `/runs/${id}`);
  await page.getByText("Gate failed", { exact: true }).first().waitFor();
  await go(page, "/");
  await checking.waitFor();
  rulings[1]?.resolve({ verdict: "pass" });
  await page.getByRole("list", { name: "In review" }).getByText("Gate passed", { exact: true }).waitFor();
  expect(await checking.count()).toBe(0);
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);
