import { expect, it } from "vitest";
import { type Hall, startHall } from "../harness/daemon.ts";

/** Every request that changes something; "$" stands for the only assignment. */
const deeds: [method: string, path: string, body: unknown, type: string, about: object][] = [
  [
    "POST",
    "/api/roles",
    { id: "dev", name: "Dev" },
    "role.created",
    { subject: { kind: "role", id: "dev" }, after: { name: "Dev" } },
  ],
  ["PUT", "/api/roles/dev", { name: "Smith" }, "role.updated", { before: { name: "Dev" }, after: { name: "Smith" } }],
  [
    "POST",
    "/api/projects",
    { id: "shop", name: "Shop" },
    "project.created",
    { projectId: "shop", after: { name: "Shop" } },
  ],
  [
    "PUT",
    "/api/projects/shop",
    { name: "Store" },
    "project.updated",
    { before: { name: "Shop" }, after: { name: "Store" } },
  ],
  [
    "POST",
    "/api/projects/shop/team",
    { roleId: "dev" },
    "assignment.created",
    { after: { roleId: "dev", status: "active" } },
  ],
  [
    "PUT",
    "/api/projects/shop/team/$",
    { status: "paused" },
    "assignment.updated",
    { before: { status: "active" }, after: { status: "paused" } },
  ],
  ["DELETE", "/api/projects/shop/team/$", undefined, "assignment.deleted", { before: { roleId: "dev" } }],
  [
    "POST",
    "/api/projects/shop/tasks",
    { title: "Saw" },
    "task.created",
    { subject: { kind: "task", id: "TASK-001" }, after: { title: "Saw" } },
  ],
  [
    "PUT",
    "/api/projects/shop/tasks/TASK-001",
    { title: "Plane" },
    "task.updated",
    { before: { title: "Saw" }, after: { title: "Plane" } },
  ],
  [
    "POST",
    "/api/projects/shop/tasks/TASK-001/move",
    { status: "in-progress" },
    "task.moved",
    { before: { status: "pending" }, after: { status: "in-progress" } },
  ],
  [
    "POST",
    "/api/projects/shop/initiatives",
    { title: "Launch" },
    "initiative.created",
    { subject: { kind: "initiative", id: "launch" } },
  ],
  ["POST", "/api/projects/shop/artifacts", { name: "a.md", content: "a" }, "document.written", { after: { size: 1 } }],
  [
    "PUT",
    "/api/projects/shop/context",
    { path: "b.md", content: "bb" },
    "document.written",
    { subject: { kind: "document", id: "CONTEXT/b.md" } },
  ],
  [
    "POST",
    "/api/projects/shop/move",
    { status: "suspended" },
    "project.moved",
    { before: { status: "active" }, after: { status: "suspended" } },
  ],
  ["DELETE", "/api/projects/shop", undefined, "project.moved", { after: { status: "archived" } }],
  ["DELETE", "/api/projects/shop?purge=true", undefined, "project.removed", { before: { status: "archived" } }],
  ["DELETE", "/api/roles/dev", undefined, "role.deleted", { before: { name: "Smith" } }],
];

it("the log tells of every change who made it, what it was about, and what was before and after [S0-SEC-05]", async () => {
  const hall = await startHall();
  for (const [method, path, body, type, about] of deeds) {
    const answer = await hall.call(method, path.replace("$", await assignmentOf(hall)), body, {
      "idempotency-key": path,
    });
    expect(answer.status, JSON.stringify([path, answer.body])).toBeLessThan(300);
    const { events } = (await hall.call("GET", "/api/events/log?tail=1")).body;
    expect(events[0]).toMatchObject({ type, actor: { kind: "person", via: "http" }, at: expect.any(String) });
    expect(events[0]).toMatchObject(about);
  }
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
});

async function assignmentOf(hall: Hall): Promise<string> {
  return (await hall.call("GET", "/api/projects/shop/team")).body.assignments?.[0]?.id ?? "";
}
