import { expect, test } from "vitest";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import { hitsOfTasks, onePerTask } from "./hit-group.ts";

const hit = (kind: SearchHit["kind"], id: string, more: Partial<SearchHit> = {}): SearchHit => ({
  ...{ kind, id, projectId: "shop", title: id, snippet: "" },
  ...more,
});
const task = { id: "TASK-003", title: "Free shipping" };
const hits = [
  hit("task", "TASK-001"),
  hit("artifact", "ARTIFACTS/a.md", { task }),
  hit("run", "run-2", { task }),
  hit("knowledge", "knowledge/rules.md"),
  hit("run", "run-1", { task }),
  hit("run", "run-0", { task, projectId: "other" }),
];

test("what belongs to one task is one group, also when the words do not stand in the task itself", () => {
  const groups = hitsOfTasks(hits).map(({ projectId, title, task: own, others }) => [
    ...[projectId, title, own?.id],
    others.map(({ id }) => id),
  ]);
  expect(groups).toEqual([
    ["shop", "TASK-001", "TASK-001", []],
    ["shop", "Free shipping", undefined, ["run-2", "run-1", "ARTIFACTS/a.md"]],
    ["other", "Free shipping", undefined, ["run-0"]],
  ]);
});

test("a short list has one hit of each task, and all that belongs to none", () => {
  expect(onePerTask(hits).map(({ id }) => id)).toEqual(["TASK-001", "run-2", "knowledge/rules.md", "run-0"]);
});
