import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROJECT_STATUSES } from "../../src/contract/documents/project.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { contentOf, held, KEY, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { writePack } from "../harness/skill-packs.ts";
import { afterAllTests, type Cleaner } from "../harness/temporary-folder.ts";

const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");
const isOf = (name: string, { system }: SeenRequest) => system.includes(`# Project ${name}\n`);
const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const say = (hall: Hall, project: string, text: string, wait = 20) =>
  hall.call("POST", `/api/projects/${project}/messages?wait=${wait}`, { text });
const inProject = ({ workspace }: Hall, id: string, path: string) =>
  readFileSync(join(workspace, "projects", id, path), "utf8");
const resultsOf = (talk: SeenRequest[] = []) => talk.flatMap(({ results }) => results.map(({ output }) => output));
const statusOf = async (hall: Hall, id: string) => (await hall.call("GET", `/api/projects/${id}`)).body.project.status;

/** The same workspace and provider, in another life of the daemon. */
const again = ({ hall }: ScriptedHall) =>
  startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });

/** Bytes a process has read, from wherever. */
const bytesRead = (pid: number) => Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);

/** Which of the processes hold a connection to a port of loopback. */
function connectedTo(port: number, pids: readonly number[]): number[] {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  const sockets = new Set(lines.filter((words) => words[2] === remote).map((words) => `socket:[${words[9]}]`));
  const holds = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  return pids.filter(holds);
}

/** Both talk at once, use every kind of tool, and reach for what is the other's. */
async function liveSideBySide(later: Cleaner) {
  const both = held(later);
  const talks: Record<string, SeenRequest[]> = { Shop: [], Web: [] };
  const large = "x".repeat(79).concat("\n").repeat(25_000);
  const script = async (seen: SeenRequest) => {
    const name = isOf("Shop", seen) ? "Shop" : "Web";
    const talk = talks[name] as SeenRequest[];
    const [other, skill] = name === "Shop" ? ["web", "brew"] : ["shop", "weave"];
    const step = talk.push(seen);
    if (step === 1) await both.opened;
    return (
      [
        call("read", { path: "note.txt" }),
        call("memory_write", { path: "facts/own.md", content: `${name} remembers.\n` }),
        call("memory_read", { path: `projects/${other}/memory/facts/own.md` }),
        call("read", { path: `../${other}/note.txt` }),
        call("use_skill", { name: skill }),
        call("use_skill", { name: skill === "brew" ? "weave" : "brew" }),
        call("search", { pattern: "needle", path: "large.txt" }),
        call("task_create", { title: `Task of ${name}` }),
      ][step - 1] ?? { text: `${name} is done.` }
    );
  };
  const { hall, provider } = await scriptedHall(script, { later });
  await hall.call("POST", "/api/projects", { id: "web", name: "Web" });
  const above = temporaryFolder(later);
  for (const id of ["shop", "web"]) {
    mkdirSync(join(above, id));
    writeFileSync(join(above, id, "note.txt"), `the note of ${id}`);
    await hall.call("PUT", `/api/projects/${id}`, { workdir: join(above, id) });
    writePack(join(hall.workspace, "projects", id, "skills"), id === "shop" ? "brew" : "weave", {
      body: `How ${id} does it.`,
    });
  }
  writeFileSync(join(above, "shop/large.txt"), large);
  const answering = [say(hall, "shop", "Go, shop."), say(hall, "web", "Go, web.")];
  await provider.request(1);
  const pids = projectProcesses(hall.workspace);
  // The daemon runs in this process.
  const connected = connectedTo(Number(new URL(provider.url).port), [...pids, process.pid]);
  const before = [...pids, process.pid].map(bytesRead);
  both.open();
  const answers = (await Promise.all(answering)).map(({ body }) => textsOf(body.answers));
  const read = [...pids, process.pid].map((pid, at) => bytesRead(pid) - (before[at] ?? 0));
  return { hall, above, talks, pids, connected, answers, read, large };
}

