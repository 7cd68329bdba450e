import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Lead } from "../../src/contract/documents/autonomy/lead.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { linesWithoutFormat } from "../harness/durable-lines.ts";
import { guildhall } from "../harness/guildhall.ts";
import { inShop, playedHall, type ScriptedHall, scriptedHall, taskOf } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";

let shop: ScriptedHall;
/** What the project's agent answers about an initiative, in order; a run reports at once. */
const scripts = new Map<string, (Turn | (() => Turn))[]>();
/** What it was asked about an initiative. */
const asked = (slug: string) => shop.provider.requests.filter((request) => isAbout(request, slug));
const isAbout = ({ system, tools }: SeenRequest, slug: string) =>
  tools.includes("report_initiative") && system.includes(`plans/${slug}/plan.md`);
/** What its tools answered. */
const told = (slug: string) => asked(slug).flatMap(({ results }) => results.map(({ output }) => output));
/** The task that its tool created last, as its answer names it. */
const created = (slug: string) =>
  told(slug)
    .join("\n")
    .match(/(TASK-\d+) created/)?.[1] ?? expect.fail("no task");
const call = (name: string, input: object = {}) => ({ name, input });
const at = (slug: string) => `/api/projects/shop/initiatives/${slug}` as const;

/** The example of docs/playbooks.md. */
const LEAD_PLAYBOOK = `
tool: report_initiative
turns:
  - calls:
      - {tool: task_complete, input: {id: TASK-001, summary: Written.}}
  - calls:
      - {tool: report_initiative, input: {summary: "{{last.task_complete}}", complete: true}}
  - text: Reported.
`;

beforeAll(async () => {
  shop = await scriptedHall((request) => answer(request), { later: afterAll });
  await shop.hall.call("POST", "/api/projects/shop/team", { roleId: "coder" });
});

function answer(request: SeenRequest): Turn {
  // Reviewers of questions take their time.
  if (request.tools.includes("decide")) return { hang: true };
  if (request.tools.includes("report")) {
    if (request.turns > 0) return { text: "Done." };
    return { calls: [call("report", { summary: "Painted it.", outcome: "full" })] };
  }
  for (const [slug, script] of scripts) {
    if (!isAbout(request, slug)) continue;
    const turn = script.shift() ?? { text: "Hm." };
    return typeof turn === "function" ? turn() : turn;
  }
  return { text: "Nothing to do." };
}

async function initiative(slug: string, tasks: object[], goals = ["Open the doors"]): Promise<string[]> {
  const { hall } = shop;
  await hall.call("POST", "/api/projects/shop/initiatives", { slug, title: slug, goals });
  const ids: string[] = [];
  for (const task of tasks)
    ids.push((await hall.call("POST", "/api/projects/shop/tasks", { plan: slug, ...task })).body.task.id);
  return ids;
}

async function leadOf(slug: string): Promise<Lead> {
  const { leads } = (await shop.hall.call("GET", `/api/leads?project=shop&initiative=${slug}`)).body;
  const [lead] = leads;
  if (lead === undefined) throw new Error(`no lead of ${slug}`);
  return lead;
}

const untilEnded = (slug: string) =>
  eventually(
    () => leadOf(slug),
    ({ endedAt }) => endedAt !== undefined,
  );

const begin = (task: string) => call("start_task", { task, role: "coder" });
const report = (summary: string, complete: boolean) => call("report_initiative", { summary, complete });
const start = (slug: string) => shop.hall.call("POST", `${at(slug)}/lead`, {});

