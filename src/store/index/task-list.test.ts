import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Task } from "../../contract/documents/task.ts";
import type { TaskPriority, TaskStatus } from "../../contract/documents/task-status.ts";
import { HallIndex } from "./hall-index.ts";
import type { TaskFilter } from "./task-filter.ts";
import type { TaskOrder } from "./task-query.ts";
import type { TaskRecord } from "./task-row.ts";
import { TaskTable } from "./task-table.ts";

const STATUSES = ["pending", "assigned", "blocked", "in-progress", "review", "done"] as const satisfies TaskStatus[];
const PRIORITIES = ["low", "medium", "high", "urgent"] as const;
const URGENCY: Record<TaskPriority, number> = { low: 1, medium: 2, high: 3, urgent: 4 };

let folder: string;
let index: HallIndex;
let all: Task[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-list-"));
  index = new HallIndex(join(folder, "index.db"));
  const records = [
    ...Array.from({ length: 1_500 }, (_, at) => task("harbour", at + 1)),
    ...Array.from({ length: 40 }, (_, at) => task("orchard", at + 1)),
  ];
  index.transaction(() => {
    for (const record of records) index.tasks.put(record);
  });
  all = records.map((record) => index.tasks.view(record));
});

afterAll(() => {
  index.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Many of some kinds and few of others, so that a list is both looked up and walked. */
function task(projectId: string, number: number): TaskRecord {
  const id = `TASK-${String(number).padStart(3, "0")}`;
  const at = new Date(Date.UTC(2026, 0, 1) + ((number * 7_919) % 1_000) * 60_000).toISOString();
  return {
    id,
    projectId,
    title: number % 2 === 0 ? "Mend the roof" : "Paint the door",
    description: number % 100 === 0 ? "a rare word" : "common words",
    type: number % 3 === 0 ? "bug" : "feature",
    priority: PRIORITIES[number % 4] as TaskPriority,
    status: number % 101 === 0 ? "failed" : (STATUSES[number % 6] as TaskStatus),
    ...(number % 2 === 0 ? { assignedRoleId: number % 50 === 0 ? "tester" : "coder" } : {}),
    ...(number % 5 === 0 ? { plan: number % 60 === 0 ? "garden" : "house" } : {}),
    context: { files: [], codeRefs: [], dependencies: [] },
    acceptanceCriteria: [],
    labels: number % 70 === 0 ? ["seldom", "often"] : number % 3 === 0 ? ["often"] : [],
    blocks: [],
    blockedBy: number > 20 && number % 9 === 0 ? [`TASK-${String(number - 5).padStart(3, "0")}`] : [],
    notes: "",
    history: [],
    createdAt: at,
    updatedAt: at,
    path: `projects/${projectId}/TASKS/todo/${id}.md`,
    etag: "",
  };
}

const FILTERS: Omit<TaskFilter, "projectId">[] = [
  {},
  { statuses: ["pending"] },
  { statuses: ["failed"] },
  { statuses: ["cancelled"] },
  { statuses: ["pending", "assigned", "blocked"] },
  { priority: "urgent" },
  { priority: "high", statuses: ["done", "failed"] },
  { type: "bug" },
  { role: "coder" },
  { role: "tester" },
  { role: "nobody" },
  { label: "often" },
  { label: "seldom" },
  { label: "often", role: "coder", statuses: ["pending", "review"] },
  { plan: "house" },
  { plan: "garden", type: "feature" },
  { ready: true },
  { ready: false },
  { ready: true, statuses: ["done"] },
  { ready: true, priority: "low", label: "often" },
  { text: "roof" },
  { text: "rare" },
  { text: "comm", statuses: ["review"] },
  { text: "door", label: "seldom" },
];
const SORTS = ["id", "updated", "priority"] as const;

describe("a list of tasks", () => {
  for (const projectId of [undefined, "harbour", "orchard"]) {
    for (const filter of FILTERS) {
      it(`holds exactly what ${JSON.stringify(filter)} asks for ${projectId ?? "everywhere"}, page by page, in every order`, () => {
        for (const sort of SORTS) {
          for (const descending of [false, true]) {
            const wanted = sorted(
              all.filter((each) => fits(each, { ...filter, projectId })),
              sort,
              descending,
            );
            expect(namesOf(pages({ ...filter, projectId }, { sort, descending, limit: 700 }))).toEqual(namesOf(wanted));
          }
        }
      });
    }
  }

  it("follows a text that was written and one that was taken away at once", () => {
    const one = task("orchard", 7);
    const found = (text: string) =>
      index.tasks.list({ text }, { sort: "id", descending: false, limit: 5 }).map(({ id }) => id);
    index.tasks.put({ ...one, title: "Feed the wombat" });
    expect(found("wombat")).toEqual(["TASK-007"]);
    expect(index.search.tasks({ text: "womb", projectId: "orchard", limit: 5 })).toMatchObject([{ id: "TASK-007" }]);
    expect(index.search.tasks({ text: "wombat", projectId: "harbour", limit: 5 })).toEqual([]);
    index.tasks.put(one);
    expect(found("wombat")).toEqual([]);
  });
});

function pages(filter: TaskFilter, order: Omit<TaskOrder, "after">): Task[] {
  const found: Task[] = [];
  for (let after: TaskOrder["after"]; ; ) {
    const page = index.tasks.list(filter, { ...order, after });
    found.push(...page);
    const last = page.at(-1);
    if (page.length < order.limit || last === undefined) return found;
    after = TaskTable.position(last, order.sort, filter.projectId === undefined);
  }
}

function fits(each: Task, filter: TaskFilter): boolean {
  const { projectId, statuses, priority, type, role, label, plan, ready, text } = filter;
  const is = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value;
  return (
    is(projectId, each.projectId) &&
    (statuses?.includes(each.status) ?? true) &&
    is(priority, each.priority) &&
    is(type, each.type) &&
    is(role, each.assignedRoleId) &&
    is(plan, each.plan) &&
    is(ready, each.ready) &&
    (label === undefined || each.labels.includes(label)) &&
    (text === undefined || `${each.title} ${each.description}`.includes(text))
  );
}

function sorted(tasks: Task[], sort: TaskOrder["sort"], descending: boolean): Task[] {
  const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
  const first = {
    id: () => 0,
    updated: (left: Task, right: Task) => byText(left.updatedAt, right.updatedAt),
    priority: (left: Task, right: Task) => URGENCY[left.priority] - URGENCY[right.priority],
  }[sort];
  const number = ({ id }: Task) => Number(id.slice(5));
  const compare = (left: Task, right: Task) =>
    first(left, right) || byText(left.projectId, right.projectId) || number(left) - number(right);
  return [...tasks].sort((left, right) => (descending ? -compare(left, right) : compare(left, right)));
}

function namesOf(tasks: Task[]): string[] {
  return tasks.map(({ projectId, id }) => `${projectId} ${id}`);
}
