import { expect, test } from "vitest";
import { fakeHall, partialHall, sampleTask } from "../../../test/fakes/fake-hall.ts";
import { dropUnchanged, withoutReadOnly } from "./read-only.ts";

const request = (ifMatch?: string) => ({
  name: "updateTask" as const,
  hall: fakeHall().hall,
  params: { id: "alpha", taskId: "TASK-001" },
  ifMatch,
});

test("read-only fields that say what is already so are dropped", () => {
  expect(
    dropUnchanged({ id: "a", list: [{ x: 1 }], name: "n" }, ["id", "list"], { id: "a", list: [{ x: 1 }] }),
  ).toEqual({ name: "n" });
});

test("null stands for a read-only field that is not there", () => {
  expect(dropUnchanged({ completedAt: null }, ["completedAt"], {})).toEqual({});
});

test("each read-only field that asks for a change is named", () => {
  const drop = () => dropUnchanged({ id: "b", version: 9, name: "n" }, ["id", "version"], { id: "a", version: 9 });
  expect(drop).toThrow("id: cannot be changed");
});

test("a whole task may be sent back", async () => {
  const { title, status } = sampleTask;
  const left = await withoutReadOnly({ ...sampleTask }, request());
  expect(left).toMatchObject({ title, status });
  expect(left).not.toHaveProperty("etag");
});

test("a stale copy is told so when it says which version it is", async () => {
  const stale = { ...sampleTask, etag: "old", updatedAt: "2020-01-01T00:00:00Z" };
  await expect(withoutReadOnly(stale, request("old"))).rejects.toMatchObject({ code: "version_mismatch" });
  await expect(withoutReadOnly(stale, request())).rejects.toMatchObject({ code: "invalid" });
});

test("without read-only fields the document is not read at all", async () => {
  const body = { title: "x" };
  expect(await withoutReadOnly(body, { ...request(), hall: partialHall({}) })).toEqual(body);
});
