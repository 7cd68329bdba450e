import { expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/contract/event-types.ts";
import { queries } from "../api/queries.ts";
import { staleAfter } from "./stale-after.ts";

/** What no event changes, and why that is so. */
const NEVER = new Map([
  ["role-templates", "part of the program"],
  ["project-templates", "part of the program"],
  ["folders", "of the machine, and requested again whenever the list is opened"],
  ["clone-preview", "derived from the address alone"],
]);
/** Asked for outside of queries.ts, where the question belongs to one page alone. */
const ELSEWHERE = ["preview", "role-preview"];

const asked = Object.values(queries).map((query) =>
  String((query as (...given: never[]) => { queryKey: readonly unknown[] })(...(["a", "b"] as never[])).queryKey[0]),
);
const stale = new Map(
  EVENT_TYPES.map((type) => [type, staleAfter({ type, subject: { kind: "task", id: "x" }, projectId: "p" })]),
);

test.each(EVENT_TYPES)("what %s makes stale is something that pages ask for", (type) => {
  const words = (stale.get(type) ?? []).map(([word]) => String(word));
  expect(words.filter((word) => !asked.includes(word) && !ELSEWHERE.includes(word))).toEqual([]);
  expect(words).toContain("events");
});

test("everything that pages ask for is made stale by some event, or never changes", () => {
  const words = new Set([...stale.values()].flat().map(([word]) => String(word)));
  expect([...new Set(asked)].filter((word) => !words.has(word)).sort()).toEqual([...NEVER.keys()].sort());
});

test("a board is asked for as a whole only when a file of its project could not be read, or can be again", () => {
  const whole = EVENT_TYPES.filter((type) => stale.get(type)?.some(([word]) => word === "cards"));
  expect(whole).toEqual(["file.invalid", "file.mended"]);
});

test("a task that is shown is asked for again when its file breaks, and when it can be read again", () => {
  for (const type of ["file.invalid", "file.mended", "task.updated"] as const)
    expect(stale.get(type)).toContainEqual(["task", "p"]);
});

test("what happens in one project leaves the tasks and documents of the others alone", () => {
  for (const type of EVENT_TYPES)
    for (const [word, project] of stale.get(type) ?? [])
      if (word === "task" || word === "documents" || word === "cards") expect(project).toBe("p");
});
