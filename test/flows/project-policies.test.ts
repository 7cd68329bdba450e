import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentsOf, eventsOf } from "../harness/board.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { KEY, scriptedHall } from "../harness/scripted-hall.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { refused, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const TEN_DAYS_MS = 10 * 86_400_000;

/** As if nobody had touched a project's files for ten days. */
function age(folder: string): void {
  const then = new Date(Date.now() - TEN_DAYS_MS);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
}

const untilSuspended = (workspace: Workspace, id: string) =>
  eventually(
    () => workspace.project(id),
    (project) => project.status === "suspended",
  );

describe("a project in which nothing happens", () => {
  it("is suspended when its time is over, says why in the log and when it is shown, and can be resumed [S3-FUT-04 S3-LC-02]", async () => {
    const before = await startWorkspace();
    for (const id of ["quiet", "edited", "spoken-to"]) await before.addProject({ id, name: id });
    const workspace = await before.restart(() => {
      for (const id of ["quiet", "edited", "spoken-to"]) age(before.at(`projects/${id}`));
      before.edit("projects/edited/PROJECT.md", "Why the project exists.", "It came of a talk.");
      before.write("projects/spoken-to/channel.jsonl", "");
    });
    const project = await untilSuspended(workspace, "quiet");
    expect(project.suspendedWhy).toMatch(/^No activity for 7 days, since \d{4}-\d\d-\d\d$/);
    const events = await eventsOf(workspace.hall);
    expect(events.find(({ type, projectId }) => type === "project.moved" && projectId === "quiet")).toMatchObject({
      actor: { kind: "daemon" },
      why: project.suspendedWhy,
    });
    const shown = await commandLine(["project", "show", "quiet"], { workspace: workspace.hall.workspace });
    expect(shown.stdout).toContain(`suspended: ${project.suspendedWhy}`);
    for (const id of ["edited", "spoken-to"]) expect((await workspace.project(id)).status).toBe("active");
    await wanted(200, workspace.call("POST", "/api/projects/quiet/move", { status: "active" }));
    const after = await workspace.restart();
    expect(await after.project("quiet")).toMatchObject({ status: "active" });
    expect(await after.project("quiet")).not.toHaveProperty("suspendedWhy");
  });

  it("is held back once when its agent left a task in progress, and its agent is told [S4-HOOK-10]", async () => {
    const before = await scriptedHall(
      ({ text, turns }) =>
        text.includes("begin") && turns === 0
          ? { calls: [{ name: "task_update", input: { id: "TASK-001", status: "in-progress" } }] }
          : { text: "Noted." },
      { config: { projects: { suspendAfterDays: 7 } } },
    );
    const { hall, provider } = before;
    await hall.call("POST", "/api/projects/shop/tasks", { title: "Paint the door" });
    await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Please begin." });
    await hall.stop();
    const again = () => {
      age(join(hall.workspace, "projects/shop"));
      return startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
    };
    const second = await again();
    const told = await eventually(
      async () => (await second.call("GET", "/api/projects/shop/messages")).body.messages.at(-1),
      (message) => message?.text.includes("about to be suspended") === true,
    );
    expect(told?.text).toContain("TASK-001 is in progress, but no run is working on it.");
    expect((await second.call("GET", "/api/projects/shop")).body.project.status).toBe("active");
    await eventually(
      async () => provider.requests.some(({ text }) => text.includes("about to be suspended")),
      (isAsked) => isAsked,
    );
    await second.stop();
    const third = await again();
    await eventually(
      async () => (await third.call("GET", "/api/projects/shop")).body.project.status,
      (status) => status === "suspended",
    );
  });

  it("stays as it is while a run of it is not settled", async () => {
    const slow = "turns: [{delayMs: 60000, text: Done.}]\n";
    const config = { projects: { suspendAfterDays: 0.000001 } };
    const hall = await furnish(await startHall(undefined, { config: "projects: {suspendAfterDays: 0}\n" }), { slow });
    await hall.call("POST", "/api/projects", { id: "idle", name: "Idle" });
    await spawnRun(hall, "slow", "still at work");
    await hall.stop();
    for (const id of [PROJECT, "idle"]) age(join(hall.workspace, "projects", id));
    const again = await startHall(hall.workspace, { config });
    const status = async (id: string) => (await again.call("GET", `/api/projects/${id}`)).body.project.status;
    await eventually(
      () => status("idle"),
      (now) => now === "suspended",
    );
    expect(await status(PROJECT)).toBe("active");
  });
});

describe("a completed project", () => {
  it("is archived after its time where the person wants that, says why, and every file stays [S3-LC-05]", async () => {
    let ahead = 0;
    const clock = () => new Date(Date.now() + ahead);
    const hall = await startHall(undefined, { clock });
    for (const id of ["done", "open"]) await hall.call("POST", "/api/projects", { id, name: id });
    await hall.call("POST", "/api/projects/done/tasks", { title: "Paint the door" });
    await hall.call("PUT", "/api/projects/done/context", { path: "notes.md", content: "Blue." });
    await hall.call("POST", "/api/projects/done/move", { status: "completed" });
    const filesOf = () => Object.keys(contentsOf(join(hall.workspace, "projects/done"))).sort();
    const files = filesOf();
    ahead = TEN_DAYS_MS;
    const at = async (config: object) => {
      const again = await startHall(hall.workspace, { clock, config });
      return {
        again,
        status: async (id: string) => (await again.call("GET", `/api/projects/${id}`)).body.project.status,
      };
    };
    await hall.stop();
    const off = await at({ projects: { suspendAfterDays: 0 } });
    expect(await off.status("done")).toBe("completed");
    await off.again.stop();
    const on = await at({ projects: { suspendAfterDays: 0, archiveAfterDays: 9 } });
    await eventually(
      () => on.status("done"),
      (status) => status === "archived",
    );
    expect(await on.status("open")).toBe("active");
    expect(filesOf()).toEqual(files);
    const { events } = (await on.again.call("GET", "/api/events/log?project=done&type=project.moved")).body;
    expect(events.at(-1)).toMatchObject({ actor: { kind: "daemon" }, after: { status: "archived" } });
    expect(events.at(-1)?.why).toMatch(/^Completed for 9 days, since \d{4}-\d\d-\d\d$/);
  });
});

describe("the heartbeat", () => {
  it("is off unless configured; then the daemon asks agents of active projects to look around [S3-FUT-01]", async () => {
    const hall = await furnish(await startHall(), { look: "turns: [{text: Nothing new.}]\n" });
    await hall.call("PUT", `/api/projects/${PROJECT}`, { model: "offline/look" });
    await hall.call("POST", "/api/projects", { id: "asleep", name: "Asleep", model: "offline/look" });
    await hall.call("POST", "/api/projects/asleep/move", { status: "suspended" });
    const messagesOf = async (of: Hall, id: string) =>
      (await of.call("GET", `/api/projects/${id}/messages`)).body.messages;
    expect(await messagesOf(hall, PROJECT)).toEqual([]);
    await hall.stop();
    const again = await startHall(hall.workspace, { config: { projects: { heartbeatMinutes: 1 } } });
    await eventually(
      async () => JSON.stringify((await again.call("GET", `/api/projects/${PROJECT}/session`)).body),
      (session) => session.includes("Nothing new."),
    );
    const regular = { from: "hall", to: "project", text: expect.stringContaining("Regular check") };
    expect(await messagesOf(again, PROJECT)).toMatchObject([regular]);
    expect(await messagesOf(again, "asleep")).toEqual([]);
  });
});

describe("a project made from a template", () => {
  it("has the template's goals, background and constraints in its files, and what the person said instead [S3-FUT-02]", async () => {
    const workspace = await startWorkspace();
    const { templates } = await wanted(200, workspace.call("GET", "/api/projects/templates"));
    expect(templates.map(({ id }) => id)).toEqual(["software", "research", "operations", "writing"]);
    const { goals = [], background = "" } = templates[0] ?? {};
    await workspace.addProject({ id: "mill", name: "Mill", template: "software", description: "A mill." });
    const text = workspace.text("projects/mill/PROJECT.md");
    for (const words of [...goals, background, "A mill."]) expect(text).toContain(words);
    expect((await workspace.project("mill")).config.constraints).toEqual({ requireReview: true });
    await refused("template_not_found", workspace.call("POST", "/api/projects", { name: "X", template: "castle" }));
    await refused("invalid", workspace.call("POST", "/api/projects", { name: "Templates" }));
  });

  it("works at the command line as well", async () => {
    const { hall } = await startWorkspace();
    const made = await commandLine(["project", "create", "Tide", "--template", "research", "--json"], hall);
    expect(JSON.parse(made.stdout).project.config.goals).toContain("Open questions are stated clearly");
  });
});

describe("a project that is suspended, completed or archived", () => {
  it("has no process, and its session and memory are as they were [S3-LC-07]", async () => {
    const hall = await furnish(await startHall(), { quick: "turns: [{text: Done.}]\n" });
    await untilOver(hall, await spawnRun(hall, "quick", "one"));
    expect(projectProcesses(hall.workspace)).toHaveLength(1);
    const root = join(hall.workspace, "projects", PROJECT);
    writeFileSync(join(root, "session/current.jsonl"), '{"type":"message","text":"kept"}\n');
    writeFileSync(join(root, "memory/facts/kept.md"), "> Summary: kept\n");
    const kept = () => ["session", "memory"].map((folder) => contentsOf(join(root, folder)));
    const before = kept();
    for (const status of ["suspended", "completed", "archived"]) {
      expect((await hall.call("POST", `/api/projects/${PROJECT}/move`, { status })).status).toBe(200);
      await untilNoProcess(hall.workspace);
      expect(kept()).toEqual(before);
    }
  });
});
