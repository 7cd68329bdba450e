import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { barriers, go, sharedBrowser, visit } from "../harness/browser.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { complaintsAbout } from "../harness/looks.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, tasksOf, teamHall, teamOf, teamPlaybooks, untilAsked } from "../harness/team-hall.ts";
import { longPlan, writeTeam } from "../harness/written-team.ts";

const browser = sharedBrowser();
const GATES_OFF = { qualityGates: { appliesTo: "off" } };

async function playedHall(keys: readonly string[], config: object): Promise<Hall> {
  const hall = await startHall();
  const tasks = keys.map((key, at) => ({
    ...{ key, requirement: `REQ-00${at + 1}`, files: moduleFiles(key, `REQ-00${at + 1}`) },
  }));
  await teamHall(hall, teamPlaybooks(tasks), { config });
  return hall;
}

test("a person starts a team on a page, sends its plan back, approves it, follows the work and reviews the whole", async () => {
  const hall = await playedHall(["sum", "product"], { ...GATES_OFF, constraints: { requireReview: true } });
  const page = await visit(browser(), hall);
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByText("No teams yet.").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Start a team" }).last().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Start team" }).waitFor();
  expect(await dialog.getByRole("button", { name: "Start team" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Goal").fill("Let people add numbers");
  await dialog.getByLabel("Budget in USD").fill("7.50");
  await dialog.getByText("Advanced").click();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Start team" }).click();
  await page.waitForURL("**/teams/team-*");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await teamOf(hall, id)).toMatchObject({ budgetUsd: 7.5, approval: "plan", goal: "Let people add numbers" });

  const asked = page.getByRole("region", { name: "Approval of the plan" });
  await asked.waitFor({ timeout: 60_000 });
  await asked.getByText("Build sum now").waitFor();
  await asked.getByText("sum/index.js").waitFor();
  await asked.getByText("$7.50 at most").waitFor();
  await asked.getByText("REQ-002").waitFor();
  expect(await asked.textContent()).toContain("Single because");
  expect(await complaintsAbout(page)).toEqual([]);
  const first = (await teamOf(hall, id)).escalation?.id;
  await asked.getByRole("button", { name: "Request changes" }).click();
  await asked.getByRole("button", { name: "Send to the lead" }).click();
  await asked.getByText("Describe what should change.").waitFor();
  await asked.getByLabel("Requested changes").fill("Name it better.");
  await asked.getByRole("button", { name: "Send to the lead" }).click();
  await eventually(
    () => teamOf(hall, id),
    ({ escalation }) => escalation !== undefined && escalation.id !== first,
    60_000,
  );
  // The second plan is approved with a key.
  await asked.getByRole("button", { name: "Approve plan" }).waitFor();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("a");
  await page.getByText("Plan approved. Work starts.").waitFor();

  await page.getByRole("link", { name: "Review the change" }).waitFor({ timeout: 120_000 });
  const tabs = page.getByRole("navigation", { name: "Team views" });
  for (const [key, shown] of [
    ["1", "package.json: no framework among its packages"],
    ["2", "Build sum now"],
    ["3", "REQ-001.1"],
    ["4", "Open the integration check"],
    ["5", "By rank"],
    ["6", "You requested changes to the plan: Name it better."],
    ["7", "Only you can judge"],
  ] as const) {
    await page.keyboard.press(key);
    await tabs.locator("a[aria-current=page]").nth(0).waitFor();
    await page.getByRole("main").getByText(shown).first().waitFor();
    expect(await complaintsAbout(page)).toEqual([]);
  }
  await page.keyboard.press("8");
  await page.getByText("No messages yet.").waitFor();
  const writing = page.getByRole("region", { name: "Write a message" });
  expect(await writing.getByRole("button", { name: "Send message" }).isDisabled()).toBe(true);
  await writing.getByLabel("Message").fill("Use pnpm from now on.");
  await writing.getByRole("button", { name: "Send message" }).click();
  const sent = page.getByRole("article", { name: "MSG-001" });
  await sent.getByText("You → all members").waitFor();
  await sent.getByText("Not delivered yet").waitFor();
  const worker = (await teamOf(hall, id)).members.find(({ rank }) => rank === "worker")?.name ?? "";
  await writing.getByLabel("To").selectOption(worker);
  await writing.getByLabel("Message").fill("And keep the names.");
  await writing.getByLabel("Message").press("Control+Enter");
  await page.getByRole("article", { name: "MSG-002" }).getByText(`You → ${worker}`).waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(await complaintsAbout(page)).toEqual([]);
  const [task] = await tasksOf(hall, id);
  await go(page, `/projects/${PROJECT}/board?view=list`);
  await page
    .getByRole("row", { name: new RegExp(task?.taskId ?? "") })
    .getByRole("link", { name: "Let people add numbers" })
    .waitFor();
  await go(page, `/runs/${task?.runIds.at(-1)}`);
  await page.getByRole("link", { name: "Let people add numbers" }).click();
  await page.waitForURL(`**/teams/${id}`);
  await page.getByRole("link", { name: "Review the change" }).click();
  await page.waitForURL("**/runs/*view=changes");
  await page
    .getByRole("button", { name: /^Approve/ })
    .first()
    .waitFor();
}, 300_000);

