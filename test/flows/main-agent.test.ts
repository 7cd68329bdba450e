import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_HOPS } from "../../src/projects/channels/exchange.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { projectProcesses } from "../harness/processes.ts";
import { KEY, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { ordinaryFolder } from "../harness/temporary-folder.ts";

const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");
const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });
const chat = (hall: Hall, text: string, wait = 20) => hall.call("POST", `/api/chat?wait=${wait}`, { text });
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);

/** The main agent does all this when it is asked to; answers what it was told. */
async function toldAfter(steps: Turn[], asked: string): Promise<{ hall: Hall; said: string[] }> {
  const said: string[] = [];
  const { hall } = await scriptedHall((seen) => {
    said.push(...seen.results.map(({ output }) => output));
    return steps.shift() ?? { text: "All done." };
  });
  const { body } = await chat(hall, asked);
  expect(textsOf(body.answers)).toEqual(["All done."]);
  return { hall, said };
}

it("creates projects with goal, background, constraints, model and folder, and lists them [S3-TOOL-01, S3-TOOL-02, S3-LC-01]", async () => {
  const workdir = ordinaryFolder();
  const elsewhere = ordinaryFolder();
  const steps = [
    call("create_project", { name: "Elsewhere", goal: "Read it all.", workdir: elsewhere }),
    call("create_project", {
      name: "Tea Shop",
      goal: "Sell tea.",
      background: "There is a shop.",
      constraints: "No coffee.",
      model: "own/tea",
      workdir,
    }),
    call("list_projects", {}),
    call("suspend_project", { name: "shop" }),
    call("list_projects", { status: "active" }),
    call("list_projects", { status: "suspended" }),
  ];
  const { hall, said } = await toldAfter(steps, `Make a tea shop in ${workdir}. Then suspend shop.`);
  expect(said[0]).toContain(`'${elsewhere}': the person's message does not name it`);
  expect(said[1]).toContain("Project 'tea-shop' is active.");
  const listed = ["shop (Shop): active", "tea-shop (Tea Shop): active", "shop (Shop): suspended"];
  const lists = [said[2], said[4], said[5]].map((list) =>
    listed.map((line) => list?.split("\n").some((one) => one.startsWith(line) || one.startsWith(`- ${line}`))),
  );
  expect(lists).toEqual([
    [true, true, false],
    [false, true, false],
    [false, false, true],
  ]);
  expect((await hall.call("GET", "/api/projects/tea-shop")).body.project).toMatchObject({
    ...{ model: "own/tea", workdir, description: "Sell tea.", config: { goals: ["Sell tea."] } },
  });
  expect(projectProcesses(hall.workspace)).toEqual([]);
  const text = readFileSync(join(hall.workspace, "projects/tea-shop/PROJECT.md"), "utf8");
  for (const part of ["Sell tea.", "There is a shop.", "No coffee.", workdir]) expect(text).toContain(part);
  const { events } = (await hall.call("GET", "/api/events/log?project=tea-shop")).body;
  expect(events[0]).toMatchObject({ type: "project.created", actor: { kind: "agent", id: "main" } });
});

it("writes the body of PROJECT.md, which other agents only read, and the log has what changed [S3-PMD-10, S3-PMD-09]", async () => {
  const edit = (section: string, text: string) => call("edit_project", { name: "tea-shop", section, text });
  const steps = [
    call("create_project", { name: "Tea Shop", goal: "Sell tea.", constraints: "- No coffee.\n- No sugar." }),
    edit("Constraints", "- No coffee.\n- Sugar is fine."),
    edit("Goals", "1. Sell tea\n2. Sell more tea"),
    edit("Team Assignments", "| nobody |"),
  ];
  const { hall, said } = await toldAfter(steps, "Make a tea shop, then allow sugar there.");
  expect(said.slice(1, 3)).toEqual(["Constraints", "Goals"].map((one) => `${one} of project 'tea-shop' is replaced.`));
  expect(said[3]).toContain("section");
  const file = join(hall.workspace, "projects/tea-shop/PROJECT.md");
  const text = () => readFileSync(file, "utf8");
  expect(text()).toContain("## Constraints\n- No coffee.\n- Sugar is fine.\n\n## Tech Stack");
  expect(text()).toContain("## Goals\n1. Sell tea\n2. Sell more tea\n");
  const { events } = (await hall.call("GET", "/api/events/log?project=tea-shop&type=project.updated")).body;
  expect(events[0]).toMatchObject({ actor: { kind: "agent", id: "main" }, after: { section: "Constraints" } });
  expect(events[0]?.after?.diff).toContain(" - No coffee.\n-- No sugar.\n+- Sugar is fine.\n");
  const config = { constraints: { maxTokensPerTask: 9_000 } };
  expect((await hall.call("PUT", "/api/projects/tea-shop", { config })).status).toBe(200);
  expect(text()).toContain("- At most 9000 tokens per task\n\n- No coffee.\n- Sugar is fine.\n");
});

