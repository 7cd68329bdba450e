import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { projectProcess, projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { held, KEY, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest } from "../harness/scripted-provider.ts";
import { writePack } from "../harness/skill-packs.ts";

const say = (hall: Hall, text: string, wait = 20) =>
  hall.call("POST", `/api/projects/shop/messages?wait=${wait}`, { text });
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");

/** The same workspace and provider, in another life of the daemon. */
const again = ({ hall }: ScriptedHall) =>
  startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });

it("is told PROJECT.md, its folder, its board and what it knows, and reads there [S3-DD-08, S3-PMD-09, S3-BOOT-05, S3-CTX-01, S3-TOOL-10]", async () => {
  const { hall, provider } = await scriptedHall((seen) =>
    seen.turns === 0 ? { calls: [{ name: "read", input: { path: "a.txt" } }] } : { text: "Read." },
  );
  const workdir = temporaryFolder();
  writeFileSync(join(workdir, "a.txt"), "the text of a");
  await hall.call("PUT", "/api/projects/shop", { model: "claude/special", workdir });
  appendFileSync(join(hall.workspace, "projects/shop/PROJECT.md"), "\n## House rules\n\nNever sell on Sundays.\n");
  await hall.call("POST", "/api/projects/shop/tasks", { title: "Paint the door" });
  await hall.call("POST", "/api/knowledge", { text: "Prices are in euros.", topic: "conventions", project: "shop" });
  writeFileSync(join(hall.workspace, "USER.md"), "# User\n\nLikes tea.\n");
  const { body } = await say(hall, "Look at a.txt.");
  expect(textsOf(body.answers)).toEqual(["Read."]);
  const [first, second] = provider.requests;
  expect(first).toMatchObject({ model: "special", format: "anthropic" });
  for (const told of ["Never sell on Sundays.", workdir, "TASK-001", "Paint the door", "Prices are in euros."])
    expect(first?.system).toContain(told);
  expect(first?.system).not.toContain("Likes tea.");
  expect(first?.text).toBe("[from the person, project/shop]\nLook at a.txt.");
  expect(second?.results[0]?.output).toContain("the text of a");
});

it("has the model its PROJECT.md names, or else the hall's [S3-DD-09, S3-PMD-04]", async () => {
  const { hall, provider } = await scriptedHall(() => ({ text: "Here." }));
  await say(hall, "Hello.");
  await hall.call("PUT", "/api/projects/shop", { model: "claude/special" });
  await say(hall, "Hello again.");
  expect(provider.requests.map(({ model, format }) => [model, format])).toEqual([
    ["m", "openai-chat"],
    ["special", "anthropic"],
  ]);
});

it("has tools to read, to remember, for its board, its skills and sub-agents, and none of the main agent's [S3-DD-10, S3-TOOL-07, S3-TOOL-08, S3-TOOL-12, S3-TOOL-13]", async () => {
  const { hall, provider } = await scriptedHall(() => ({ text: "Here." }));
  writePack(join(hall.workspace, "projects/shop/skills"), "brew", { body: "How to brew." });
  await say(hall, "Hello.");
  const [first] = provider.requests;
  expect(first?.tools).toEqual(
    expect.arrayContaining([
      ...["read", "memory_write", "spawn_subagent", "notify", "task_create", "task_complete", "use_skill"],
    ]),
  );
  for (const name of ["reply", "create_project", "write", "exec"]) expect(first?.tools).not.toContain(name);
});

it("goes on with the right history after it was suspended in the middle and the daemon was started anew [S3-LC-02, S3-LC-03, S3-SES-05, S3-BOOT-06, S3-SHUT-03]", async () => {
  const hold = held();
  let isHeld = true;
  const scripted = await scriptedHall(async ({ text }) => {
    if (text.includes("second") && isHeld) await hold.opened;
    return { text: `You said: ${text.split("\n").at(-1)}` };
  });
  const { hall, provider } = scripted;
  expect(textsOf((await say(hall, "first")).body.answers)).toEqual(["You said: first"]);
  const asked = await say(hall, "second", 0);
  expect(asked.body.isOpen).toBe(true);
  await provider.request(1);
  isHeld = false;
  hold.open();
  expect((await hall.call("POST", "/api/projects/shop/move", { status: "suspended" })).status).toBe(200);
  expect((await say(hall, "third")).body.error).toMatchObject({ code: "project_closed" });
  await untilNoProcess(hall.workspace);
  await hall.stop();
  const next = await again(scripted);
  expect(projectProcesses(next.workspace)).toEqual([]);
  await next.call("POST", "/api/projects/shop/move", { status: "active" });
  const { body } = await say(next, "fourth");
  expect(textsOf(body.answers)).toEqual(["You said: fourth"]);
  const history = JSON.stringify(provider.requests.at(-1)?.body.messages);
  const places = ["first", "You said: first", "second", "You said: second", "fourth"].map((text) =>
    history.indexOf(text),
  );
  expect(places).toEqual([...places].sort((left, right) => left - right));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  const { body: said } = await next.call("GET", "/api/projects/shop/messages");
  expect(textsOf(said.messages)).toEqual([
    ...["first", "You said: first", "second", "You said: second", "fourth", "You said: fourth"],
  ]);
});

