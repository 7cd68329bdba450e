import { expect, test } from "vitest";
import { TaskCreate } from "../../contract/documents/task.ts";
import { routes } from "../../contract/routes/routes.ts";
import { checked } from "./schema-check.ts";

function complaint(schema: Parameters<typeof checked>[0], value: unknown): string {
  try {
    checked(schema, value);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

test("a missing field is named", () => {
  expect(complaint(TaskCreate, {})).toBe("title: is required");
  expect(complaint(routes.createTaskAnywhere.body, { title: "x" })).toBe("projectId: is required");
});

test("a wrong word is answered with the allowed ones", () => {
  expect(complaint(TaskCreate, { title: "x", priority: "asap" })).toBe(
    "priority: must be one of low, medium, high, urgent",
  );
  expect(complaint(TaskCreate, { title: "x", outcome: 3 })).toBe(
    "outcome: must be one of full, partial, escalated, skipped, rehearsed",
  );
});

test("a wrong kind is answered with the right one", () => {
  expect(complaint(TaskCreate, { title: 5, labels: "a", context: [] })).toBe(
    "title: must be text; context: must be an object; labels: must be a list",
  );
});

test("an unknown field is named, with its place and the known ones beside it", () => {
  expect(complaint(routes.moveProject.body, { status: "active", colour: 1 })).toBe(
    "colour: is not a known key; known keys: status",
  );
  expect(complaint(TaskCreate, { title: "x", context: { urls: [] } })).toBe(
    "context.urls: is not a known key; known keys: files, codeRefs, dependencies",
  );
});

test("a bound says where it lies", () => {
  expect(complaint(routes.listTasks.query, { limit: "1000000000" })).toBe("limit: must be at most 1000");
  expect(complaint(routes.listTasks.query, { limit: "0" })).toBe("limit: must be at least 1");
  expect(complaint(routes.listTasks.query, { limit: "ten" })).toBe("limit: must be a number");
  expect(complaint(routes.createRole.body, { name: "x", modelConfig: { timeout: 1.5 } })).toBe(
    "modelConfig.timeout: must be a whole number",
  );
});

test("a field of several forms complains about the form that was meant", () => {
  expect(complaint(TaskCreate, { title: "x", acceptanceCriteria: ["fine", { text: "" }] })).toBe(
    "acceptanceCriteria[1].text: must not be empty",
  );
  expect(complaint(TaskCreate, { title: "x", acceptanceCriteria: [5] })).toBe(
    "acceptanceCriteria[0]: must be text or an object",
  );
});

test("text that is not well-formed Unicode is refused", () => {
  expect(complaint(TaskCreate, { title: "\ud800" })).toContain("title: must be well-formed Unicode");
});

test("many complaints are cut short, and long or odd keys do not spoil the message", () => {
  const keys = Array.from({ length: 14 }, (_, at) => [`k${at}`, 1]);
  const message = complaint(routes.moveProject.body, { status: "active", ...Object.fromEntries(keys) });
  expect(message.match(/is not a known key/g)).toHaveLength(10);
  expect(message.endsWith("; and 4 more")).toBe(true);
  expect(complaint(routes.moveProject.body, { status: "active", [`a\n${"b".repeat(500)}`]: 1 })).toMatch(
    /^a\\nb{57}…: /,
  );
});
