import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Hall, spawnHall, startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";

interface Report {
  ok: boolean;
  events: number;
  faults: { file: string; line: number; reason: string }[];
}

describe("a line that a crash left half-written", () => {
  const next = JSON.stringify({
    seq: 99,
    id: "x",
    type: "task.created",
    after: { title: "Müde 日本" },
    prev: "0".repeat(64),
  });
  const bytes = Buffer.from(next);
  const cuts = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1).filter(
    (at) => at % 13 === 1 || (at > 75 && at < 100),
  );

  it("is set aside at every length, and the log goes on whole", { timeout: 180_000 }, async () => {
    const first = await spawnHall();
    await first.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    await first.kill("SIGKILL");
    for (const cut of cuts) {
      const log = logOf(first.workspace);
      const size = readFileSync(log).length;
      appendFileSync(log, bytes.subarray(0, cut));
      const hall = await startHall(first.workspace);
      expect(await verify(hall), `cut at ${cut}`).toMatchObject({ ok: true, faults: [] });
      await hall.stop();
      expect(readFileSync(`${log}.torn-${size}`)).toEqual(bytes.subarray(0, cut));
    }
  });

  it("is set aside when it is nothing but NUL bytes", async () => {
    const first = await spawnHall();
    await first.kill("SIGKILL");
    const log = logOf(first.workspace);
    const size = readFileSync(log).length;
    appendFileSync(log, Buffer.alloc(4_000));
    const hall = await startHall(first.workspace);
    expect((await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" })).status).toBe(201);
    expect(await verify(hall)).toMatchObject({ ok: true, faults: [] });
    expect(readFileSync(`${log}.torn-${size}`)).toEqual(Buffer.alloc(4_000));
    expect((await guildhall(["audit", "verify"], { workspace: hall.workspace })).code).toBe(0);
  });

  it("of an event that was acknowledged is set aside too, and the audit says that it is missing", async () => {
    const first = await startHall();
    await first.stop();
    const log = logOf(first.workspace);
    const lines = linesOf(log);
    const lost = lines.length;
    writeFileSync(log, `${lines.slice(0, -1).join("\n")}\n${lines.at(-1)?.slice(0, 40)}`);
    const hall = await startHall(first.workspace);
    const report = await verify(hall);
    expect(report.faults).toEqual([
      {
        file: expect.any(String),
        line: lost,
        reason: expect.stringContaining(`events ${lost} to ${lost} are missing`),
      },
    ]);
    expect(readdirSync(join(first.workspace, "events")).filter((name) => name.includes(".torn-"))).toHaveLength(1);
  });
});

describe("a log that someone changed", () => {
  const tampers: [name: string, tamper: (lines: string[]) => string[], line: number, reason: RegExp][] = [
    ["by a line of garbage", (lines) => lines.toSpliced(2, 0, "%%% garbage %%%"), 3, /not a signed event/],
    ["by a blank object", (lines) => lines.toSpliced(2, 0, "{}"), 3, /not a signed event/],
    ["by taking a line out", (lines) => lines.toSpliced(2, 1), 3, /does not follow event 2/],
    ["by saying a line twice", (lines) => lines.toSpliced(2, 0, lines[2] ?? ""), 4, /does not follow event 3/],
    ["by putting lines in another order", ([a = "", b = "", ...rest]) => [b, a, ...rest], 1, /does not follow event 0/],
    [
      "in one field",
      (lines) => lines.with(2, (lines[2] ?? "").replace('"person"', '"agent"')),
      3,
      /event 3 was changed/,
    ],
    [
      "in one letter of a title",
      (lines) => lines.with(3, (lines[3] ?? "").replace("First", "Fist")),
      4,
      /event 4 was changed/,
    ],
    [
      "in its signature",
      (lines) => lines.with(2, (lines[2] ?? "").replace(/"hash":"./, '"hash":"x')),
      3,
      /not a signed event/,
    ],
    [
      "by a line that only looks like the last",
      (lines) => [...lines, '{"seq":1000000,"prev":1,"hash":"beef"}'],
      0,
      /./,
    ],
  ];

  it.each(tampers)("%s is still read, and the audit names the place", async (_name, tamper, line, reason) => {
    const first = await furnished();
    await first.stop();
    const log = logOf(first.workspace);
    const before = linesOf(log);
    const after = tamper(before);
    expect(after).not.toEqual(before);
    writeFileSync(log, `${after.join("\n")}\n`);
    const hall = await startHall(first.workspace);
    expect((await hall.call("GET", "/api/projects/shop/tasks/TASK-001")).status).toBe(200);
    expect((await hall.call("POST", "/api/projects/shop/tasks", { title: "After it" })).status).toBe(201);
    const report = await verify(hall);
    expect(report.ok).toBe(false);
    expect(report.faults[0]).toMatchObject({
      file: expect.stringMatching(/^events\/.*\.jsonl$/),
      reason: expect.stringMatching(reason),
    });
    if (line > 0) expect(report.faults[0]?.line).toBe(line);
    // What came after the damage is sound: the audit does not drown the place in followers.
    expect(report.faults.length).toBeLessThanOrEqual(4);
  });

  it("makes 'audit verify' fail with the place, for people and for programs", async () => {
    const hall = await furnished();
    const log = logOf(hall.workspace);
    expect((await guildhall(["audit", "verify"], { workspace: hall.workspace })).code).toBe(0);
    writeFileSync(log, readFileSync(log, "utf8").replace('"First"', '"Other"'));
    const told = await guildhall(["audit", "verify"], { workspace: hall.workspace });
    expect([told.code, told.stdout]).toEqual([4, expect.stringMatching(/events\/\S+\.jsonl:4\s+event 4 was changed/)]);
    const asJson = await guildhall(["audit", "verify", "--json"], { workspace: hall.workspace });
    expect(asJson.code).toBe(4);
    expect(JSON.parse(asJson.stdout).faults).toContainEqual(expect.objectContaining({ line: 4 }));
  });

  it("at its end while the daemon runs is noticed", async () => {
    const hall = await furnished();
    const log = logOf(hall.workspace);
    writeFileSync(log, `${linesOf(log).slice(0, -1).join("\n")}\n`);
    expect((await verify(hall)).ok).toBe(false);
  });
});

describe("a log of several days", () => {
  it("is one chain; a day that was taken away is named, and no number is given twice", async () => {
    const first = await furnished();
    await first.stop();
    const log = logOf(first.workspace);
    const yesterday = join(first.workspace, "events/2020-01-01.jsonl");
    renameSync(log, yesterday);
    const second = await startHall(first.workspace);
    expect(await verify(second)).toMatchObject({ ok: true, days: 2 });
    await second.stop();
    const today = readFileSync(log);
    const known = linesOf(yesterday).length + linesOf(log).length;
    for (const gone of [yesterday, log]) {
      const kept = readFileSync(gone);
      rmSync(gone);
      const hall = await startHall(first.workspace);
      const report = await verify(hall);
      expect(report.ok, gone).toBe(false);
      expect(JSON.stringify(report.faults)).toMatch(/missing|does not follow/);
      expect((await hall.call("GET", "/api/events/log?tail=1")).body.events[0]?.seq).toBeGreaterThan(known);
      await hall.stop();
      writeFileSync(gone, kept);
      writeFileSync(log, today);
    }
  });
});

describe("the stream of events", () => {
  it("replays after a restart all that was missed, in order and once, from Last-Event-ID on", async () => {
    const first = await furnished();
    const seen = await stream(first, undefined, 1, () =>
      first.call("POST", "/api/projects/shop/tasks", { title: "Seen" }),
    );
    const last = seen.at(-1)?.id ?? 0;
    await first.call("POST", "/api/projects/shop/tasks", { title: "Missed" });
    await first.stop();
    const second = await startHall(first.workspace);
    await second.call("POST", "/api/projects/shop/tasks", { title: "Missed too" });
    const missed = await stream(second, last, 4);
    expect(missed.map(({ type }) => type)).toEqual([
      "task.created",
      "daemon.stopped",
      "daemon.started",
      "task.created",
    ]);
    expect(missed.map(({ id }) => id)).toEqual([1, 2, 3, 4].map((step) => last + step));
    await second.call("POST", "/api/projects/shop/tasks", { title: "Live" });
    const all = await stream(second, 0, last + 5);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: last + 5 }, (_, at) => at + 1));
  });
});