describe("two projects side by side", () => {
  const later = afterAllTests();
  let story: Awaited<ReturnType<typeof liveSideBySide>>;
  beforeAll(async () => {
    story = await liveSideBySide(later);
  });
  const eachOf = [
    ["Shop", "shop", "web", "brew"],
    ["Web", "web", "shop", "weave"],
  ] as const;

  it("work at the same time, each in a process of its own that stays for what comes next [S3-DD-06, S3-DD-11, S3-WT-02, S3-LC-06]", async () => {
    const { hall, pids, answers } = story;
    expect(new Set(pids).size).toBe(2);
    expect(answers).toEqual([["Shop is done."], ["Web is done."]]);
    const lines = inProject(hall, "shop", "session/current.jsonl").split("\n").length;
    await say(hall, "shop", "Go on, shop.");
    expect(inProject(hall, "shop", "session/current.jsonl").split("\n").length).toBe(lines + 3);
    expect(projectProcesses(hall.workspace).sort()).toEqual(pids.sort());
  });

  it("run tools in their processes, and leave model calls to the daemon [S3-DD-12, S3-DD-13]", () => {
    const { connected, read, large } = story;
    expect(connected).toEqual([process.pid]);
    expect(read.slice(0, 2).filter((bytes) => bytes > large.length)).toHaveLength(1);
    expect(read[2]).toBeLessThan(large.length);
  });

  it.each(eachOf)(
    "have session, memory, skills and runs in a folder of their own, and work in another: %s [S3-DD-02, S3-DD-03, S3-TOOL-11, S3-BOOT-04]",
    (name, id, other, skill) => {
      const { hall, above, talks } = story;
      const [note, , , , own] = resultsOf(talks[name]);
      expect(note).toContain(`the note of ${id}`);
      expect(own).toContain(`How ${id} does it.`);
      const session = inProject(hall, id, "session/current.jsonl");
      expect([session.includes(`Go, ${id}.`), session.includes(`Go, ${other}.`)]).toEqual([true, false]);
      expect(inProject(hall, id, "memory/facts/own.md")).toContain(`${name} remembers.`);
      expect(inProject(hall, id, `skills/${skill}/SKILL.md`)).toContain(`How ${id} does it.`);
      expect(inProject(hall, id, "runs/index.jsonl")).toBe("");
      expect(readdirSync(join(above, id)).sort()).toEqual(id === "shop" ? ["large.txt", "note.txt"] : ["note.txt"]);
      expect(inProject(hall, id, "TASKS/todo/TASK-001.md")).toContain(`Task of ${name}`);
    },
  );

  it.each(eachOf)(
    "see nothing of each other's talk, memory, skills and files: %s [S3-DD-04, S3-WT-05]",
    async (name, id, other) => {
      const { hall, talks } = story;
      const [, , memory, outside, , foreign] = resultsOf(talks[name]);
      expect(foreign).not.toContain(`How ${other} does it.`);
      expect(memory).toContain("is not a memory file");
      expect(outside).toContain("leaves the folder");
      const all = JSON.stringify(talks[name]?.map(({ body }) => body));
      for (const theirs of [`Go, ${other}.`, `the note of ${other}`, `${other} remembers`, `How ${other} does it.`])
        expect(all.toLowerCase()).not.toContain(theirs.toLowerCase());
      const { messages } = (await hall.call("GET", `/api/projects/${id}/messages`)).body;
      expect(textsOf(messages).slice(0, 2)).toEqual([`Go, ${id}.`, `${name} is done.`]);
      expect(JSON.stringify(messages)).not.toContain(`Go, ${other}.`);
    },
  );
});

it("a project that is told more, works on, and speaks up when it is finished, is completed and archived by the main agent [S3-CON-01, S3-CON-04, S3-DD-14, S3-CTX-03, S3-LC-04]", async () => {
  const refused = held();
  const { hall } = await scriptedHall(async (seen) => {
    // The run goes on only when the project's agent was kept from finishing its task meanwhile.
    if (seen.tools.includes("report")) await refused.opened;
    if (seen.results.some(({ output }) => output.includes("is working on TASK-001"))) refused.open();
    return finishing(seen);
  });
  const { body } = await hall.call("POST", "/api/chat?wait=20", { text: "Make a tea shop. Tea is green." });
  // The run may have ended by then, or not: what came of it is looked at below.
  expect(textsOf(body.answers)[0]).toBe("I have told its agent.");
  const said = await eventually(
    async () => (await hall.call("GET", "/api/chat")).body.messages,
    (messages) => messages.length === 3,
  );
  expect(said[2]).toMatchObject({ from: "main", to: "person", text: "The tea shop is finished." });
  await untilNoProcess(hall.workspace);
  expect(await statusOf(hall, "tea-shop")).toBe("completed");
  expect(inProject(hall, "tea-shop", "PROJECT.md")).toMatch(/^status: completed$/m);
  const { events } = (await hall.call("GET", "/api/events/log?project=tea-shop")).body;
  const ofProject = events.filter(({ type }: { type: string }) => type.startsWith("project."));
  expect(ofProject.map(({ type, actor }) => [type, actor.id])).toEqual([
    ["project.created", "main"],
    ["project.moved", "main"],
  ]);
  expect((await hall.call("GET", "/api/projects/tea-shop/tasks")).body.tasks).toMatchObject([
    { title: "Write a note" },
  ]);
  expect((await say(hall, "tea-shop", "Hello?")).body.error).toMatchObject({ code: "project_closed" });
  const kept = Object.entries(contentOf(join(hall.workspace, "projects/tea-shop")));
  const lasting = kept.filter(([path]) => !/^(?:PROJECT\.(?:md|json)|channel\.jsonl)$/.test(path));
  expect(lasting.map(([path]) => path)).toEqual(
    expect.arrayContaining(["session/current.jsonl", "memory/facts/tea.md"]),
  );
  await hall.call("POST", "/api/chat?wait=20", { text: "Put the tea shop away." });
  expect(await statusOf(hall, "tea-shop")).toBe("archived");
  expect(contentOf(join(hall.workspace, "projects/tea-shop"))).toMatchObject(Object.fromEntries(lasting));
  expect(projectProcesses(hall.workspace)).toEqual([]);
});