test("the inbox shows the spec or plan of a team with the same buttons, and the project lists its teams", async () => {
  const hall = await playedHall(["sum"], GATES_OFF);
  const { id } = await startTeam(hall, { approval: "spec-and-plan" });
  await untilAsked(hall, id);
  const page = await visit(browser(), hall, "/inbox");
  await page.getByRole("list", { name: "Requirements" }).getByText("REQ-001 must work.").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve spec" }).click();
  await page.getByText("Spec approved.").waitFor();
  await eventually(
    () => teamOf(hall, id),
    ({ escalation }) => escalation?.kind === "plan",
    60_000,
  );
  await go(page, `/projects/${PROJECT}/work/teams`);
  await page.getByRole("list", { name: "Active teams" }).getByText("Waiting for approval of the plan.").waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  await page.getByRole("link", { name: "Let people add numbers" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop team" }).click();
  await page.getByText("Stopped. Its branch is kept.").waitFor();
  expect((await teamOf(hall, id)).status).toBe("stopped");
}, 180_000);

test("a spec is edited on the page, which tells what changes", async () => {
  const hall = await playedHall(["sum"], GATES_OFF);
  const { id } = await startTeam(hall);
  await untilAsked(hall, id);
  const page = await visit(browser(), hall, `/teams/${id}?view=spec`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const box = page.getByLabel("Text of the spec");
  await box.fill((await box.inputValue()).replace("REQ-001 must work.", "REQ-001 must work well."));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Spec saved\. Changed: .*REQ-001/).waitFor();
  await page.getByRole("list", { name: "Requirements" }).getByText("REQ-001 must work well.").last().waitFor();
}, 120_000);

test("a role-spec is shown with its faults by line and rule, and is edited on the page", async () => {
  const hall = await startHall();
  const sum = { key: "sum", requirement: "REQ-001", files: moduleFiles("sum", "REQ-001"), delayMs: 600_000 };
  await teamHall(hall, teamPlaybooks([sum]), { config: GATES_OFF });
  const { id } = await startTeam(hall, { approval: "none" });
  const { roleSpecs } = await eventually(
    async () => (await hall.call("GET", `/api/teams/${id}/role-specs`)).body,
    (body) => body.roleSpecs.length === 1,
    60_000,
  );
  const [{ name, text } = { name: "", text: "" }] = roleSpecs;
  const page = await visit(browser(), hall, `/teams/${id}`, { expects: /status of 422/ });
  await page.getByRole("navigation", { name: "Team views" }).getByRole("link", { name: "Role-specs" }).click();
  await page.getByRole("button", { name: "Code, 1 task No faults" }).waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const box = page.getByLabel(`Text of ${name}`);
  const at = text.split("\n").indexOf("## Error Handling") + 1;
  const having = (line: string) => text.replace("## Error Handling", `${line}\n\n## Error Handling`);
  await box.fill(having("Call team_msg when it works."));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText(`line ${at}: no-bus-calls`).waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  await box.fill(having("Keep it short."));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Role-spec saved. Members get it with their next run.").waitFor();
  await page.getByRole("list", { name: "Text" }).getByText("Keep it short.").waitFor();
  expect(await barriers(page)).toEqual([]);

  const file = join(hall.workspace, `projects/${PROJECT}/teams/${id}/role-specs/${name}.md`);
  writeFileSync(file, having("if (tests.fail) {"));
  await page.getByText("members get the last version without errors").waitFor();
  const fault = page.getByRole("list", { name: "Faults" }).getByRole("listitem");
  await fault.getByText("no-pseudocode").waitFor();
  await fault.getByRole("button", { name: `Line ${at}` }).click();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await complaintsAbout(page), `${width}`).toEqual([]);
  }
}, 180_000);

test("a plan of 3,000 tasks and a feed of 1,500 entries scroll without being drawn as a whole", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const before = await startHall(workspace);
  await teamHall(before, teamPlaybooks([]), { config: GATES_OFF });
  await before.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Sums" });
  await before.stop();
  const id = writeTeam(workspace, {}, longPlan(3_000, 30));
  const hall = await startHall(workspace);
  expect(await tasksOf(hall, id)).toHaveLength(3_000);
  const page = await visit(browser(), hall, `/teams/${id}?view=plan`);
  await page.getByRole("button", { name: "Show all 3000 tasks" }).waitFor();
  const rows = page.getByRole("list", { name: "Tasks by phase" }).locator("> li");
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(120);
  const most = await page.evaluate<number>(`new Promise((resolve) => {
    const drawn = () => document.querySelectorAll('[aria-label="Tasks by phase"] > li').length;
    let [most, left] = [0, 40];
    const step = () => {
      most = Math.max(most, drawn());
      if (left-- === 0) return resolve(most);
      scrollBy(0, 1500);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
  expect(most, "rows drawn at once while scrolling").toBeGreaterThan(0);
  expect(most, "rows drawn at once while scrolling").toBeLessThan(120);
  await page.getByRole("searchbox", { name: "Filter tasks" }).fill("number 2999");
  await rows.getByText("Task number 2999", { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);
  await go(page, `/teams/${id}?view=timeline`);
  const entries = page.getByRole("list", { name: "Timeline" }).locator("> li");
  await entries.first().waitFor();
  expect(await entries.count()).toBeLessThan(120);
  expect(await complaintsAbout(page)).toEqual([]);
}, 180_000);
