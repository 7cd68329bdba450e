import { expect, test } from "vitest";
import { budgetFault, goalOf, NO_ORDER, requestOf } from "./team-order.ts";

test("asks for what was chosen and leaves the rest to the hall", () => {
  expect(requestOf({ ...NO_ORDER, goal: " Add a cart " })).toEqual({ goal: "Add a cart", approval: "plan" });
  expect(requestOf({ ...NO_ORDER, goal: "Add a cart", autonomy: "smart" })).toEqual({
    ...{ goal: "Add a cart", autonomy: { mode: "smart" } },
  });
  const whole = requestOf(
    {
      goal: "Fix it",
      name: "Fix",
      autonomy: "off",
      approval: "none",
      strategy: "flat",
      sdd: "bugfix",
      preset: "budget",
      budget: "$2.50",
      baseBranch: "next",
    },
    "TASK-001",
  );
  expect(whole).toEqual({
    ...{ goal: "Fix it", name: "Fix", approval: "none", strategy: "flat", sdd: "bugfix", preset: "budget" },
    ...{ budgetUsd: 2.5, baseBranch: "next", taskId: "TASK-001" },
  });
});

test("there is nothing to ask for without a goal, or with a budget that is none", () => {
  expect(requestOf(NO_ORDER)).toBeUndefined();
  for (const budget of ["0", "-1", "lots", "1e9"]) {
    expect(requestOf({ ...NO_ORDER, goal: "x", budget })).toBeUndefined();
    expect(budgetFault(budget)).toContain("above 0");
  }
  expect(budgetFault(" ")).toBeUndefined();
});

test("the goal of a team on a task is the task's title and description", () => {
  expect(goalOf({ title: "Add a cart", description: " \n" })).toBe("Add a cart");
  expect(goalOf({ title: "Add a cart", description: "With two products." })).toBe("Add a cart\n\nWith two products.");
});
