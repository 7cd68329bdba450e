import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { taskRecord } from "../../../test/fakes/task-record.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { HallIndex } from "./hall-index.ts";

it("has counts, words, labels and every index after it was filled, and follows changes from then on", () => {
  const { index, schema } = opened();
  const before = schema();
  index.rebuild("file", () => {
    for (let number = 1; number <= 3; number++) index.tasks.add(task(number, { labels: [`label-${number}`] }));
    index.tasks.add(task(4, { title: "Lighthouse", status: "done" }));
    index.files.put("a.md", { mtime: 1, size: 2, inode: 3 }, "etag");
  });
  const counts = () => [index.tasks.counts("shop").get("pending"), index.tasks.counts("shop").get("done")];
  const found = (text: string) => index.search.tasks({ text, limit: 10 }).map(({ id }) => id);
  expect([counts(), found("lighthouse"), index.files.get("a.md")?.etag]).toEqual([[3, 1], ["TASK-004"], "etag"]);
  const labeled = { projectId: "shop", label: "label-2" };
  expect(index.tasks.list(labeled, { sort: "id", descending: false, limit: 5 }).map(({ id }) => id)).toEqual([
    "TASK-002",
  ]);
  index.tasks.put(task(4, { title: "Harbor", status: "failed" }));
  index.tasks.add(task(5));
  expect([counts(), found("lighthouse"), found("harbor")]).toEqual([[4, undefined], [], ["TASK-004"]]);
  index.close();
  expect(schema()).toEqual(before);
});

it("gathers words in memory only while it is filled", () => {
  const { index, path } = opened();
  index.rebuild("file", () => index.tasks.add(task(1)));
  index.close();
  const db = new DatabaseSync(path, { readOnly: true });
  const settings = db
    .prepare("SELECT k, v FROM tasks_fts_config WHERE k IN ('hashsize', 'automerge') ORDER BY k")
    .all();
  db.close();
  expect(settings.map((row) => ({ ...row }))).toEqual([
    { k: "automerge", v: 4 },
    { k: "hashsize", v: 1_048_576 },
  ]);
});

it("is lost when it could not be filled, and whole when that is done again", () => {
  const { index } = opened();
  const fill = () => {
    index.tasks.add(task(1));
    throw new Error("no");
  };
  expect(() => index.rebuild("file", fill)).toThrow("no");
  expect(index.condition.state).toBe("lost");
  index.rebuild("file", () => index.tasks.add(task(2)));
  expect([index.tasks.record("shop", "TASK-001"), index.tasks.counts("shop").get("pending")]).toEqual([undefined, 1]);
  index.close();
});

function opened() {
  const path = join(temporaryFolder(), "index.db");
  const index = new HallIndex(path);
  const schema = () => {
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all();
    db.close();
    return rows;
  };
  return { index, path, schema };
}

function task(number: number, more: Parameters<typeof taskRecord>[1] = {}) {
  return taskRecord(`TASK-00${number}`, more);
}
