import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TaskCreate } from "../../src/contract/task.ts";
import { Files } from "../../src/store/files.ts";
import { timeSortedIds } from "../../src/store/ids.ts";
import { EventLog } from "../../src/workspace/event-log.ts";
import { folderOf, taskId, taskPath } from "../../src/workspace/layout.ts";
import { newTask } from "../../src/workspace/task-change.ts";
import { etagOf, renderTask } from "../../src/workspace/task-file.ts";
import { startDaemon } from "./daemon.ts";
import { type Chance, pick, seededChance, wordsOfTask } from "./words.ts";

/** Nine tasks of ten are in the first project. */
export const PROJECTS = ["harbour", "orchard"] as const;
export const MAIN_PROJECT = PROJECTS[0];
const BATCH = 1_000;

/** Workspaces for all parts of one run, each made once; everything goes with `clear`. */
export class Workspaces {
  readonly #root = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
  readonly #warm = new Map<number, Promise<{ workspace: string; coldStartMs: number }>>();
  #made = 0;

  folder(name: string): string {
    return join(this.#root, `${name}-${++this.#made}`);
  }

  /** A workspace with its two projects and a role, and no tasks. */
  async empty(): Promise<string> {
    const workspace = this.folder("empty");
    const daemon = await startDaemon(workspace);
    const client = daemon.connect();
    await client.call("POST", "/api/roles", { template: "coder", id: "coder" });
    for (const id of PROJECTS) await client.call("POST", "/api/projects", { id, name: id });
    client.close();
    await daemon.end();
    return workspace;
  }

  /** A workspace of so many tasks, its index built by a first start and its daemon stopped in order. */
  withTasks(size: number): Promise<{ workspace: string; coldStartMs: number }> {
    const made = this.#warm.get(size) ?? this.#seed(size);
    this.#warm.set(size, made);
    return made;
  }

  clear(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #seed(size: number): Promise<{ workspace: string; coldStartMs: number }> {
    const workspace = await this.empty();
    await writeTasks(workspace, size);
    rmSync(join(workspace, ".guildhall/index.db"));
    const daemon = await startDaemon(workspace);
    await daemon.end();
    return { workspace, coldStartMs: daemon.startMs };
  }
}

/** Files and events as the daemon would have written them on one busy day, but not synced one by one. */
async function writeTasks(workspace: string, size: number): Promise<void> {
  const chance = seededChance(size);
  const files = new Files(workspace);
  const clock = () => new Date();
  const events = await EventLog.open({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  const main = Math.floor(size * 0.9);
  for (let start = 0; start < size; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, size - start) }, (_, at) => start + at + 1);
    const appended = numbers.map((number) => {
      const place =
        number <= main ? { projectId: PROJECTS[0], number } : { projectId: PROJECTS[1], number: number - main };
      return events.append(writeTask(workspace, chance, { ...place, total: size }));
    });
    await Promise.all(appended);
  }
  await events.close();
}

function writeTask(
  workspace: string,
  chance: Chance,
  place: { projectId: string; number: number; total: number },
): Parameters<EventLog["append"]>[0] {
  const { projectId, number, total } = place;
  const blockedBy = number > 10 && chance() < 0.1 ? [taskId(number - 1 - Math.floor(chance() * 9))] : [];
  const criteria = ["It works as described", "There is a test"];
  const body = TaskCreate.parse({
    ...wordsOfTask(chance, number, total),
    blockedBy,
    acceptanceCriteria: criteria,
    ...(chance() < 0.3 ? { assignedRoleId: "coder" } : {}),
  });
  const at = new Date(Date.UTC(2026, 0, 1) + pick(chance, [1, 2, 3]) * 86_400_000 + number * 1_000).toISOString();
  const task = newTask({ body, id: taskId(number), projectId, at, by: "person" });
  const path = taskPath(projectId, folderOf(task.status), task.id);
  const text = renderTask(task);
  writeFileSync(join(workspace, path), text, { mode: 0o600 });
  return {
    type: "task.created",
    actor: { kind: "person", via: "http" },
    projectId,
    subject: { kind: "task", id: task.id },
    file: path,
    etag: etagOf(text),
    after: { title: task.title, status: task.status, type: task.type, priority: task.priority },
  };
}
