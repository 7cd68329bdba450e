import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DaemonProcess, eventually, spawnHall } from "../harness/daemon.ts";

const LIMITER = "prlimit";
const reason = whyNoLimits();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;

describe.skipIf(reason !== undefined)(`a daemon that may not open one more file${about}`, () => {
  it("refuses changes, answers reads, takes no file for a broken one, and recovers by itself", async () => {
    const hall = await spawnHall();
    await furnish(hall);
    const raise = await forbidMoreFiles(hall.pid);
    const edited = join(hall.workspace, "projects/shop/TASKS/todo/TASK-001.md");
    writeFileSync(edited, readFileSync(edited, "utf8").replace("# First", "# Edited by hand"));
    for (let round = 0; round < 3; round++) {
      for (const [method, path, body] of changes(round)) {
        const answer = await hall.call(method, path, body);
        expect([path, answer.status, answer.body.error?.code]).toEqual([path, 503, "storage_failed"]);
      }
    }
    expect((await hall.call("GET", "/api/projects/shop/tasks")).body.tasks).toHaveLength(2);
    expect((await hall.call("GET", "/api/projects/shop/tasks/TASK-002")).body.task.title).toBe("Second");
    expect((await hall.call("GET", "/api/roles/writer")).body.role.description).toBe("");
    raise();
    await eventually(
      async () =>
        (await hall.call("GET", "/api/projects/shop/tasks")).body.tasks.map(({ title }: { title: string }) => title),
      (titles) => titles.includes("Edited by hand"),
    );
    for (const [method, path, body] of changes(9))
      expect([path, (await hall.call(method, path, body)).status < 300]).toEqual([path, true]);
    expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
    expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
    const { events } = (await hall.call("GET", "/api/events/log?after=0&limit=1000")).body;
    const types = events.map(({ type }: { type: string }) => type);
    for (const type of ["task.removed", "role.deleted", "document.removed", "file.invalid"])
      expect(types).not.toContain(type);
  });
});

function changes(round: number): [method: string, path: string, body: unknown][] {
  return [
    ["POST", "/api/projects/shop/tasks", { title: "New" }],
    ["PUT", "/api/projects/shop/tasks/TASK-002", { notes: `${round}` }],
    ["PUT", "/api/roles/writer", { description: `${round}` }],
    ["PUT", "/api/projects/shop", { description: `${round}` }],
    ["PUT", "/api/projects/shop/context", { path: "a.md", content: `${round}` }],
  ];
}

async function furnish(hall: DaemonProcess): Promise<void> {
  await hall.call("POST", "/api/roles", { id: "writer", name: "Writer" });
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  for (const title of ["First", "Second"]) await hall.call("POST", "/api/projects/shop/tasks", { title });
  await hall.call("PUT", "/api/projects/shop/context", { path: "a.md", content: "old" });
}

/** Lowers the limit to what is open when nothing is under way; answers how to raise it again. */
async function forbidMoreFiles(pid: number): Promise<() => void> {
  const usual = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1] ?? "1024";
  const counts: number[] = [];
  const isCalm = () => counts.length >= 50 && counts.slice(-50).every((count) => count === counts.at(-1));
  await eventually(() => counts.push(readdirSync(`/proc/${pid}/fd`).length), isCalm);
  // The limit is on the number of a descriptor, and a new one gets the lowest that is free.
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let free = 0;
  while (open.has(free)) free++;
  limitFiles(pid, String(free));
  return () => limitFiles(pid, usual);
}

function limitFiles(pid: number, most: string): void {
  execFileSync(LIMITER, ["--pid", String(pid), `--nofile=${most}:`], { stdio: "pipe" });
}

function whyNoLimits(): string | undefined {
  try {
    execFileSync(LIMITER, ["--pid", String(process.pid), "--nofile"], { stdio: "pipe" });
    return readFileSync(`/proc/${process.pid}/limits`, "utf8") === "" ? "there is no /proc" : undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}
