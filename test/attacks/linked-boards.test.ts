import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { refused, wanted } from "../harness/workspace.ts";

it("a board that is a link to another project's gets no task files", async () => {
  const hall = await startHall();
  for (const name of ["Ann", "Bob"]) await wanted(201, hall.call("POST", "/api/projects", { name }));
  const { task } = await wanted(201, hall.call("POST", "/api/projects/ann/tasks", { title: "Of Ann" }));
  const at = (path: string) => join(hall.workspace, "projects", path);
  const tasksOfBob = () =>
    readdirSync(at("bob/TASKS"), { recursive: true, encoding: "utf8" }).filter((path) => path.includes("TASK-"));
  rmSync(at("ann/TASKS"), { recursive: true });
  symlinkSync("../bob/TASKS", at("ann/TASKS"));
  await refused("path_refused", hall.call("POST", "/api/projects/ann/tasks", { title: "Another" }));
  const moved = await hall.call("POST", `/api/projects/ann/tasks/${task.id}/move`, { status: "cancelled" });
  expect([moved.status >= 400, tasksOfBob()]).toEqual([true, []]);
});
