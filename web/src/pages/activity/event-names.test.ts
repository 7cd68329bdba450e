import { expect, it } from "vitest";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { namesIn } from "./event-names.ts";

const event = (type: string, id: string, after: object) =>
  ({ type, projectId: "shop", subject: { kind: type.split(".")[0], id }, after }) as unknown as HallEvent;

it("takes names from roles, runs and the events themselves", () => {
  const names = namesIn({
    roles: [{ id: "coder", name: "Code Specialist" }],
    runs: [{ id: "run-1", projectId: "shop", taskId: "TASK-001", roleId: "coder", title: "Mend" }],
    events: [
      event("task.created", "TASK-002", { title: "Paint" }),
      event("run.created", "run-2", { roleId: "poet", taskId: "TASK-002" }),
    ],
  });
  expect([names.role("coder"), names.role("poet")]).toEqual(["Code Specialist", undefined]);
  expect(["TASK-001", "TASK-002", "TASK-003"].map((id) => names.title("shop", id))).toEqual([
    "Mend",
    "Paint",
    undefined,
  ]);
  expect(names.title("mill", "TASK-001")).toBeUndefined();
  expect([names.run("run-1")?.roleId, names.run("run-2")?.taskId, names.run("run-3")]).toEqual([
    "coder",
    "TASK-002",
    undefined,
  ]);
});
