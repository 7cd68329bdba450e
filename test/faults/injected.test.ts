import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DaemonProcess, type Hall, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { PROJECT, untilOver, writePlaybook } from "../harness/spawned-runs.ts";
import { CheckedWrites } from "./checked-writes.ts";
import { inject, type SystemFault, whyNoStrace } from "./strace.ts";
import { assertFilesAreWhole, assertIndexEqualsRebuild } from "./whole-workspace.ts";

const FAULTS = Number(process.env.GUILDHALL_INJECTED_FAULTS ?? 0);
const SEED = Number(process.env.GUILDHALL_FAULT_SEED ?? 1);
/**
 * The calls that fail, with the errors they can give, and how often: each so-many-th call of a thread while writes are sent,
 * and while a run works. Not write, which sockets use too. A process that cannot open what it is made of does not start, so
 * no run is tried with openat. Not EACCES for openat: a document that nobody may read is reported as a problem of that file.
 */
const CALLS: Record<string, { errors: readonly string[]; inWrites: number; inRun?: number }> = {
  fsync: { errors: ["EIO", "ENOSPC"], inWrites: 4, inRun: 15 },
  fdatasync: { errors: ["EIO", "ENOSPC"], inWrites: 4, inRun: 5 },
  rename: { errors: ["EIO", "ENOSPC", "EACCES"], inWrites: 4, inRun: 8 },
  link: { errors: ["EIO", "ENOSPC", "EACCES"], inWrites: 2, inRun: 5 },
  unlink: { errors: ["EIO", "EACCES"], inWrites: 3, inRun: 12 },
  pwrite64: { errors: ["EIO", "ENOSPC"], inWrites: 3, inRun: 15 },
  openat: { errors: ["EIO", "EMFILE", "ENOSPC"], inWrites: 20 },
};
/** How long a run may try against a fault. */
const PATIENCE_MS = 20_000;
/** Writes while one fault is armed. */
const WRITES = 25;
const whyNot = FAULTS === 0 ? "set GUILDHALL_INJECTED_FAULTS to the number of faults" : whyNoStrace();

interface Tally {
  armed: number;
  unmet: number;
  hits: number;
}

describe.skipIf(whyNot !== undefined)(`system calls of the daemon that fail (${whyNot ?? "with strace"})`, () => {
  it(`lose nothing that was acknowledged, and the next change works (${FAULTS} faults)`, {
    timeout: 3_600_000,
  }, async () => {
    const random = numbersFrom(SEED);
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
    const repo = repository({ "a.txt": "a\n" });
    const hall = await spawnHall(join(temporaryFolder(), "workspace"));
    await hallOver(hall, { root: repo.root, playbooks: {} });
    await hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "First" });
    const writes = new CheckedWrites();
    const tally: Tally = { armed: 0, unmet: 0, hits: 0 };
    while (tally.hits < FAULTS) {
      const isRun = tally.armed % 5 === 4;
      const fits = Object.entries(CALLS).filter(([, { inRun }]) => !isRun || inRun !== undefined);
      const [call, { errors, inWrites, inRun }] = pick(fits);
      const every = (isRun ? inRun : inWrites) ?? 1;
      const fault = { call, error: pick(errors), first: 1 + Math.floor(random() * every), every };
      const hits = await (isRun ? oneRun : manyWrites)(hall, { fault, writes, repo, at: tally.armed });
      tally.armed++;
      tally.hits += hits;
      if (hits === 0) tally.unmet++;
    }
    process.stdout.write(
      `injected faults: ${tally.hits} hit, armed ${tally.armed} times, ${tally.unmet} of them not met; ${writes.kept} places checked\n`,
    );
    expect(tally.unmet, "faults that were armed and not met").toBeLessThan(tally.armed / 2);
    await assertWhole(hall, writes);
    await hall.kill();
    await assertWhole(await spawnHall(hall.workspace), writes);
    expect(repo.git("fsck", "--full", "--no-dangling")).toBe("");
  });

  interface Order {
    fault: SystemFault;
    writes: CheckedWrites;
    repo: PersonsRepository;
    at: number;
  }

  async function manyWrites(hall: DaemonProcess, { fault, writes, at }: Order): Promise<number> {
    const when = `${JSON.stringify(fault)} (${at})`;
    const disarm = await inject(hall.pid, fault);
    const places: string[] = [];
    for (let n = 0; n < WRITES; n++)
      places.push(...[await writes.next(hall, when)].filter((place) => place !== undefined));
    const hits = await disarm();
    await writes.verify(hall, when, places);
    await assertWritable(hall, when);
    return hits;
  }

  /** A whole run, with its merge. */
  async function oneRun(hall: DaemonProcess, { fault, repo, at }: Order): Promise<number> {
    const when = `${JSON.stringify(fault)} (run ${at})`;
    writePlaybook(hall.workspace, `f${at}`, writing({ [`f${at}.txt`]: "x\n" }));
    const order = { projectId: PROJECT, roleId: "worker", task: { title: `Run ${at}` } };
    const disarm = await inject(hall.pid, fault);
    const { status, body } = await hall.call("POST", "/api/team/spawn", {
      ...order,
      overrides: { model: `offline/f${at}` },
    });
    expect([200, 503], `${when}: ${JSON.stringify(body)}`).toContain(status);
    // A run whose every try meets the fault waits for the disk, and goes on when the fault is gone.
    if (status === 200) await untilOver(hall, body.sessionId, PATIENCE_MS).catch(() => undefined);
    const hits = await disarm();
    if (status === 200) {
      const run = await untilOver(hall, body.sessionId, 120_000);
      expect(["completed", "failed"], when).toContain(run.status);
      if (run.delivery?.state === "delivered") expect(repo.committed("main", `f${at}.txt`), when).toBe("x");
    }
    await assertWritable(hall, when);
    return hits;
  }
});

async function assertWritable(hall: Hall, when: string): Promise<void> {
  const { status, body } = await hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "After" });
  expect(status, `${when}: ${JSON.stringify(body)}`).toBe(201);
}

/** Everything that was acknowledged is there, files and index agree, and nothing is reported as damaged. */
async function assertWhole(hall: Hall, writes: CheckedWrites): Promise<void> {
  await writes.verify(hall, "at the end");
  await assertFilesAreWhole(hall.workspace);
  await assertIndexEqualsRebuild(hall);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  const { checks } = (await hall.call("GET", "/api/doctor")).body as { checks: { state: string }[] };
  expect(checks.filter(({ state }) => state === "failed")).toEqual([]);
}