describe("a lead of an initiative", () => {
  it("takes ready tasks by priority, waits for its runs, and marks the plan complete [S4-SL-03, S4-SL-09, S4-SL-11, S4-HIER-02]", async () => {
    const [low = "", high = ""] = await initiative("doors", [
      { title: "Paint the back door", priority: "low" },
      { title: "Paint the front door", priority: "high" },
    ]);
    scripts.set("doors", [
      { calls: [begin(low)] },
      { calls: [begin(high)] },
      { text: "Waiting for the front door." },
      { calls: [begin(low)] },
      { text: "Waiting for the back door." },
      {
        calls: [
          call("plan_edit", { slug: "doors", old: "Not started.", new: "Both doors are green." }),
          call("knowledge_add", { text: "Doors are painted green.", topic: "conventions" }),
          call("report_initiative", { summary: "Both doors are green.", complete: true }),
        ],
      },
      { text: "Reported." },
    ]);
    const { status, body } = await start("doors");
    expect(status).toBe(201);
    expect(body.lead.briefing.focus.map(({ id }) => id)).toEqual([high, low]);
    const lead = await untilEnded("doors");
    expect(lead).toMatchObject({
      status: "idle",
      rounds: 1,
      report: { isComplete: true, tasks: { done: 2, total: 2 } },
    });
    expect(lead.report?.tasksDone.map(({ id }) => id).sort()).toEqual([low, high].sort());
    expect(lead.report?.knowledge).toEqual(["Doors are painted green."]);
    expect(lead.runs).toHaveLength(2);
    expect(told("doors")[0]).toContain(`${high} (high) is ready and comes before ${low}`);
    expect((await shop.hall.call("GET", at("doors"))).body.initiative.status).toBe("complete");
    expect(readFileSync(inShop(shop.hall, "plans/doors/plan.md"), "utf8")).toContain("status: complete");
    expect(readFileSync(inShop(shop.hall, "plans/doors/report.md"), "utf8")).toContain("Both doors are green.");
    expect((await taskOf(shop.hall, high)).status).toBe("done");
  });

  it("without a plan explores read-only, writes the plan and cuts it into tasks [S4-SL-02, S4-SL-04, S4-HIER-03, S4-HIER-04, S4-SCOPE-06]", async () => {
    await initiative("roof", []);
    const look = { role: "explore", title: "Find the leak", description: "Where does it leak?" };
    scripts.set("roof", [
      { calls: [call("spawn_subagent", look)] },
      { text: "Waiting for the answer." },
      {
        calls: [
          call("plan_edit", { slug: "roof", old: "Not started.", new: "The leak is by the chimney." }),
          call("task_create", { title: "Seal the chimney", priority: "high" }),
        ],
      },
      { text: "I could stop here." },
      () => ({ calls: [call("task_complete", { id: created("roof"), summary: "Sealed it." })] }),
      { calls: [report("The roof is tight.", true)] },
    ]);
    const { body } = await start("roof");
    expect(body.lead.briefing.text).toContain("No tasks yet.");
    const lead = await untilEnded("roof");
    expect(lead).toMatchObject({
      status: "idle",
      report: { isComplete: true, tasksCreated: [{ id: created("roof") }] },
    });
    const [explorer] = shop.provider.requests.filter(({ system }) =>
      system.includes("You answer a question about the project"),
    );
    expect(explorer?.tools).toContain("read");
    for (const tool of ["write", "edit", "exec"]) expect(explorer?.tools).not.toContain(tool);
    expect(explorer?.text).toContain("Where does it leak?");
    const messages = asked("roof").map(({ text }) => text);
    expect(messages).toContainEqual(expect.stringContaining("Find the leak"));
    // The roof leaks, and it wanted to stop: it is sent back.
    expect(messages).toContainEqual(expect.stringContaining("Tasks of 'roof' are ready"));
  });

  it("asks what it may not decide, decides the rest, adds what it discovers, and never stops while a task is ready [S4-SL-05, S4-SL-06, S4-SL-07, S4-SL-08, S4-SL-10]", async () => {
    const [high = "", low = ""] = await initiative("garden", [
      { title: "Plant a tree", priority: "high" },
      { title: "Cut the grass", priority: "low" },
    ]);
    const question = { type: "decision", question: "Oak or birch in front?", blocksTask: high };
    scripts.set("garden", [
      { calls: [report("I would rather stop.", false)] },
      { calls: [call("escalate", question), call("knowledge_add", { text: "Cut grass short.", topic: "decisions" })] },
      { calls: [begin(low), call("task_create", { title: "Sweep the path", priority: "low" })] },
      { text: "Waiting." },
      () => ({ calls: [call("task_update", { id: created("garden"), status: "cancelled" })] }),
      { calls: [call("plan_edit", { slug: "garden", old: "Not started.", new: "The grass is cut." })] },
      { calls: [report("The tree waits for an answer.", false)] },
    ]);
    await start("garden");
    const lead = await untilEnded("garden");
    expect(told("garden")[0]).toContain(`Tasks are ready: ${high}, ${low}`);
    expect(lead).toMatchObject({
      status: "idle",
      report: { isComplete: false, tasksDone: [{ id: low }], tasks: { done: 1, total: 2 } },
    });
    const [open] = lead.report?.escalations ?? [];
    expect(open?.question).toBe("Oak or birch in front?");
    expect((await taskOf(shop.hall, high)).status).toBe("blocked");
    expect((await shop.hall.call("GET", at("garden"))).body.initiative.status).toBe("active");
    expect(lead.report?.knowledge).toEqual(["Cut grass short."]);
    expect(readFileSync(inShop(shop.hall, "knowledge/decisions.md"), "utf8")).toContain("Cut grass short.");
  });

  it("starts with what was answered and became ready since, and boots by its initiative [S4-SL-01, S4-ORC-16, S4-SCOPE-02, S4-SCOPE-09, S4-SCOPE-18]", async () => {
    const [open] = (await leadOf("garden")).report?.escalations ?? [];
    const { tasks } = (await shop.hall.call("GET", "/api/projects/shop/tasks?plan=garden&q=tree&limit=5")).body;
    const high = tasks[0]?.id ?? "";
    await shop.hall.call("POST", "/api/knowledge", {
      text: "Trees stand by the gate.",
      topic: "conventions",
      project: "shop",
    });
    await shop.hall.call("POST", "/api/knowledge", { text: "Use local plants and trees.", topic: "conventions" });
    await shop.hall.call("POST", `/api/escalations/${open?.id ?? ""}/resolve`, { resolution: "A birch." });
    const { briefing } = (await shop.hall.call("GET", `${at("garden")}/briefing`)).body;
    expect(briefing).toMatchObject({
      tasks: { done: 1, total: 2 },
      decisions: [{ id: open?.id, resolution: "A birch." }],
      unblocked: [{ id: high }],
      focus: [{ id: high, priority: "high" }],
      conventions: {
        workspace: ["Use local plants and trees."],
        project: expect.arrayContaining(["Trees stand by the gate."]),
      },
    });
    expect(briefing.text.split("\n").length).toBeLessThanOrEqual(40);
    scripts.set("garden", [
      { calls: [begin(high)] },
      { text: "Waiting." },
      { calls: [report("The birch stands.", true)] },
    ]);
    const before = asked("garden").length;
    await start("garden");
    expect((await untilEnded("garden")).status).toBe("idle");
    const first = asked("garden")[before];
    expect(first?.text).toContain("Oak or birch in front? → A birch.");
    expect(first?.system).toContain("You lead an initiative");
    expect(first?.system).toContain("The grass is cut.");
    expect(first?.system).toContain(`${high} (high) Plant a tree`);
    expect(first?.system).toContain("Trees stand by the gate.");
  });

  it("that never reports ends as failed, with its cause, after bounded rounds", async () => {
    const [ready = ""] = await initiative("cellar", [{ title: "Empty the cellar" }]);
    scripts.set("cellar", []);
    await start("cellar");
    expect(await untilEnded("cellar")).toMatchObject({ status: "failed", cause: "no_progress", rounds: 3, runs: [] });
    expect((await taskOf(shop.hall, ready)).status).toBe("pending");
  });

  it("that fails leaves a page that says why, what it cost and what is needed", async () => {
    const [ready = ""] = await initiative("well", [{ title: "Dig a well" }]);
    const read = { calls: [call("plan_read", { slug: "well" })] };
    scripts.set("well", Array(40).fill(read));
    await start("well");
    const lead = await untilEnded("well");
    expect(lead).toMatchObject({ status: "failed", cause: "turn_failed" });
    expect(lead.error).toMatch(/^Its turns failed\. .*5 times in a row/);
    const page = readFileSync(inShop(shop.hall, "plans/well/report.md"), "utf8");
    expect(page).toMatch(/^# well\n\nshop \/ well\..*\n\n- Failed\. Its turns failed\. .*5 times in a row/);
    expect(page).toMatch(/\n- Started by person: Started manually\.\n- Cost \$0\.00: 3 rounds, 0 runs, 0 teams\n/);
    expect(page).toContain(`## Needed\n\n- Ready for the next lead: ${ready}\n`);
  });

  it("is one of an initiative, and is stopped by the person or by a paused plan", async () => {
    await initiative("yard", [{ title: "Pave the yard" }]);
    await initiative("fence", [{ title: "Build a fence" }]);
    await initiative("vague", [], []);
    scripts.set("yard", [{ hang: true }]);
    expect((await start("yard")).status).toBe(201);
    const refusals = [await start("yard"), await start("fence"), await start("vague")];
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(refusals.map(({ body }) => ("error" in body ? body.error.code : ""))).toEqual(Array(3).fill("lead_refused"));
    await eventually(
      async () => asked("yard").length,
      (count) => count > 0,
    );
    const stopped = await shop.hall.call("POST", `${at("yard")}/lead/stop`, {});
    expect(stopped.body.lead).toMatchObject({ status: "stopped", cause: "stopped" });
    expect((await shop.hall.call("POST", `${at("yard")}/lead/stop`, {})).status).toBe(409);

    scripts.set("fence", [{ hang: true }]);
    await start("fence");
    const plan = inShop(shop.hall, "plans/fence/plan.md");
    writeFileSync(plan, `---\nstatus: paused\n---\n${readFileSync(plan, "utf8")}`);
    expect(await untilEnded("fence")).toMatchObject({ status: "stopped", cause: "initiative_paused" });
    expect((await start("fence")).status).toBe(409);
    expect(
      (await shop.hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Hello" })).body.answers,
    ).toHaveLength(1);
  });
});

it("initiatives are listed, planned, started and stopped with commands [S4-ORC-11]", async () => {
  const { workspace } = shop.hall;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await guildhall(["initiative", ...args, "-p", "shop"], { workspace });
    return code === 0 ? stdout : `${code} ${stderr}`;
  };
  expect(await run("add", "New shelves", "--goal", "Shelves for all")).toContain("Created: new-shelves.");
  expect(await run("list")).toMatch(/new-shelves +active +0 of 0/);
  expect(await run("pause", "new-shelves")).toBe("new-shelves is paused.\n");
  expect(await run("start", "new-shelves")).toContain("is paused");
  expect(await run("resume", "new-shelves")).toBe("new-shelves is active.\n");
  expect(await run("briefing", "new-shelves")).toContain("- Shelves for all");
  scripts.set("new-shelves", [{ hang: true }]);
  expect(await run("start", "new-shelves")).toMatch(/^Started: lead-/);
  expect(await run("show", "new-shelves")).toMatch(/lead +Working/);
  expect(await run("stop", "new-shelves")).toMatch(/^Stopped: lead-/);
  expect(await run("complete", "new-shelves")).toBe("new-shelves is complete.\n");
  expect(await run("show", "nothing")).toMatch(/^3 .*There is no initiative 'nothing'/s);
});

it("a lead is played without a key by a playbook", async () => {
  const hall = await playedHall(LEAD_PLAYBOOK);
  await hall.call("POST", "/api/projects/shop/initiatives", { slug: "sale", title: "Sale", goals: ["Sell more"] });
  await hall.call("POST", "/api/projects/shop/tasks", { title: "Write the sign", plan: "sale" });
  expect((await hall.call("POST", "/api/projects/shop/initiatives/sale/lead", {})).status).toBe(201);
  const leads = await eventually(
    async () => (await hall.call("GET", "/api/leads?project=shop")).body.leads,
    ([lead]) => lead?.endedAt !== undefined,
  );
  expect(leads).toMatchObject([
    { status: "idle", report: { isComplete: true, summary: "TASK-001 is done." }, costUsd: 0 },
  ]);
});

it("can't resume what the person paused, nor begin what the orchestrator would start without the person", async () => {
  const { hall } = shop;
  const autonomy = (level: string | null) =>
    hall.call("PUT", "/api/projects/shop", { config: { autonomy: level as "work" | null } });
  await initiative("store", [{ title: "Sweep the store" }]);
  await initiative("resting", [{ title: "Rest" }]);
  expect((await hall.call("PUT", at("resting"), { status: "paused" })).status).toBe(200);
  await autonomy("work");
  const begun = (name: string) => [
    call("initiative_create", { title: `Idea ${name}`, goals: ["More of it"] }),
    call("task_create", { title: "A task of it", plan: `plan-${name}` }),
  ];
  scripts.set("store", [
    {
      calls: [
        call("plan_edit", { slug: "resting", old: "status: paused", new: "status: active" }),
        call("plan_edit", { slug: "resting", old: "status: paused\n", new: "" }),
        call("plan_edit", { slug: "resting", old: "status:", new: "status: [" }),
        ...begun("one"),
      ],
    },
    { hang: true },
  ]);
  expect((await start("store")).status).toBe(201);
  await eventually(
    async () => told("store").join("\n"),
    (text) => text.includes("Idea one") || text.includes("idea-one"),
  );
  const { initiatives } = (await hall.call("GET", "/api/projects/shop/initiatives")).body;
  const statuses = Object.fromEntries(initiatives.map(({ slug, status }) => [slug, status]));
  expect(statuses).toMatchObject({ resting: "paused", "idea-one": "paused", "plan-one": "paused", store: "active" });
  expect(told("store").filter((text) => text.includes("Only the person makes it active again"))).toHaveLength(3);
  expect((await hall.call("POST", `${at("store")}/lead/stop`, {})).status).toBe(200);
  await autonomy("initiatives");
  await initiative("loft", [{ title: "Sweep the loft" }]);
  scripts.set("loft", [{ calls: begun("two") }, { hang: true }]);
  expect((await start("loft")).status).toBe(201);
  await eventually(
    async () => (await hall.call("GET", "/api/projects/shop/initiatives")).body.initiatives,
    (all) =>
      ["idea-two", "plan-two"].every((name) => all.some(({ slug, status }) => slug === name && status === "active")),
  );
  await hall.call("POST", `${at("loft")}/lead/stop`, {});
  await autonomy(null);
});

it("leaves plans alone that were deleted, renamed or copied by hand while their lead worked", async () => {
  const { hall } = shop;
  const gone = async (slug: string, byHand: () => void) => {
    await initiative(slug, [{ title: `Begin ${slug}` }]);
    scripts.set(slug, [{ hang: true }]);
    expect((await start(slug)).status).toBe(201);
    await eventually(
      async () => asked(slug).length,
      (count) => count > 0,
    );
    byHand();
    expect(await untilEnded(slug)).toMatchObject({ status: "stopped", cause: "initiative_removed" });
    expect(existsSync(inShop(hall, `plans/${slug}`))).toBe(false);
  };
  const plan = (slug: string) => inShop(hall, `plans/${slug}`);
  await gone("barn", () => rmSync(plan("barn"), { recursive: true }));
  await gone("shed", () => {
    cpSync(plan("shed"), plan("copied-shed"), { recursive: true });
    renameSync(plan("shed"), plan("renamed-shed"));
  });
  await hall.stop();
  expect(linesWithoutFormat(hall.workspace)).toEqual([]);
  const again = await startHall(hall.workspace, { later: afterAll });
  expect((await again.call("GET", "/api/problems")).body.problems).toEqual([]);
  const live = (await again.call("GET", "/api/leads?project=shop")).body.leads;
  expect(live.filter(({ endedAt }) => endedAt === undefined)).toEqual([]);
  // It can be led under its new name.
  expect((await again.call("POST", "/api/projects/shop/initiatives/renamed-shed/lead", {})).status).toBe(201);
});