it("suspends, resumes, completes and archives projects, and is refused what is illegal [S3-TOOL-03, S3-TOOL-04, S3-TOOL-05, S3-TOOL-06, S3-LC-05]", async () => {
  const steps = [
    call("archive_project", { name: "shop" }),
    call("suspend_project", { name: "shop" }),
    call("reply", { channelType: "project", channelId: "shop", text: "Hello?" }),
    call("resume_project", { name: "shop" }),
    call("complete_project", { name: "shop" }),
    call("archive_project", { name: "shop" }),
    call("project_status", { name: "shop" }),
  ];
  const { hall, said } = await toldAfter(steps, "Close the shop.");
  expect(said[0]).toContain("cannot become archived");
  expect(said[1]).toContain("is suspended now");
  expect(said[2]).toContain("is suspended; its agent is not running");
  expect(said.slice(3, 6).map((text) => /is (\w+) now/.exec(text)?.[1])).toEqual(["active", "completed", "archived"]);
  expect(said[6]).toContain("Shop (shop) is archived");
  const { events } = (await hall.call("GET", "/api/events/log?project=shop&type=project.moved")).body;
  expect(events.map(({ actor, after }) => [actor.id, after?.status])).toEqual(
    ["suspended", "active", "completed", "archived"].map((status) => ["main", status]),
  );
});

it("knows who it is, whom it works for and what holds everywhere, and answers commands without a model [S3-CON-03, S3-FUT-06, S4-FS-01]", async () => {
  const { hall, provider } = await scriptedHall(() => ({ text: "Good day." }));
  writeFileSync(join(hall.workspace, "IDENTITY.md"), "# Identity\n\nYou are called Hilda.\n");
  writeFileSync(join(hall.workspace, "USER.md"), "# User\n\nLikes tea.\n");
  writeFileSync(join(hall.workspace, "MEMORY.md"), "# Memory\n\nThe shop matters most.\n");
  writeFileSync(join(hall.workspace, "memory/facts/door.md"), "# Door\n\n> Summary: It sticks; push.\n");
  await hall.call("POST", "/api/knowledge", { text: "Prices are in euros.", topic: "conventions" });
  for (const [command, told] of [
    ["/projects", "shop (Shop): active"],
    ["/status", "No active runs."],
    ["/cost", "Today: $0.00"],
    ["/help", "/projects"],
    ["/nonsense", "Unknown command '/nonsense'"],
  ] as const)
    expect(textsOf((await chat(hall, command, 0)).body.answers)[0]).toContain(told);
  expect(provider.requests).toEqual([]);
  expect(textsOf((await chat(hall, "Hello!")).body.answers)).toEqual(["Good day."]);
  for (const told of [
    "You are called Hilda.",
    "Likes tea.",
    "The shop matters most.",
    "It sticks; push.",
    "Prices are in euros.",
  ])
    expect(provider.requests[0]?.system).toContain(told);
  expect(provider.requests.length).toBe(1);
});

it("reads the memory of a project by its path [S3-MEM-04]", async () => {
  const { hall, provider } = await scriptedHall(({ turns }) =>
    turns === 0 ? call("memory_read", { path: "projects/shop/memory/facts/door.md" }) : { text: "It sticks." },
  );
  const facts = join(hall.workspace, "projects/shop/memory/facts");
  mkdirSync(facts, { recursive: true });
  writeFileSync(join(facts, "door.md"), "> Summary: It sticks; push.\n");
  expect(textsOf((await chat(hall, "What about the door of the shop?")).body.answers)).toEqual(["It sticks."]);
  expect(provider.requests[1]?.results[0]?.output).toContain("It sticks; push.");
});

it("is said the same thing once, however often it is sent, and keeps its session over a restart [S3-SES-01, S3-SES-04]", async () => {
  const { hall, provider } = await scriptedHall(({ text }) => ({ text: `You said: ${text.split("\n").at(-1)}` }));
  const twice = [1, 2].map(() => hall.call("POST", "/api/chat?wait=20", { text: "one", id: "m-1" }));
  const answers = (await Promise.all(twice)).map(({ body }) => [body.message.seq, ...textsOf(body.answers)]);
  expect(answers).toEqual([
    [1, "You said: one"],
    [1, "You said: one"],
  ]);
  await hall.stop();
  const next = await startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
  const known = await next.call("POST", "/api/chat?wait=20", { text: "one", id: "m-1" });
  expect(textsOf(known.body.answers)).toEqual(["You said: one"]);
  expect(textsOf((await chat(next, "two")).body.answers)).toEqual(["You said: two"]);
  expect(provider.requests.length).toBe(2);
  expect(JSON.stringify(provider.requests[1]?.body.messages)).toContain("You said: one");
  const { entries } = (await next.call("GET", "/api/session")).body;
  expect(entries.map(({ type }: { type: string }) => type)).toEqual([
    ...["message", "answer", "ended", "message", "answer", "ended"],
  ]);
});

