import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, startHall } from "../harness/daemon.ts";
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

it("generated pages are written through no link: not into another project, nor elsewhere in the same one", async () => {
  const hall = await startHall();
  for (const name of ["Ann", "Bob"]) await wanted(201, hall.call("POST", "/api/projects", { name }));
  await wanted(201, hall.call("POST", "/api/roles", { id: "worker", name: "Worker" }));
  const at = (path: string) => join(hall.workspace, path);
  const text = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : "");
  await eventually(
    () => [text("projects/bob/TASKS/README.md"), text("agents/worker/TEAM.md"), text("projects/bob/TEAM.md")],
    (pages) => pages.every((page) => page !== ""),
  );
  mkdirSync(at("projects/ann/notes"));
  const victims = [
    ...["projects/bob/TASKS/README.md", "projects/bob/ARTIFACTS/README.md", "projects/ann/notes/README.md"],
    "projects/bob/TEAM.md",
  ];
  for (const path of victims) writeFileSync(at(path), "<!-- Mine -->\n");
  for (const [link, target] of [
    ["projects/ann/TASKS", "../bob/TASKS"],
    ["projects/ann/ARTIFACTS", "notes"],
    ["agents/worker", "../projects/bob"],
  ] as const) {
    rmSync(at(link), { recursive: true, force: true });
    symlinkSync(target, at(link));
  }
  await wanted(200, hall.call("PUT", "/api/projects/ann", { name: "Anna" }));
  const { assignment } = await wanted(201, hall.call("POST", "/api/projects/ann/team", { roleId: "worker" }));
  await eventually(
    () => text("projects/ann/TEAM.md"),
    (page) => page.includes("Anna"),
  );
  await wanted(200, hall.call("DELETE", `/api/projects/ann/team/${assignment.id}`));
  await wanted(200, hall.call("DELETE", "/api/roles/worker"));
  await eventually(
    () => text("TEAM.md"),
    (page) => !page.includes("Worker"),
  );
  expect(victims.map(text)).toEqual(victims.map(() => "<!-- Mine -->\n"));
  expect(lstatSync(at("projects/ann/TASKS")).isSymbolicLink()).toBe(true);
});
