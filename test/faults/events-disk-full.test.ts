import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { EventDraft } from "../../src/contract/event.ts";
import { Files } from "../../src/store/files/files.ts";
import { timeSortedIds } from "../../src/store/ids.ts";
import { openEventLog } from "../harness/event-log.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

const reason = whyNoSmallDisk();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;
const ROUNDS = 60;
const PAGE = 4_096;
const seed = Number(process.env.GUILDHALL_SEED ?? 20_261_118);

const draft = (id: string, why: string): EventDraft => ({
  ...{ type: "task.created", actor: { kind: "person", via: "http" }, subject: { kind: "task", id } },
  ...{ projectId: "shop", why },
});

it.skipIf(reason !== undefined)(
  `events keep their order and numbers wherever a disk fills up${about}`,
  { timeout: 180_000 },
  async () => {
    const disk = smallDisk("8m");
    const number = numbersFrom(seed);
    const below = (most: number) => Math.floor(number() * most);
    const clock = () => new Date();
    const log = await openEventLog({ files: new Files(disk.path), clock, nextId: timeSortedIds(clock), knownSeq: 0 });
    const durable: number[] = [];
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      disk.fill(below(6) * PAGE);
      const ended: Promise<void>[] = [];
      for (let count = 0; count < 8; count++) {
        const why = "x".repeat(below(3_000));
        const appended = log.append(draft(`TASK-${round}-${count}`, why));
        ended.push(
          appended.then(
            ({ seq }) => void durable.push(seq),
            () => void refused++,
          ),
        );
        // Some come together, others while earlier ones are being synced.
        if (number() < 0.3) await turn();
      }
      await Promise.all(ended);
      // What waits for room is not missing.
      expect([round, (await log.verify()).faults]).toEqual([round, []]);
      disk.free();
      durable.push((await log.append(draft(`TASK-${round}`, ""))).seq);
      expect([round, (await log.verify()).faults]).toEqual([round, []]);
    }
    expect(refused).toBeGreaterThan(ROUNDS);
    expect(durable).toEqual(durable.map((_, at) => at + 1));
    expect((await log.verify()).events).toBe(durable.length);
    await log.close();
  },
);
