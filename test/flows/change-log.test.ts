import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { ChangeLog } from "../../src/store/changes/change-log.ts";
import { Files } from "../../src/store/files/files.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { furnish, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { wanted } from "../harness/workspace.ts";

const CHANGES = "state/changes";
/** The name of its team ends in the middle of a sign. */
const LONG_GOAL = `${"a".repeat(58)}🚪 opens`;
/** Generated, rebuildable, written by the project's process alone, or never looked at by the hall. */
const NOT_DOCUMENTS =
  /^(?:\.guildhall|state|costs|playbooks)\/|\/\.highwatermark$|(?:^|\/)(?:TEAM|README)\.md$|^session\/|\/session\/|\/runs\/\d{4}-\d\d-\d\d\//;

function documentsIn(root: string, folder = "."): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(root, folder)).map((name) => {
      const path = folder === "." ? name : `${folder}/${name}`;
      if (statSync(join(root, path)).isDirectory()) return documentsIn(root, path);
      return NOT_DOCUMENTS.test(path) ? {} : { [path]: readFileSync(join(root, path), "utf8") };
    }),
  );
}

function logged({ workspace }: Hall): string {
  return readdirSync(join(workspace, CHANGES))
    .map((name) => readFileSync(join(workspace, CHANGES, name), "utf8"))
    .join("");
}

async function untilTold(hall: Hall, type: string, id: string): Promise<void> {
  const events = async () =>
    (await hall.call("GET", "/api/events/log?tail=1000")).body.events as Pick<HallEvent, "type" | "subject">[];
  await eventually(events, (all) => all.some((event) => event.type === type && event.subject.id === id));
}

/** One of everything that changes a document. */
async function work(hall: Hall): Promise<void> {
  const shop = "/api/projects/shop";
  await furnish(hall, { play: "turns:\n  - text: All done.\n" });
  await wanted(200, hall.call("PUT", "/api/roles/worker", { description: "Works." }));
  await wanted(200, hall.call("PUT", shop, { description: "Sells things.", goals: ["Sell"] }));
  for (const title of ["One", "Two", "Three"]) await wanted(201, hall.call("POST", `${shop}/tasks`, { title }));
  await wanted(200, hall.call("POST", `${shop}/tasks/TASK-001/move`, { status: "in-progress" }));
  await wanted(200, hall.call("PUT", `${shop}/tasks/TASK-001`, { notes: "Half way: ½ \u2028 done" }));
  await wanted(200, hall.call("PUT", `${shop}/context`, { path: "c.md", content: "# Context\n" }));
  await wanted(201, hall.call("POST", `${shop}/artifacts`, { name: "a.md", content: "# A\n" }));
  await wanted(201, hall.call("POST", `${shop}/initiatives`, { title: "Launch" }));
  await wanted(201, hall.call("POST", "/api/knowledge", { project: "shop", text: "Tabs are four wide." }));
  await untilOver(hall, await spawnRun(hall, "play", "Do it"));
  await ofPeople(hall);
  await ofTeams(hall);
}

/** Questions and answers, and what follows from them. */
async function ofPeople(hall: Hall): Promise<void> {
  const ask = (question: string) =>
    wanted(201, hall.call("POST", "/api/escalations", { type: "question", question, projectId: "shop" }));
  const asked = [await ask("Which door?"), await ask("Which key?"), await ask("Which lock?")];
  const [first, second] = asked.map(({ escalation }) => `/api/escalations/${escalation?.id}` as const);
  const answer = { resolution: "The blue one.", always: true };
  await wanted(200, hall.call("POST", `${first}/resolve`, answer));
  await wanted(200, hall.call("POST", `${second}/dismiss`, { reason: "Not now." }));
}

/** A team's document, facts and question, a trigger, a lead and its pages, and the notes of the day. */
async function ofTeams(hall: Hall): Promise<void> {
  const trigger = { name: "nightly", projectId: "shop", on: { cron: "0 3 1 1 *" }, do: { message: "Look." } };
  await wanted(201, hall.call("POST", "/api/triggers", trigger));
  await wanted(200, hall.call("POST", "/api/triggers/nightly/pause"));
  const { team } = await wanted(201, hall.call("POST", "/api/projects/shop/teams", { goal: LONG_GOAL }));
  expect([team.name.length, team.name.isWellFormed()]).toEqual([59, true]);
  await wanted(200, hall.call("POST", `/api/teams/${team.id}/stop`));
  await wanted(200, hall.call("POST", "/api/orchestrator/pause"));
  await eventually(
    async () => (await hall.call("GET", `/api/teams/${team.id}`)).body.team.status,
    (status) => status === "stopped",
  );
  await eventually(
    () => readdirSync(join(hall.workspace, `projects/shop/teams/${team.id}`)),
    (names) => names.includes("report.md"),
  );
}

async function byHand(hall: Hall): Promise<void> {
  const at = (path: string) => join(hall.workspace, "projects/shop", path);
  const task = readFileSync(at("TASKS/todo/TASK-002.md"), "utf8");
  writeFileSync(at("TASKS/todo/TASK-002.md"), task.replaceAll("Two", "By hand"));
  await untilTold(hall, "task.updated", "TASK-002");
  rmSync(at("TASKS/todo/TASK-003.md"));
  await untilTold(hall, "task.removed", "TASK-003");
  writeFileSync(at("CONTEXT/hand.md"), Buffer.from([35, 32, 255, 10]));
  await untilTold(hall, "document.written", "CONTEXT/hand.md");
}

describe("the change log", () => {
  it("yields every document byte for byte when it is replayed into an empty folder", async () => {
    const hall = await startHall();
    await work(hall);
    await byHand(hall);
    const copy = temporaryFolder();
    cpSync(join(hall.workspace, CHANGES), join(copy, CHANGES), { recursive: true });
    const documents = documentsIn(hall.workspace);
    const log = await ChangeLog.open(new Files(copy));
    expect(documentsIn(copy)).toEqual(documents);
    const paths = Object.keys(documents);
    expect(paths.length).toBeGreaterThan(30);
    for (const kind of [
      /^escalations\/resolved\//,
      /^policies\/answers\.yml$/,
      /\/triggers\//,
      /\/teams\/.*\/state\.jsonl$/,
    ])
      expect(paths).toContainEqual(expect.stringMatching(kind));
    await log.close();
  });

  it("holds nothing of a project that was purged, and nothing at all after a stop", async () => {
    const hall = await startHall();
    await furnish(hall, {});
    await wanted(201, hall.call("POST", "/api/projects/shop/tasks", { title: "Very secret" }));
    expect(logged(hall)).toContain("Very secret");
    await wanted(200, hall.call("DELETE", "/api/projects/shop?purge=true"));
    expect(logged(hall)).not.toContain("Very secret");
    await wanted(201, hall.call("POST", "/api/projects", { id: "next", name: "Next" }));
    await hall.stop();
    expect(logged(hall)).toBe("");
    expect(existsSync(join(hall.workspace, "projects/next/PROJECT.json"))).toBe(true);
  });
});