/** The main agent makes a project and tells it more; the project has something written, and reports when that is done. */
function finishing(seen: SeenRequest): Turn {
  const { text, results, tools } = seen;
  if (tools.includes("report")) return { text: "The note is written." };
  if (isMain(seen)) {
    if (text.includes("Make a tea shop")) return call("create_project", { name: "Tea Shop", goal: "Sell tea." });
    if (results[0]?.output.includes("'tea-shop' is active"))
      return call("reply", {
        channelType: "project",
        channelId: "tea-shop",
        text: "Tea is green. Have a note written.",
      });
    if (results[0]?.output.includes("has your message")) return { text: "I have told its agent." };
    if (text.includes("I am finished")) return call("complete_project", { name: "tea-shop" });
    if (results[0]?.output.includes("is completed now"))
      return call("reply", { channelType: "http", channelId: "default", text: "The tea shop is finished." });
    if (text.includes("Put the tea shop away")) return call("archive_project", { name: "tea-shop" });
    return { text: "" };
  }
  if (text.includes("Tea is green.") && seen.system.includes("Sell tea.") && !seen.system.includes("Tea is green."))
    return {
      calls: [
        { name: "memory_write", input: { path: "facts/tea.md", content: "Tea is green.\n" } },
        { name: "memory_append", input: { path: "../PROJECT.md", text: "Only green tea." } },
        { name: "spawn_subagent", input: { role: "coder", title: "Write a note" } },
        { name: "task_complete", input: { id: "TASK-001", summary: "Done." } },
      ],
    };
  if (text.includes(") completed.")) return call("notify", { text: "I am finished: the note is written." });
  return { text: "" };
}

it("comes back from its files alone: what is active goes on, what is not stays as it is [S3-START-01, S3-START-02, S3-START-03, S3-DD-05, S3-LC-07]", async () => {
  const first = { shop: held(), web: held() };
  let isFirstLife = true;
  const scripted = await scriptedHall(async ({ text }) => {
    if (text.includes("shop first")) await first.shop.opened;
    if (text.includes("web first")) await first.web.opened;
    if (isFirstLife && text.includes("asked")) return { hang: true };
    return { text: `Answer: ${text.split("\n").at(-1)}` };
  });
  const { hall, provider } = scripted;
  for (const id of ["web", "old", "gone"]) await hall.call("POST", "/api/projects", { id, name: id });
  for (const id of ["old", "gone"]) await hall.call("POST", `/api/projects/${id}/move`, { status: "completed" });
  await hall.call("POST", "/api/projects/gone/move", { status: "archived" });
  for (const id of ["shop", "web"]) for (const what of ["first", "asked"]) await say(hall, id, `${id} ${what}`, 0);
  await provider.request(1);
  // While its process still ends, it is what it was made.
  const suspending = hall.call("POST", "/api/projects/web/move", { status: "suspended" });
  const seen = new Set<string>();
  const watching = eventually(
    async () => seen.add(await statusOf(hall, "web")),
    (statuses) => statuses.has("suspended"),
  );
  await watching;
  first.web.open();
  await suspending;
  const four = ["active", "suspended", "completed", "archived"];
  expect([...PROJECT_STATUSES].sort()).toEqual([...four].sort());
  for (const status of seen) expect(four).toContain(status);
  expect((await hall.call("POST", "/api/projects/shop/move", { status: "stopping" })).status).toBe(422);
  const stopping = hall.stop();
  first.shop.open();
  await stopping;
  await untilNoProcess(hall.workspace);
  for (const name of ["index.db", "index.db-wal", "index.db-shm"])
    rmSync(join(hall.workspace, ".guildhall", name), { force: true });
  isFirstLife = false;
  const next = await again(scripted);
  const said = async (id: string) => textsOf((await next.call("GET", `/api/projects/${id}/messages`)).body.messages);
  await eventually(
    () => said("shop"),
    ({ length }) => length === 4,
  );
  expect((await said("shop")).slice(2)).toEqual(["Answer: shop first", "Answer: shop asked"]);
  const { projects } = (await next.call("GET", "/api/projects")).body;
  const statuses = projects.map(({ id, status }: { id: string; status: string }) => [id, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    shop: "active",
    web: "suspended",
    old: "completed",
    gone: "archived",
  });
  expect(projectProcesses(next.workspace).length).toBe(1);
  const askedOf = (text: string) => provider.requests.filter((request) => request.text.includes(text)).length;
  const before = askedOf("web asked");
  expect((await said("web")).slice(2)).toEqual(["Answer: web first"]);
  await next.call("POST", "/api/projects/web/move", { status: "active" });
  await eventually(
    () => said("web"),
    ({ length }) => length === 4,
  );
  expect((await said("web")).at(-1)).toBe("Answer: web asked");
  expect(askedOf("web asked")).toBe(before + 1);
});