async function furnished(): Promise<Hall> {
  const hall = await startHall();
  expect((await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" })).status).toBe(201);
  for (const title of ["First", "Second"]) await hall.call("POST", "/api/projects/shop/tasks", { title });
  return hall;
}

async function verify(hall: Hall): Promise<Report> {
  return (await hall.call("GET", "/api/audit/verify")).body;
}

function logOf(workspace: string): string {
  const days = readdirSync(join(workspace, "events")).filter((name) => name.endsWith(".jsonl"));
  return join(workspace, "events", days.sort().at(-1) ?? "");
}

function linesOf(log: string): string[] {
  return readFileSync(log, "utf8").trim().split("\n");
}

/** Listens until so many events have come. */
async function stream(hall: Hall, after: number | undefined, count: number, then?: () => Promise<unknown>) {
  const abort = new AbortController();
  const headers = {
    authorization: `Bearer ${hall.token}`,
    ...(after === undefined ? {} : { "last-event-id": String(after) }),
  };
  const response = await fetch(`${hall.url}/api/live?topics=events`, { headers, signal: abort.signal });
  await then?.();
  const events: { id: number; type: string }[] = [];
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const [, id, type] = /^id: (\d+)\nevent: event\ndata: .*?"type":"([^"]+)"/.exec(frame) ?? [];
      if (id !== undefined && type !== undefined) events.push({ id: Number(id), type });
    }
    if (events.length >= count) break;
  }
  abort.abort();
  return events;
}
