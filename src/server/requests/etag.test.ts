import { expect, test } from "vitest";
import { etagOf, isUnchanged, parseIfMatch } from "./etag.ts";

test("the etag is that of the document in the answer", () => {
  expect(etagOf({ success: true, task: { etag: "t1" } })).toBe("t1");
  expect(etagOf({ role: { etag: "r1" } })).toBe("r1");
  expect(etagOf({ tasks: [{ etag: "t1" }] })).toBeUndefined();
});

test.each(['"r1"', 'W/"r1"', '"r0", "r1"', "*"])("a copy held under %s is still good", (header) => {
  expect(isUnchanged({ role: { etag: "r1" } }, header)).toBe(true);
});

test("another copy, or none, is not", () => {
  expect(isUnchanged({ role: { etag: "r1" } }, '"r2"')).toBe(false);
  expect(isUnchanged({ role: { etag: "r1" } }, undefined)).toBe(false);
  expect(isUnchanged({ roles: [] }, "*")).toBe(false);
});

test("an answer with parts that the etag does not cover is always sent", () => {
  expect(isUnchanged({ project: { etag: "p1", taskCount: {} } }, '"p1"')).toBe(false);
});

test("the etag of a task tells also of the tasks it is tied to", () => {
  const alone = { etag: "t1", blocks: [], blockedBy: [], waitingOn: [] };
  const waiting = { ...alone, blockedBy: ["TASK-002"], waitingOn: ["TASK-002"] };
  const freed = { ...waiting, waitingOn: [] };
  const blocking = { ...alone, blocks: ["TASK-002"] };
  const etags = [alone, waiting, freed, blocking].map((task) => etagOf({ task }));
  expect(etags[0]).toBe("t1");
  expect(new Set(etags).size).toBe(4);
  for (const etag of etags) expect(parseIfMatch(`"${etag}"`)).toBe("t1");
  expect(isUnchanged({ task: waiting }, '"t1"')).toBe(false);
  expect(isUnchanged({ task: waiting }, `"${etags[1]}"`)).toBe(true);
});

test("If-Match gives the etag without its quotes, and * gives none", () => {
  expect(parseIfMatch('"t1"')).toBe("t1");
  expect(parseIfMatch("t1")).toBe("t1");
  expect(parseIfMatch("*")).toBeUndefined();
  expect(parseIfMatch(undefined)).toBeUndefined();
});

test.each(['W/"t1"', '"t1", "t2"', "", '"t 1"'])("If-Match: %s is malformed", (header) => {
  expect(() => parseIfMatch(header)).toThrow("one strong etag");
});
