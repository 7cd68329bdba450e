import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMAT } from "../../src/contract/format.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { oldWorkspace } from "../harness/old-workspace.ts";
import { bookOf, furnish, listRuns, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const BOOK = "projects/docs/runs/index.jsonl";
const problemsOf = async (hall: Hall, kind: string) =>
  (await hall.call("GET", "/api/problems")).body.problems.filter((problem) => problem.kind === kind);
const migrations = async (hall: Hall) =>
  (await hall.call("GET", "/api/events/log?tail=1000&type=workspace.migrated")).body.events;

/** Puts the project `docs` of a workspace of format 1 into another workspace, in one move. */
function copyProject(workspace: string): string {
  const old = oldWorkspace();
  const beside = join(temporaryFolder(), "docs");
  cpSync(join(old, "projects/docs"), beside, { recursive: true });
  mkdirSync(join(workspace, "projects"), { recursive: true });
  renameSync(beside, join(workspace, "projects/docs"));
  return readFileSync(join(old, BOOK), "utf8");
}

async function expectMigrated(hall: Hall, before: string) {
  const runs = await eventually(
    () => listRuns(hall),
    ({ length }) => length === 2,
  );
  expect(runs.map(({ title, purpose, delivery }) => [title, purpose, delivery?.kind, delivery?.state]).sort()).toEqual([
    ["In a folder, waits", "work", "folder", "review"],
    ["In a folder", "work", "folder", "delivered"],
  ]);
  const [copies = ""] = readdirSync(join(hall.workspace, "backups"));
  expect(readFileSync(join(hall.workspace, "backups", copies, BOOK), "utf8")).toBe(before);
  expect(await migrations(hall)).toMatchObject([
    { projectId: "docs", subject: { kind: "project", id: "docs" }, after: { from: 1, to: FORMAT } },
  ]);
  expect(await problemsOf(hall, "format")).toMatchObject([
    { file: BOOK, projectId: "docs", severity: "warning", reason: expect.stringContaining(`backups/${copies}`) },
  ]);
  expect((await hall.call("GET", "/api/audit/verify")).body.ok).toBe(true);
  for (const { id } of runs) expect((await hall.call("GET", `/api/runs/${id}/prompt`)).status).toBe(200);
}

describe("a project folder copied from a workspace of format 1", () => {
  it("is migrated at the next start, once, with copies of what was changed", async () => {
    const { workspace, stop } = await startHall();
    await stop();
    const before = copyProject(workspace);
    const hall = await startHall(workspace);
    await expectMigrated(hall, before);
    await hall.stop();
    const again = await startHall(workspace);
    expect(await problemsOf(again, "format")).toEqual([]);
    expect([(await migrations(again)).length, readdirSync(join(workspace, "backups")).length]).toEqual([1, 1]);
    expect(await listRuns(again)).toHaveLength(2);
  });

  it("is migrated when it appears while the daemon runs", async () => {
    const hall = await startHall();
    await expectMigrated(hall, copyProject(hall.workspace));
  });
});

it("a broken line of a run record is a problem with file and line until it is fixed, and everything else works", async () => {
  const first = await furnish(await startHall(), { play: "turns:\n  - text: Done.\n" });
  const id = await spawnRun(first, "play", "Once");
  await untilOver(first, id);
  const lines = bookOf(first.workspace, id).length;
  await first.stop();
  const file = `projects/${PROJECT}/runs/index.jsonl`;
  const path = join(first.workspace, file);
  const whole = readFileSync(path, "utf8");
  appendFileSync(path, `{"type":"settled","format":${FORMAT}}\n`);

  const second = await startHall(first.workspace);
  const problem = { file, line: lines + 1, projectId: PROJECT, severity: "invalid" };
  expect(await problemsOf(second, "log")).toMatchObject([problem]);
  const { needsMe } = (await second.call("GET", "/api/now")).body;
  expect(needsMe).toMatchObject([
    { kind: "problem", title: file, detail: expect.stringContaining("restart the daemon") },
  ]);
  const { stdout } = await guildhall(["doctor", "--workspace", first.workspace]);
  expect(stdout).toContain(`${file}:${lines + 1}`);
  await untilOver(second, await spawnRun(second, "play", "Twice"));
  expect((await listRuns(second)).map(({ status }) => status)).toEqual(["completed", "completed"]);
  await second.stop();

  // It is still there after another start, and gone when it is fixed in place.
  const third = await startHall(first.workspace);
  expect(await problemsOf(third, "log")).toMatchObject([problem]);
  await third.stop();
  const text = readFileSync(path, "utf8");
  expect(text.startsWith(whole)).toBe(true);
  writeFileSync(path, text.replace(`{"type":"settled","format":${FORMAT}}\n`, ""));
  const fourth = await startHall(first.workspace);
  expect(await problemsOf(fourth, "log")).toEqual([]);
  expect((await listRuns(fourth)).map(({ status }) => status)).toEqual(["completed", "completed"]);
});
