import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Database } from "./database.ts";
import { WriteQueue } from "./write-queue.ts";

const META = "INSERT OR REPLACE INTO meta VALUES (?, ?)";

it("drops a row that is written again, but never across the beginning of a transaction", () => {
  const queue = new WriteQueue();
  const add = (row: string | undefined, value: number) =>
    queue.add({ sql: "put", values: [value], ...(row === undefined ? {} : { row }) });
  add("a", 1);
  add(undefined, 2);
  add("a", 3);
  queue.begin();
  add("a", 4);
  add("b", 5);
  add("a", 6);
  const values = (writes: { values: unknown[] }[]) => writes.map((write) => write.values[0]);
  const { earlier, own } = queue.take();
  expect([values(earlier), values(own), queue.length]).toEqual([[2, 3], [5, 6], 0]);
});

it("writes a row once that several transactions wrote one after the other", () => {
  const queue = new WriteQueue();
  for (const value of [1, 2]) {
    queue.begin();
    queue.add({ sql: "put", values: [value], row: "a" });
    queue.end();
  }
  const { earlier, own } = queue.take();
  expect([...earlier, ...own].map(({ values }) => values[0])).toEqual([2]);
});

it("knows which rows the writes that wait concern", () => {
  const queue = new WriteQueue();
  const concerned = () =>
    [
      ["runs", "a"],
      ["runs", "b"],
      ["tasks", "a"],
    ].map(([table = "", row = ""]) => queue.concerns(table, row));
  expect(concerned()).toEqual([false, false, false]);
  queue.add({ sql: "INSERT OR REPLACE INTO runs VALUES (?)", values: ["a"], row: "a" });
  expect(concerned()).toEqual([true, false, false]);
  queue.add({ sql: "DELETE FROM runs WHERE project = ?", values: ["shop"] });
  expect(concerned()).toEqual([true, true, false]);
  queue.take();
  expect(concerned()).toEqual([false, false, false]);
  queue.add({ sql: "a statement whose table can't be told", values: [] });
  expect(concerned()).toEqual([true, true, true]);
});

it("finds a row as it was written last, and leaves writes of other rows where they wait", () => {
  const { db, path } = opened();
  const other = new DatabaseSync(path, { timeout: 0 });
  onTestFinished(() => other.close());
  const hasBegun = () => {
    try {
      other.exec("BEGIN IMMEDIATE; ROLLBACK");
      return false;
    } catch {
      return true;
    }
  };
  const find = (key: string) =>
    db.find<{ value: number }>("meta", key, { sql: "SELECT value FROM meta WHERE key = ?", values: [key] })?.value;
  db.transaction(() => db.replace(META, "a", 1));
  expect(find("b")).toBeUndefined();
  expect(hasBegun()).toBe(false);
  expect(find("a")).toBe(1);
  expect(hasBegun()).toBe(true);
  db.transaction(() => db.run("UPDATE meta SET value = 2"));
  expect(find("a")).toBe(2);
});

it("shows a write to every read at once, and has it in the file a little later, without a read", () => {
  const { db, path } = opened();
  db.transaction(() => db.replace(META, "a", 1));
  const other = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => other.close());
  const onDisk = () => other.prepare("SELECT value FROM meta WHERE key = 'a'").get();
  expect(onDisk()).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  expect([onDisk(), metaOf(db, "a")]).toEqual([{ value: 1 }, 1]);
  db.transaction(() => db.replace(META, "a", 2));
  expect([onDisk(), metaOf(db, "a")]).toEqual([{ value: 1 }, 2]);
  db.close();
  expect(onDisk()).toEqual({ value: 2 });
});

it("takes a failed transaction back, whether or not it was asked for something in its middle", () => {
  const { db } = opened();
  const failing = (work: () => void) => () =>
    db.transaction(() => {
      work();
      throw new Error("no");
    });
  db.transaction(() => db.replace(META, "a", 1));
  expect(failing(() => db.replace(META, "a", 2))).toThrow("no");
  expect(metaOf(db, "a")).toBe(1);
  db.transaction(() => db.replace(META, "a", 3));
  const asking = () => {
    db.replace(META, "a", 4);
    expect(metaOf(db, "a")).toBe(4);
    db.replace(META, "b", 5);
  };
  expect(failing(asking)).toThrow("no");
  expect([metaOf(db, "a"), metaOf(db, "b")]).toEqual([3, undefined]);
});

it("refuses at once what makes no sense", () => {
  const { db } = opened();
  expect(() => db.transaction(() => db.run("INSERT INTO nowhere VALUES (1)"))).toThrow("nowhere");
  expect(() => db.transaction(() => db.run(META, "a", undefined as never))).toThrow(TypeError);
  expect([db.condition.state, metaOf(db, "a")]).toEqual(["sound", undefined]);
});

it("counts as lost when SQLite refuses a write that was answered for", () => {
  const { db } = opened();
  const losses: string[] = [];
  db.onLoss = (reason) => losses.push(reason);
  db.transaction(() => db.run("INSERT INTO requests (key) VALUES ('a')"));
  expect(() => metaOf(db, "a")).toThrow(expect.objectContaining({ code: "storage_failed", retryable: true }));
  expect([db.condition.state, losses.length]).toEqual(["lost", 1]);
  db.reset();
  db.transaction(() => db.replace(META, "a", 1));
  expect([db.condition.state, metaOf(db, "a")]).toEqual(["sound", 1]);
});

it("keeps the queue short while an index is filled", () => {
  const { db } = opened();
  db.transaction(() => {
    for (let count = 0; count < 2_000; count++) db.replace(META, `key ${count}`, count);
  });
  expect(db.get("SELECT COUNT(*) AS total FROM meta")).toEqual({ total: 2_000 });
});

function opened() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(temporaryFolder(), "index.db");
  const db = new Database(path);
  onTestFinished(() => {
    try {
      db.close();
    } catch {}
  });
  return { db, path };
}

function metaOf(db: Database, key: string): unknown {
  return db.get<{ value: unknown }>("SELECT value FROM meta WHERE key = ?", key)?.value;
}
