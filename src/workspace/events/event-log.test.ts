import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEventLog } from "../../../test/harness/event-log.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { EventDraft, HallEvent } from "../../contract/event.ts";
import { Files } from "../../store/files/files.ts";
import { timeSortedIds } from "../../store/ids.ts";
import { Log } from "../../store/logs/log.ts";
import { Redactor } from "../../store/secrets/redaction.ts";

const draft = (id: string, more: Partial<EventDraft> = {}): EventDraft => ({
  type: "task.created",
  actor: { kind: "person", via: "http" },
  subject: { kind: "task", id },
  projectId: "shop",
  ...more,
});

describe("the event log", () => {
  it("tells who changed what, when, and from what to what", async () => {
    const { log, folder } = await open();
    const change = { before: { status: "pending" }, after: { status: "done" }, file: "a.md", etag: "e" };
    const event = await log.append(draft("TASK-001", { type: "task.moved", ...change }));
    expect(event).toMatchObject({ seq: 1, at: "2026-11-15T12:00:00.000Z", type: "task.moved", ...change });
    expect(event).toMatchObject({ actor: { kind: "person", via: "http" }, subject: { kind: "task", id: "TASK-001" } });
    expect(linesOf(folder, "2026-11-15")).toEqual([event]);
  });

  it("hides a project's secrets in what changed and in the reason for it", async () => {
    const redactorOf = () => new Redactor([{ name: "PASS", value: "tulips-and-roses" }]);
    const { log, folder } = await open({ redactorOf });
    const told = { before: { title: "no" }, after: { title: "tulips-and-roses" }, why: "It said tulips-and-roses." };
    const event = await log.append(draft("TASK-001", { type: "task.updated", ...told }));
    expect(event).toMatchObject({ after: { title: "[secret: PASS]" }, why: "It said [secret: PASS]." });
    expect(linesOf(folder, "2026-11-15")).toEqual([event]);
  });

  it("begins a file with each day, and the chain goes on over midnight", async () => {
    const clock = clockAt("2026-11-15T23:59:59.999Z");
    const { log, folder } = await open({ clock });
    const last = await log.append(draft("TASK-001"));
    clock.set("2026-11-16T00:00:00.000Z");
    const first = await log.append(draft("TASK-002"));
    expect(readdirSync(join(folder, "events")).sort()).toEqual(["2026-11-15.jsonl", "2026-11-16.jsonl"]);
    expect(first.prev).toBe(last.hash);
    expect(await log.verify()).toMatchObject({ ok: true, events: 2, days: 2, head: first.hash });
    expect(log.read({ after: 0, limit: 10 })).toEqual([last, first]);
  });

  it("does not write into a day that is over when the clock goes back", async () => {
    const clock = clockAt("2026-11-16T00:00:01Z");
    const { log, folder } = await open({ clock });
    await log.append(draft("TASK-001"));
    clock.set("2026-11-15T23:59:59Z");
    await log.append(draft("TASK-002"));
    expect(readdirSync(join(folder, "events"))).toEqual(["2026-11-16.jsonl"]);
    await log.close();
    const again = await open({ clock, folder });
    await again.log.append(draft("TASK-003"));
    expect(readdirSync(join(folder, "events"))).toEqual(["2026-11-16.jsonl"]);
    expect(await again.log.verify()).toMatchObject({ ok: true, events: 3 });
  });

  it("chains appends that come at once in the order of their calls, and tells listeners in that order", async () => {
    const { log } = await open();
    const heard: number[] = [];
    const stop = log.subscribe((event) => heard.push(event.seq));
    const events = await Promise.all(Array.from({ length: 200 }, (_, count) => log.append(draft(`TASK-${count}`))));
    expect(events.map(({ seq, subject }) => `${seq} ${subject.id}`)).toEqual(
      Array.from({ length: 200 }, (_, count) => `${count + 1} TASK-${count}`),
    );
    expect(heard).toEqual(events.map(({ seq }) => seq));
    stop();
    await log.append(draft("TASK-200"));
    expect(heard).toHaveLength(200);
    expect((await log.verify()).ok).toBe(true);
  });

  it("goes on where it stopped after a restart", async () => {
    const first = await open();
    const last = await first.log.append(draft("TASK-001"));
    await first.log.close();
    const { log } = await open({ folder: first.folder });
    expect(log.head()).toBe(1);
    expect((await log.append(draft("TASK-002"))).prev).toBe(last.hash);
    expect(await log.verify()).toMatchObject({ ok: true, events: 2 });
  });

  it("goes on after days that hold nothing, or nothing that is an event", async () => {
    const first = await open();
    const last = await first.log.append(draft("TASK-001"));
    await first.log.close();
    writeFileSync(join(first.folder, "events/2026-11-16.jsonl"), "");
    writeFileSync(join(first.folder, "events/2026-11-17.jsonl"), '{"seq":"many"}\n{"seq":9}\nnot JSON\n');
    const { log } = await open({ folder: first.folder, clock: clockAt("2026-11-17T00:00:00Z") });
    expect(await log.append(draft("TASK-002"))).toMatchObject({ seq: 2, prev: last.hash });
    expect((await log.verify()).faults.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  it("never gives a number twice, also when the log lost its end, and the audit names the gap", async () => {
    const { log } = await open({ knownSeq: 40 });
    expect((await log.append(draft("TASK-001"))).seq).toBe(41);
    expect((await log.verify()).faults).toEqual([
      { file: "events/2026-11-15.jsonl", line: 1, reason: expect.stringContaining("events 1 to 40 are missing") },
    ]);
  });

  it("takes back what could not be synced, and goes on with the same number", async () => {
    const folder = temporaryFolder();
    let broken = false;
    const files = new FailingFiles(folder, () => broken);
    const { log } = await open({ folder, files });
    const first = await log.append(draft("TASK-001"));
    broken = true;
    const failed = await Promise.allSettled([log.append(draft("TASK-002")), log.append(draft("TASK-003"))]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(log.head()).toBe(1);
    broken = false;
    expect(await log.append(draft("TASK-004"))).toMatchObject({ seq: 2, prev: first.hash });
    expect(await log.verify()).toMatchObject({ ok: true, events: 2 });
    expect(log.read({ after: 0, limit: 10 }).map(({ subject }) => subject.id)).toEqual(["TASK-001", "TASK-004"]);
  });

  it("asks the file again where the chain stands when it could not be opened after a failure", async () => {
    const folder = temporaryFolder();
    let broken = false;
    const files = new FailingFiles(folder, () => broken);
    const { log } = await open({ folder, files });
    const first = await log.append(draft("TASK-001"));
    broken = true;
    files.isShut = true;
    await expect(log.append(draft("TASK-002"))).rejects.toThrow();
    await expect(log.append(draft("TASK-003"))).rejects.toThrow();
    broken = false;
    files.isShut = false;
    expect(await log.append(draft("TASK-004"))).toMatchObject({ seq: 2, prev: first.hash });
    expect(await log.verify()).toMatchObject({ ok: true, events: 2 });
  });
});

describe("events that are on their way when a later one fails", () => {
  it("keep their numbers when their file did not take them yet", async () => {
    const folder = temporaryFolder();
    const files = new HeldFiles(folder);
    const { log } = await open({ folder, files });
    await log.append(draft("TASK-001"));
    files.hold();
    const waiting = log.append(draft("TASK-002"));
    await files.syncing();
    const failing = log.append(draft("TASK-003"));
    await turn();
    files.isFull = true;
    files.release();
    const second = await waiting;
    await expect(failing).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await log.verify()).toMatchObject({ ok: true, events: 1 });
    files.isFull = false;
    expect(await log.append(draft("TASK-004"))).toMatchObject({ seq: 3, prev: second.hash });
    expect(await log.verify()).toMatchObject({ ok: true, faults: [], events: 3 });
    expect(log.read({ after: 0, limit: 10 }).map(({ subject }) => subject.id)).toEqual([
      ...["TASK-001", "TASK-002", "TASK-004"],
    ]);
  });

  it("keep their numbers when it fails before it reaches the log", async () => {
    const folder = temporaryFolder();
    const files = new HeldFiles(folder);
    const { log } = await open({ folder, files });
    await log.append(draft("TASK-001"));
    files.hold();
    const waiting = log.append(draft("TASK-002"));
    await files.syncing();
    const failing = log.commit([draft("TASK-003")], [{ kind: "append", path: "notes.jsonl", line: "{}" }]);
    files.isShut = true;
    await expect(failing).rejects.toMatchObject({ code: "EMFILE" });
    files.isShut = false;
    const after = log.append(draft("TASK-004"));
    await turn();
    files.release();
    const second = await waiting;
    expect(await after).toMatchObject({ seq: 3, prev: second.hash });
    expect(await log.verify()).toMatchObject({ ok: true, faults: [], events: 3 });
  });

  it("are not counted as told before they are durable", async () => {
    const folder = temporaryFolder();
    const files = new HeldFiles(folder);
    const { log } = await open({ folder, files });
    await log.append(draft("TASK-001"));
    files.hold();
    const waiting = log.append(draft("TASK-002"));
    await files.syncing();
    expect(log.head()).toBe(1);
    files.release();
    await waiting;
    expect(log.head()).toBe(2);
  });
});

describe("the audit of a log that is being written", () => {
  it("is not misled by events that are on their way to the disk", async () => {
    const { log } = await open();
    await log.append(draft("TASK-000"));
    const reports = [];
    for (let round = 0; round < 30; round++) {
      const writes = Array.from({ length: 20 }, (_, count) => log.append(draft(`TASK-${count}`)));
      reports.push(log.verify());
      await Promise.all(writes);
    }
    for (const report of await Promise.all(reports)) expect(report).toMatchObject({ ok: true, faults: [] });
  });

  it("lets others go on while it reads", async () => {
    const { log } = await open();
    await Promise.all(Array.from({ length: 8_000 }, (_, count) => log.append(draft(`TASK-${count}`))));
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    expect(await log.verify()).toMatchObject({ ok: true, events: 8_000 });
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(3);
  });

  it("still finds durable events that are gone, and others that were added", async () => {
    const { log, folder } = await open();
    for (const id of ["TASK-001", "TASK-002"]) await log.append(draft(id));
    const path = join(folder, "events/2026-11-15.jsonl");
    const text = readFileSync(path, "utf8");
    const [first = "", second = ""] = text.split("\n");
    writeFileSync(path, `${first}\n`);
    expect((await log.verify()).faults).toMatchObject([{ reason: "the log ends at event 1, but event 2 was written" }]);
    const { hash: prev, seq, ...event } = JSON.parse(second) as HallEvent;
    const unsigned = JSON.stringify({ seq: seq + 1, ...event, prev });
    const hash = createHash("sha256").update(unsigned).digest("hex");
    writeFileSync(path, `${text}${unsigned.slice(0, -1)},"hash":"${hash}"}\n`);
    expect((await log.verify()).faults).toMatchObject([{ reason: "the log ends at event 3, but event 2 was written" }]);
  });
});

describe("reading the event log", () => {
  it("finds what comes after any number, from memory or from files, over days, by project and kind", async () => {
    const clock = clockAt("2026-11-13T12:00:00Z");
    const { log, folder } = await open({ clock });
    const all: HallEvent[] = [];
    for (const day of ["2026-11-13", "2026-11-14", "2026-11-15"]) {
      clock.set(`${day}T12:00:00Z`);
      const drafts = Array.from({ length: 1_300 }, (_, count) =>
        draft(`TASK-${count}`, {
          projectId: count % 3 === 0 ? "shop" : "blog",
          type: count % 2 === 0 ? "task.moved" : "role.updated",
        }),
      );
      all.push(...(await Promise.all(drafts.map((entry) => log.append(entry)))));
    }
    const queries = [0, 1, 499, 501, 1_299, 1_300, 1_301, 2_600, 2_601, 3_000, 3_899, 3_900, 9_999].flatMap((after) =>
      [{}, { project: "shop" }, { type: "task" }, { project: "blog", type: "role.updated" }].map((query) => ({
        after,
        ...query,
      })),
    );
    await log.close();
    const again = await open({ clock, folder });
    for (const events of [log, again.log]) {
      for (const query of queries) {
        const wanted = all.filter((event) => event.seq > query.after && fits(event, query));
        expect(events.read({ ...query, limit: 700 }), JSON.stringify(query)).toEqual(wanted.slice(0, 700));
        const { after: _, ...kind } = query;
        expect(events.tail({ ...kind, count: 900 })).toEqual(all.filter((event) => fits(event, kind)).slice(-900));
      }
    }
  });
});

function fits(event: HallEvent, query: { project?: string; type?: string }): boolean {
  if (query.project !== undefined && event.projectId !== query.project) return false;
  return query.type === undefined || event.type === query.type || event.type.startsWith(`${query.type}.`);
}

/** Files on a disk that can be made to fail: when it syncs, or already when a log is opened. */
class FailingFiles extends Files {
  readonly #isBroken: () => boolean;
  isShut = false;

  constructor(root: string, isBroken: () => boolean) {
    super(root);
    this.#isBroken = isBroken;
  }

  override openLog(path: string, atLeast: number): ReturnType<Files["openLog"]> {
    if (this.isShut) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    const sync = async () => {
      if (this.#isBroken()) throw Object.assign(new Error("input/output error"), { code: "EIO" });
    };
    return Log.open(join(this.root, path), atLeast, sync);
  }

  override openLogEnd(path: string): ReturnType<Files["openLogEnd"]> {
    const sync = async () => {
      if (this.#isBroken()) throw Object.assign(new Error("input/output error"), { code: "EIO" });
    };
    return Log.openEnd(join(this.root, path), "acknowledged", sync);
  }
}

/** Files on a disk whose syncs wait until they are released, and that can be full, or out of descriptors. */
class HeldFiles extends Files {
  isFull = false;
  isShut = false;
  #held: PromiseWithResolvers<void> | undefined;
  #syncing = Promise.withResolvers<void>();

  hold(): void {
    this.#held = Promise.withResolvers();
    this.#syncing = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Resolves when a sync is held. */
  syncing(): Promise<void> {
    return this.#syncing.promise;
  }

  override openLogEnd(path: string): ReturnType<Files["openLogEnd"]> {
    const sync = async () => {
      const held = this.#held;
      this.#syncing.resolve();
      if (held !== undefined) await held.promise;
      else this.#refuseWhenFull();
    };
    return Log.openEnd(join(this.root, path), "acknowledged", sync);
  }

  override appendBytes(path: string, bytes: Buffer): number {
    this.#refuseWhenFull();
    return super.appendBytes(path, bytes);
  }

  override endOfLog(path: string): number {
    if (this.isShut) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    return super.endOfLog(path);
  }

  #refuseWhenFull(): void {
    if (this.isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
  }
}

function clockAt(start: string) {
  let now = new Date(start);
  return Object.assign(() => now, {
    set: (time: string) => {
      now = new Date(time);
    },
  });
}

interface Choice {
  folder?: string;
  clock?: () => Date;
  files?: Files;
  knownSeq?: number;
  redactorOf?: () => Redactor;
}

async function open(choice: Choice = {}) {
  const folder = choice.folder ?? temporaryFolder();
  const clock = choice.clock ?? clockAt("2026-11-15T12:00:00Z");
  const files = choice.files ?? new Files(folder);
  const { knownSeq = 0, redactorOf } = choice;
  const log = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq, redactorOf });
  onTestFinished(() => log.close());
  return { log, folder };
}

function linesOf(folder: string, day: string): unknown[] {
  const text = readFileSync(join(folder, "events", `${day}.jsonl`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
