import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEventLog } from "../../../test/harness/event-log.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Files } from "../../store/files/files.ts";
import { timeSortedIds } from "../../store/ids.ts";

const clock = () => new Date("2026-11-15T12:00:00Z");
const typeOf = (seq: number) => (seq % 1_000 === 0 ? "role.created" : seq % 2 === 0 ? "task.moved" : "task.created");
const lineOf = (seq: number) =>
  JSON.stringify({
    ...{ seq, id: `e${seq}`, at: "2026-11-15T12:00:00.000Z", type: typeOf(seq), projectId: seq % 3 ? "shop" : "mill" },
    ...{ actor: { kind: seq % 5 ? "person" : "agent", via: "http" }, subject: { kind: "task", id: "T" } },
    ...{ after: { text: "x".repeat(seq % 97) }, prev: "", hash: "h" },
  });

/** A log of so many events, over two days, with lines in it that are none. */
async function logOf(total: number): ReturnType<typeof openEventLog> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "events"));
  const lines = Array.from({ length: total }, (_, at) => lineOf(at + 1));
  lines.splice(Math.floor(total / 4), 0, "no event", "{}");
  const middle = Math.floor(total / 2);
  writeFileSync(join(folder, "events/2026-11-14.jsonl"), `${lines.slice(0, middle).join("\n")}\n`);
  writeFileSync(join(folder, "events/2026-11-15.jsonl"), `${lines.slice(middle).join("\n")}\n`);
  return openEventLog({ files: new Files(folder), clock, nextId: timeSortedIds(clock), knownSeq: 0 });
}

const seqs = ({ events }: { events: { seq: number }[] }) => events.map(({ seq }) => seq);
const counted = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

it("goes back page by page, from any place, over days and lines that are none, without gap or double", async () => {
  const log = await logOf(5_000);
  const all: number[] = [];
  for (let before: number | undefined = 5_001; before !== undefined; ) {
    const page = log.before({ before, count: 333 });
    all.unshift(...seqs(page));
    before = page.earlier;
  }
  expect(all).toEqual(counted(1, 5_000));
  for (const before of [2, 3, 1_249, 1_252, 2_498, 2_499, 2_500, 4_999, 9_999]) {
    const last = Math.min(5_000, before - 1);
    expect(seqs(log.before({ before, count: 5 }))).toEqual(counted(Math.max(1, last - 4), last));
  }
  expect(log.before({ before: 1, count: 5 })).toEqual({ events: [] });
  await log.close();
});

it("lets through what filters ask for, and says where to go on when it has looked at enough", async () => {
  const log = await logOf(45_000);
  const rare = log.before({ before: 45_001, count: 100, types: ["role."], project: "shop" });
  expect(rare.earlier).toBe(35_001);
  expect(seqs(rare)).toEqual(
    counted(36, 45)
      .map((each) => each * 1_000)
      .filter((seq) => seq % 3),
  );
  const both = log.before({ before: 100, count: 4, types: ["role.created", "task.moved"], actor: "agent" });
  expect(seqs(both)).toEqual([60, 70, 80, 90]);
  expect(seqs(log.before({ before: 100, count: 2, types: ["task"] }))).toEqual([98, 99]);
  expect(seqs(log.before({ before: 100, count: 2, types: ["tas"] }))).toEqual([]);
  await log.close();
});
