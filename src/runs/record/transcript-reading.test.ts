import { expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../../../test/harness/daemon.ts";
import type { Run } from "../../contract/runs/run.ts";
import { HallIndex } from "../../store/index/hall-index.ts";
import { usageOf } from "./run-facts.ts";
import { TranscriptReading } from "./transcript-reading.ts";

const run = (id: string, day: number): Run =>
  ({
    ...{ id, projectId: "shop", taskId: "TASK-001", roleId: "coder", title: id, status: "completed", attempt: 1 },
    ...{ createdAt: `2026-11-0${day}`, endedAt: `2026-11-0${day}`, usage: usageOf([]), progress: 1, model: "m" },
  }) as never;

it("reads every run that is over once, the oldest first, and goes on behind one that cannot be read", async () => {
  const index = new HallIndex(`${temporaryFolder()}/index.db`);
  onTestFinished(() => index.close());
  const read: string[] = [];
  const entriesIn = (journal: string) => {
    read.push(journal);
    if (journal === "broken") throw Object.assign(new Error("no"), { code: "EACCES" });
    return [{ type: "failure", reason: `word of ${journal}`, at: "" }] as never;
  };
  const put = (id: string, day: number) =>
    index.runs.put({ run: run(id, day), journal: id, epoch: 1, crashes: 0, messages: [] });
  put("late", 3);
  put("broken", 2);
  put("early", 1);
  const reading = new TranscriptReading({ passages: index.passages, book: { entriesIn }, onTrouble: () => undefined });
  onTestFinished(() => reading.close());
  expect(index.passages.unread()).toBe(3);
  reading.wake();
  await eventually(
    () => index.passages.unread(),
    (left) => left === 0,
  );
  put("last", 4);
  put("early", 1);
  await eventually(
    () => index.passages.unread(),
    (left) => left === 0,
  );
  expect(read).toEqual(["early", "broken", "late", "last"]);
  expect(index.passages.search({ text: "word", limit: 2 }).map(({ id }) => id)).toEqual(["last", "late"]);
  index.runs.removeProject("shop");
  expect(index.passages.search({ text: "word", limit: 2 })).toEqual([]);
  put("late", 3);
  await eventually(
    () => index.passages.search({ text: "word", limit: 9 }).map(({ id }) => id),
    (found) => found.join() === "late",
  );
  index.runs.removeProject("shop");
  await eventually(
    () => index.passages.forgetOne(),
    (isLeft) => !isLeft,
  );
  expect(index.passages.search({ text: "word", limit: 2 })).toEqual([]);
});
