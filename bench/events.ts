import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { Files } from "../src/store/files/files.ts";
import { timeSortedIds } from "../src/store/ids.ts";
import { openEventLog } from "../test/harness/event-log.ts";
import type { Bench } from "./kit/bench.ts";
import { median, percent, perSecond, rateOf } from "./kit/figures.ts";
import type { Line, Table } from "./kit/report.ts";

const MANY = 100;
const LINE = `${"x".repeat(420)}\n`;
const DRAFT = {
  type: "task.created",
  actor: { kind: "person", via: "http" },
  projectId: "harbour",
  subject: { kind: "task", id: "TASK-001" },
  file: "projects/harbour/TASKS/todo/TASK-001.md",
  etag: "0123456789abcdef0123456789abcdef",
  after: { title: "Keep the index in step with the files", status: "pending", type: "other", priority: "medium" },
} as const;
const flushed = promisify(fdatasync);

/** Durable events, alone and together, against a bare write and fdatasync of as many bytes. */
export async function events({ workspaces, quick }: Bench): Promise<Table> {
  const files = new Files(workspaces.folder("events"));
  const clock = () => new Date();
  const log = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  const fd = openSync(`${files.root}/bare.log`, "a");
  const ms = quick ? 300 : 800;
  const rates = { blocking: [] as number[], promises: [] as number[], one: [] as number[], many: [] as number[] };
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    rates.blocking.push(await rateOf(() => writeBlocking(fd), { writers: 1, ms }));
    rates.promises.push(await rateOf(() => writeAndFlush(fd), { writers: 1, ms }));
    rates.one.push(await rateOf(() => log.append(DRAFT), { writers: 1, ms }));
    rates.many.push(await rateOf(() => log.append(DRAFT), { writers: MANY, ms }));
  }
  closeSync(fd);
  await log.close();
  const floor = median(rates.promises);
  const line = (name: string, samples: number[]): Line => ({
    cells: [name, perSecond(median(samples)), percent(median(samples) / floor)],
  });
  return {
    title: "Durable events, each a line in the log with its hash",
    columns: ["", "rate", "of bare"],
    lines: [
      line("bare write and fdatasync, blocking", rates.blocking),
      line("bare write and fdatasync off the thread", rates.promises),
      line("one writer", rates.one),
      line(`${MANY} writers`, rates.many),
    ],
  };
}

function writeBlocking(fd: number): void {
  writeSync(fd, LINE);
  fdatasyncSync(fd);
}

function writeAndFlush(fd: number): Promise<void> {
  writeSync(fd, LINE);
  return flushed(fd);
}
