import { expect, it } from "vitest";
import { NO_ORDER, requestOf } from "./spawn-order.ts";

it("asks for nothing before there is a role and something to do", () => {
  expect(requestOf(NO_ORDER, "TASK-001")).toBeUndefined();
  expect(requestOf({ ...NO_ORDER, roleId: "dev", title: "  " }, undefined)).toBeUndefined();
});

it("names only what differs from what the role, the project and the hall have set", () => {
  expect(requestOf({ ...NO_ORDER, roleId: "dev", timeout: "x" }, "TASK-001")).toEqual({
    roleId: "dev",
    taskId: "TASK-001",
    overrides: {},
  });
  const order = { ...NO_ORDER, roleId: "dev", title: " Do it ", timeout: "1.5", thinking: "high", files: ["a.md"] };
  expect(requestOf({ ...order, variables: { tone: "dry", empty: "" } }, undefined)).toEqual({
    roleId: "dev",
    task: { title: "Do it", description: "" },
    overrides: { thinking: "high", timeout: 90 },
    contextFiles: ["a.md"],
    variables: { tone: "dry" },
  });
});