it("does not talk with projects for ever when nobody listens", async () => {
  const { hall, provider } = await scriptedHall((seen) => {
    if (!isMain(seen)) return { text: "And you?" };
    if (!seen.text.includes("[from ")) return { text: "" };
    return call("reply", { channelType: "project", channelId: "shop", text: "How are you?" });
  });
  const { body } = await chat(hall, "Go and chat.", 30);
  expect(body.isOpen).toBe(false);
  const { messages } = (await hall.call("GET", "/api/projects/shop/messages")).body;
  expect(messages.length).toBe(MOST_HOPS);
  const told = textsOf(body.answers).filter((text) => text.includes("Send a message to let them continue."));
  expect(told).toHaveLength(1);
  const count = provider.requests.length;
  expect(count).toBeLessThan(3 * MOST_HOPS);
  expect((await chat(hall, "/help", 0)).status).toBe(201);
  expect(provider.requests.length).toBe(count);
});

it("ends with everything else when all is stopped, and nothing goes on by itself", async () => {
  const { hall, provider } = await scriptedHall(({ text }) =>
    text.includes("again") ? { text: "Yes." } : { hang: true },
  );
  await chat(hall, "Take long.", 0);
  await chat(hall, "And this.", 0);
  await hall.call("POST", "/api/projects/shop/messages", { text: "You too." });
  await provider.request(1);
  await hall.call("POST", "/api/stop");
  const { channels } = (await hall.call("GET", "/api/channels")).body;
  expect(channels.map(({ open }: { open: number }) => open)).toEqual([0, 0]);
  expect(provider.requests.length).toBe(2);
  expect(textsOf((await chat(hall, "Are you there again?")).body.answers)).toEqual(["Yes."]);
  const { body } = await eventually(
    () => hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "You again?" }),
    ({ status }) => status === 201,
  );
  expect(textsOf(body.answers)).toEqual(["Yes."]);
});

it("answers what needs the person from the same data as Now, and its calls stay with the answer", async () => {
  const told: string[] = [];
  const { hall, spawn } = await scriptedHall((seen) => {
    if (!isMain(seen)) return { status: 400, error: { message: "No such model." } };
    told.push(...seen.results.map(({ output }) => output));
    return seen.turns % 2 === 0
      ? { text: "Let me look.", ...call("needs_attention", {}) }
      : { text: "One failed, one is blocked." };
  });
  const failed = (await spawn({ task: { title: "Fails" }, options: { waitForCompletion: true } })).body;
  expect(failed.status).toBe("failed");
  await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
  await hall.call("POST", "/api/projects/mill/tasks", { title: "Grind" });
  await hall.call("POST", "/api/projects/mill/tasks/TASK-001/move", { status: "blocked" });
  const { body } = await chat(hall, "What is going on, and what needs me?");
  const { needsMe } = (await hall.call("GET", "/api/now")).body;
  expect(needsMe).toMatchObject([{ kind: "failed", id: failed.sessionId }]);
  expect(told[0]).toContain(`Needs you (1):\n- shop: Fails (${failed.sessionId}): Failed. ${needsMe[0]?.detail}`);
  expect(told[0]).toContain("Blocked tasks (1):\n- mill: TASK-001 Grind");
  expect(body.answers).toMatchObject([
    {
      text: "One failed, one is blocked.",
      steps: [
        { is: "said", text: "Let me look." },
        { is: "called", tool: "needs_attention", about: "" },
      ],
    },
  ]);
  // A message that names a project is about that one alone.
  await chat(hall, "What needs me in mill?");
  expect(told[1]).not.toContain("Fails");
  expect(told[1]).toContain("mill: TASK-001 Grind");
});

it("answers it without a model, too", async () => {
  const hall = await startHall();
  await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
  await hall.call("POST", "/api/projects/mill/tasks", { title: "Grind" });
  await hall.call("POST", "/api/projects/mill/tasks/TASK-001/move", { status: "blocked" });
  const { body } = await chat(hall, "What is going on, and what needs me?");
  expect(body.answers[0]?.text).toMatch(
    /^Blocked tasks \(1\):\n- mill: TASK-001 Grind\n\nProjects:\n- mill \(Mill\): active/,
  );
  expect(body.answers[0]?.steps).toHaveLength(2);
});