it("answers a message once although its process is killed, and the main agent learns of it [S3-CA-05, S3-WT-01]", async () => {
  const hold = held();
  let isHeld = true;
  const { hall, provider } = await scriptedHall(async (seen) => {
    if (isHeld) await hold.opened;
    return { text: isMain(seen) ? "I heard of it." : "Here I am." };
  });
  await say(hall, "Are you there?", 0);
  await provider.request(0);
  const pid = projectProcess(hall.workspace);
  isHeld = false;
  process.kill(pid, "SIGKILL");
  const { messages } = await eventually(
    async () => (await hall.call("GET", "/api/projects/shop/messages")).body,
    ({ messages: said }) => said.some(({ to }: { to: string }) => to === "person"),
  );
  expect(textsOf(messages.filter(({ to }: { to: string }) => to === "person"))).toEqual(["Here I am."]);
  expect(provider.requests.filter(isMain)).toEqual([]);
  await hall.call("POST", "/api/chat?wait=20", { text: "What happened?" });
  expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain(
    "The process of project 'shop' crashed: signal SIGKILL",
  );
});

it("has a sub-agent do work and tells whoever asked when it is told of the end [S3-TOOL-07, S3-CON-02]", async () => {
  const { hall, provider } = await scriptedHall((seen) => {
    if (seen.tools.includes("report")) return { text: "The note is written." };
    // Told of the end, and reminded that it saved nothing it learned.
    if (/\) completed\.|^Before you finish/.test(seen.text)) return { text: "It is done: the note is written." };
    if (seen.results.length > 0) return { text: "A coder is at it." };
    return { calls: [{ name: "spawn_subagent", input: { role: "coder", title: "Write a note" } }] };
  });
  await hall.call("POST", "/api/projects/shop/team", { roleId: "coder" });
  const { body } = await say(hall, "Have a note written.");
  // The coder may be done before the request is answered, and then so is the second answer.
  expect(textsOf(body.answers)[0]).toBe("A coder is at it.");
  const done = await eventually(
    async () => (await hall.call("GET", "/api/projects/shop/messages")).body.messages,
    (messages) => messages.length === 4,
  );
  expect(done[2]).toMatchObject({ from: "hall", to: "project", root: body.message.id });
  expect(done[2]?.text).toContain("The note is written.");
  expect(done[3]).toMatchObject({ from: "project", to: "person", text: "It is done: the note is written." });
  const { runs } = (await hall.call("GET", "/api/runs")).body;
  expect(runs).toMatchObject([{ title: "Write a note", roleId: "coder", status: "completed" }]);
  expect(provider.requests.length).toBe(5);
});

it("stops an answer and not the agent, whose next answer comes", async () => {
  const { hall, provider } = await scriptedHall(({ text }) =>
    text.includes("Still there?") ? { text: "Yes." } : { hang: true },
  );
  await say(hall, "Take long.", 0);
  await provider.request(0);
  expect((await hall.call("POST", "/api/projects/shop/messages/stop")).body).toEqual({ success: true, stopped: true });
  expect(textsOf((await say(hall, "Still there?")).body.answers)).toEqual(["Yes."]);
  expect((await hall.call("POST", "/api/projects/shop/messages/stop")).body.stopped).toBe(false);
  const { entries } = (await hall.call("GET", "/api/projects/shop/session")).body;
  expect(entries.filter(({ type }: { type: string }) => type === "ended")).toMatchObject([
    { outcome: "stopped" },
    { outcome: "answered" },
  ]);
});

it("is refused by name when there is none, when it is closed, and when its folder is gone", async () => {
  const { hall } = await scriptedHall([]);
  expect((await hall.call("POST", "/api/projects/none/messages", { text: "Hello" })).status).toBe(404);
  expect((await hall.call("GET", "/api/projects/none/session")).status).toBe(404);
  expect((await hall.call("GET", "/api/projects/shop/session?file=../../x")).status).toBe(404);
  expect((await say(hall, " ")).status).toBe(422);
  const workdir = join(temporaryFolder(), "gone");
  mkdirSync(workdir);
  await hall.call("PUT", "/api/projects/shop", { workdir });
  rmSync(workdir, { recursive: true });
  const { body } = await say(hall, "Hello");
  expect(body.answers).toMatchObject([{ from: "hall", to: "person" }]);
  expect(body.answers[0]?.text).toContain(workdir);
});
