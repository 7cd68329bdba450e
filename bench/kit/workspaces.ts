import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TaskCreate } from "../../src/contract/documents/task.ts";
import { taskId } from "../../src/workspace/layout.ts";
import { startDaemon } from "./daemon.ts";
import { type TaskOrder, writeTaskFiles } from "./task-files.ts";
import { type Chance, pick, seededChance, wordsOfTask } from "./words.ts";

/** Nine tasks of ten are in the first project. */
export const PROJECTS = ["harbour", "orchard"] as const;
export const MAIN_PROJECT = PROJECTS[0];

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
    await writeTaskFiles(workspace, tasksOf(size));
    rmSync(join(workspace, ".guildhall/index.db"));
    const daemon = await startDaemon(workspace);
    await daemon.end();
    return { workspace, coldStartMs: daemon.startMs };
  }
}

/** As they would have been written on one busy day. */
function tasksOf(size: number): TaskOrder[] {
  const chance = seededChance(size);
  const main = Math.floor(size * 0.9);
  return Array.from({ length: size }, (_, at) => {
    const isMain = at < main;
    const number = isMain ? at + 1 : at + 1 - main;
    return { projectId: PROJECTS[isMain ? 0 : 1], number, ...contentOf(number, size, chance) };
  });
}

function contentOf(number: number, total: number, chance: Chance): Pick<TaskOrder, "at" | "body"> {
  const blockedBy = number > 10 && chance() < 0.1 ? [taskId(number - 1 - Math.floor(chance() * 9))] : [];
  const criteria = ["It works as described", "There is a test"];
  const body = TaskCreate.parse({
    ...wordsOfTask(chance, number, total),
    blockedBy,
    acceptanceCriteria: criteria,
    ...(chance() < 0.3 ? { assignedRoleId: "coder" } : {}),
  });
  const at = new Date(Date.UTC(2026, 0, 1) + pick(chance, [1, 2, 3]) * 86_400_000 + number * 1_000);
  return { at, body };
}
