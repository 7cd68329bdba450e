import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { Files } from "../store/files/files.ts";
import { Heartbeat, type HeartbeatParts } from "./heartbeat.ts";

const MINUTE = 60_000;
type Known = { path: string; etag: string };

/** Two active projects whose known files a test changes, an agent that hears, and a clock that a test moves. */
function stage(everyMinutes = 10) {
  const root = temporaryFolder();
  mkdirSync(join(root, "state"));
  mkdirSync(join(root, "projects/alpha"), { recursive: true });
  writeFileSync(join(root, "projects/alpha/MEMORY.md"), "# Memory\n");
  const known: Known[] = [
    { path: "projects/alpha/TASKS/todo/TASK-001.md", etag: "1" },
    { path: "projects/beta/TASKS/todo/TASK-001.md", etag: "1" },
  ];
  const state = { now: 1_000_000, active: ["alpha"], unread: new Set<string>(), takes: true };
  const told: { projectId: string; text: string; id: string }[] = [];
  const records = {
    projects: { list: ({ after }: { after: string }) => (after === "" ? state.active.map((id) => ({ id })) : []) },
    followed: { below: (folder: string) => known.filter(({ path }) => path.startsWith(`${folder}/`)) },
  };
  const parts: HeartbeatParts = {
    core: { files: new Files(root), ...records } as unknown as HeartbeatParts["core"],
    clock: () => new Date(state.now),
    everyMinutes,
    tell: async (projectId, text, id) => {
      told.push({ projectId, text, id });
      return state.takes;
    },
    isUnread: (_projectId, id) => state.unread.has(id),
  };
  const change = (path: string, etag: string) => known.push({ path, etag });
  return { root, state, told, change, start: () => new Heartbeat(parts) };
}

it("asks a project to look around when something changed since it was last asked, and else nobody [S3-FUT-01]", async () => {
  const { state, told, change, start } = stage();
  const heartbeat = start();
  expect(await heartbeat.beat()).toEqual(["alpha"]);
  state.now += 10 * MINUTE;
  expect(await heartbeat.beat()).toEqual([]);
  change("projects/alpha/knowledge/decisions.md", "2");
  expect(await heartbeat.beat()).toEqual(["alpha"]);
  expect(told.map(({ projectId }) => projectId)).toEqual(["alpha", "alpha"]);
  expect(new Set(told.map(({ id }) => id)).size).toBe(2);
});

it.each([
  ["the board", "projects/alpha/TASKS/done/TASK-002.md", true],
  ["the knowledge", "projects/alpha/knowledge/patterns.md", true],
  ["an artifact", "projects/alpha/ARTIFACTS/2026-03-20/report.md", false],
  ["another project", "projects/beta/TASKS/todo/TASK-009.md", false],
])("counts a change of %s: %s %s", async (_what, path, counts) => {
  const { state, change, start } = stage();
  const heartbeat = start();
  await heartbeat.beat();
  state.now += 10 * MINUTE;
  change(path, "9");
  expect(await heartbeat.beat()).toEqual(counts ? ["alpha"] : []);
});

it("counts what a person wrote into MEMORY.md, though it is the same file", async () => {
  const { root, state, start } = stage();
  const heartbeat = start();
  await heartbeat.beat();
  state.now += 10 * MINUTE;
  writeFileSync(join(root, "projects/alpha/MEMORY.md"), "# Memory\n\nThe customer moved.\n");
  expect(await heartbeat.beat()).toEqual(["alpha"]);
});

it("does not ask again before the time, nor while the last word was not heard [S3-FUT-01]", async () => {
  const { state, told, change, start } = stage();
  const heartbeat = start();
  await heartbeat.beat();
  change("projects/alpha/knowledge/a.md", "2");
  state.now += 9 * MINUTE;
  expect(await heartbeat.beat()).toEqual([]);
  state.now += 60 * MINUTE;
  state.unread.add(told[0]?.id ?? "");
  expect(await heartbeat.beat()).toEqual([]);
  state.unread.clear();
  expect(await heartbeat.beat()).toEqual(["alpha"]);
});

it("says the same words under the same id until they were taken, and remembers that over a restart", async () => {
  const { state, told, start } = stage();
  const heartbeat = start();
  state.takes = false;
  expect(await heartbeat.beat()).toEqual([]);
  state.takes = true;
  expect(await heartbeat.beat()).toEqual(["alpha"]);
  expect(told[1]?.id).toBe(told[0]?.id);
  state.now += 10 * MINUTE;
  expect(await start().beat()).toEqual([]);
});

it("is silent when it is off, and asks anew when its notes cannot be read", async () => {
  expect(await stage(0).start().beat()).toEqual([]);
  const { root, start } = stage();
  await start().beat();
  writeFileSync(join(root, "state/heartbeats.json"), "{ not json");
  expect(await start().beat()).toEqual(["alpha"]);
  expect(JSON.parse(readFileSync(join(root, "state/heartbeats.json"), "utf8"))).toHaveProperty("alpha");
});
