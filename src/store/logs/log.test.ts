import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Log } from "./log.ts";
import { scanLog } from "./log-reader.ts";

const hello = (seq: number) => JSON.stringify({ v: 1, seq, type: "msg", text: `hello ${seq}` });
const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join("");
const three = lines(hello(0), hello(1), hello(2));

/** Logs as crashes, other programs and people leave them; how many whole records each holds, and the tail that is none. */
const damaged: [name: string, content: string | Buffer, whole: number, torn: string | Buffer][] = [
  ["nothing", "", 0, ""],
  ["newlines only", "\n\n\n", 0, ""],
  ["a line torn in a key", `${three}{"v":1,"se`, 3, '{"v":1,"se'],
  [
    "a line torn in a character",
    cutOff(`${three}{"v":1,"seq":3,"text":"é`, 1),
    3,
    cutOff('{"v":1,"seq":3,"text":"é', 1),
  ],
  ["a tail of NUL bytes", `${three}${"\0".repeat(1_206)}`, 3, "\0".repeat(1_206)],
  ["a tail of blanks", `${three}   \t  `, 3, "   \t  "],
  ["garbage between", lines(hello(0), "%%%garbage%%%", hello(1)), 2, ""],
  ["two writers at once", lines(hello(0), `{"v":1,"seq":1,"te${hello(2)}`, 'xt":"a"}', hello(3)), 2, ""],
  ["characters that look like line ends", lines('{"v":1,"seq":0,"text":"a\u0085\u2028\u2029b"}', hello(1)), 2, ""],
  ["a byte order mark", `\ufeff${three}`, 2, ""],
  ["a gap in the numbers", lines(hello(0), hello(5)), 2, ""],
  ["numbers that go back", lines(hello(2), hello(1)), 2, ""],
  ["JSON that is no object", lines("1", '"x"', "null", "[]", hello(0)), 1, ""],
  ["a question without its answer", lines('{"v":1,"seq":0,"type":"tool_use","id":"tu1"}'), 1, ""],
  ["an answer twice", lines('{"seq":0,"id":"t"}', '{"seq":1,"id":"t"}', '{"seq":2,"id":"t"}'), 3, ""],
  ["a record over several lines", lines("{", '  "v": 1,', '  "seq": 0', "}", hello(1)), 1, ""],
  ["a page of a web server", lines("<!doctype html><h1>502</h1>"), 0, ""],
  ["a last line without its newline", `${three}${hello(3)}`, 4, ""],
  ["a line that is not UTF-8", Buffer.concat([Buffer.from(three), Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])]), 3, ""],
];

describe("opening a log", () => {
  it.each(damaged)("with %s keeps every whole record", async (_name, content, whole, torn) => {
    const path = place(content);
    const { log, tail } = Log.open(path, 1_000);
    await log.close();
    expect(tail.values).toHaveLength(whole);
    expect(asideOf(path)).toEqual(torn.length === 0 ? [] : [Buffer.from(torn)]);
    expect(recordsIn(path)).toHaveLength(whole);
  });

  it.each(damaged)("with %s a second time changes nothing", async (_name, content) => {
    const path = place(content);
    await Log.open(path, 1).log.close();
    const before = stateOf(path);
    await Log.open(path, 1).log.close();
    expect(stateOf(path)).toEqual(before);
  });

  it("keeps whole lines of any prefix of a log, sets the rest aside, and goes on from there", {
    timeout: 60_000,
  }, async () => {
    const record = fc.record({ seq: fc.nat(), text: fc.string({ unit: "grapheme", maxLength: 20 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (records, part) => {
          const bytes = Buffer.from(lines(...records.map((entry) => JSON.stringify(entry))));
          const prefix = bytes.subarray(0, Math.round(part * bytes.length));
          const path = place(prefix);
          const { log, tail } = Log.open(path, 1_000);
          const ends = prefix.toString("latin1").split("\n").length - 1;
          // A line that lost nothing but its newline is whole.
          const kept = records.slice(0, ends + (tail.lacksNewline ? 1 : 0));
          expect(tail.values).toEqual(kept);
          expect(tail.lacksNewline ? Buffer.byteLength(JSON.stringify(records[ends])) : tail.torn.length).toBe(
            prefix.length - (prefix.lastIndexOf("\n") + 1),
          );
          await log.append('{"next":true}');
          await log.close();
          expect(recordsIn(path)).toEqual([...kept, { next: true }]);
          rmSync(path);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("keeps what was torn at the same place before", async () => {
    const path = place(`${three}{"first`);
    await Log.open(path, 1).log.close();
    writeFileSync(path, `${three}{"second`);
    await Log.open(path, 1).log.close();
    expect(asideOf(path).map(String).sort()).toEqual(['{"first', '{"second']);
  });

  it("reads no more of a long log than the end that is asked for", async () => {
    const path = place(lines(...Array.from({ length: 60_000 }, (_, seq) => hello(seq))));
    const { log, tail } = Log.open(path, 10);
    await log.close();
    expect(tail.isWhole).toBe(false);
    expect(tail.values.length).toBeLessThan(60_000);
    expect(tail.values.at(-1)).toMatchObject({ seq: 59_999 });
    expect(tail.values[0]).toMatchObject({ seq: 60_000 - tail.values.length });
  });

  it("finds the lines before one that is longer than all it reads at first", async () => {
    const path = place(lines(hello(0), JSON.stringify({ text: "x".repeat(5_000_000) }), hello(1)));
    const { log, tail } = Log.open(path, 3);
    await log.close();
    expect(tail.values.map((value) => value.seq)).toEqual([0, undefined, 1]);
  });

  it("is for its owner only", async () => {
    const path = place(`${three}{"torn`);
    rmSync(path);
    await Log.open(path, 1).log.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("appending to a log", () => {
  it("keeps the order of calls and syncs those that wait together once", async () => {
    const path = place("");
    let syncs = 0;
    const { log } = Log.open(path, 1, async () => {
      syncs++;
    });
    await Promise.all(Array.from({ length: 500 }, (_, seq) => log.append(hello(seq))));
    await log.close();
    expect(recordsIn(path).map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, seq) => seq));
    expect(syncs).toBe(1);
  });

  it("does not resolve before the line is synced, and shares the next sync with what came meanwhile", async () => {
    const path = place("");
    const held: (() => void)[] = [];
    const { log } = Log.open(path, 1, () => new Promise((resolve) => held.push(resolve)));
    const done: number[] = [];
    const append = (seq: number) => log.append(hello(seq)).then(() => done.push(seq));
    const first = append(0);
    await turn();
    const later = [append(1), append(2)];
    await turn();
    expect([held.length, done]).toEqual([1, []]);
    held.shift()?.();
    await first;
    await turn();
    expect([held.length, done]).toEqual([1, [0]]);
    held.shift()?.();
    await Promise.all(later);
    expect(done).toEqual([0, 1, 2]);
    await log.close();
  });

  it("after a failed sync refuses everything, tells all who waited, and takes their lines away", async () => {
    const path = place(three);
    const broken = Object.assign(new Error("the disk is gone"), { code: "EIO" });
    const syncing = Promise.withResolvers<void>();
    let calls = 0;
    const { log } = Log.open(path, 1, () => (++calls === 1 ? syncing.promise : Promise.resolve()));
    const failed = log.append(hello(3));
    await turn();
    const waited = log.append(hello(4));
    const told = Promise.allSettled([failed, waited]);
    syncing.reject(broken);
    expect((await told).map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual([broken, broken]);
    await expect(log.append(hello(5))).rejects.toBe(broken);
    expect(calls).toBe(1);
    await log.close();
    expect(readFileSync(path, "utf8")).toBe(three);
    const { log: again } = Log.open(path, 1);
    await again.append(hello(3));
    await again.close();
    expect(recordsIn(path)).toHaveLength(4);
  });

  it("has a line that nobody waits for in the file at once, and on the disk with the next that somebody does", async () => {
    const path = place("");
    const synced: string[] = [];
    const { log } = Log.open(path, 1, async () => void synced.push(readFileSync(path, "utf8")));
    const done: number[] = [];
    const append = (seq: number, isAwaited: boolean) =>
      log.append(hello(seq), { isAwaited }).then(() => done.push(seq));
    const unawaited = [append(0, false), append(1, false)];
    await turn();
    expect([readFileSync(path, "utf8"), synced, done]).toEqual([lines(hello(0), hello(1)), [], []]);
    await Promise.all([...unawaited, append(2, true)]);
    expect([synced, done]).toEqual([[three], [0, 1, 2]]);
    await log.close();
    expect(synced).toHaveLength(1);
  });

  it("syncs what nobody waits for by itself, and before it is closed", async () => {
    const path = place("");
    let syncs = 0;
    const { log } = Log.open(path, 1, async () => {
      syncs++;
    });
    await Promise.all([log.append(hello(0), { isAwaited: false }), log.append(hello(1), { isAwaited: false })]);
    expect(syncs).toBe(1);
    const last = log.append(hello(2), { isAwaited: false });
    await log.close();
    await last;
    expect(syncs).toBe(2);
    expect(readFileSync(path, "utf8")).toBe(three);
  });

  it("takes away what was not synced when a sync fails, tells all who wrote it, and takes it anew once it has recovered", async () => {
    const path = place(lines(hello(0)));
    const broken = Object.assign(new Error("the disk is gone"), { code: "EIO" });
    let calls = 0;
    const { log } = Log.open(path, 1, () => (++calls === 1 ? Promise.reject(broken) : Promise.resolve()));
    const unawaited = log.append(hello(1), { isAwaited: false });
    const told = [unawaited.catch((error) => error)];
    await turn();
    told.push(log.append(hello(2)).catch((error) => error));
    expect(await Promise.all(told)).toEqual([broken, broken]);
    expect(readFileSync(path, "utf8")).toBe(lines(hello(0)));
    log.recover();
    await Promise.all([log.append(hello(1), { isAwaited: false }), log.append(hello(2))]);
    await log.close();
    expect(readFileSync(path, "utf8")).toBe(three);
  });

  it("is refused once the file was removed or replaced, and goes to what has taken its place when it is opened again", async () => {
    const path = place("");
    const { log } = Log.open(path, 10);
    await log.append(hello(0));
    writeFileSync(`${path}.new`, lines(hello(7)));
    expect(log.isGone).toBe(false);
    renameSync(`${path}.new`, path);
    expect(log.isGone).toBe(true);
    await expect(log.append(hello(1))).rejects.toThrow("removed or replaced");
    await log.close();
    const again = Log.open(path, 10).log;
    await again.append(hello(2));
    await again.close();
    expect(readFileSync(path, "utf8")).toBe(lines(hello(7), hello(2)));
  });

  it("is refused once the log is closed, and closing waits for what is under way", async () => {
    const path = place("");
    const { log } = Log.open(path, 1);
    const last = log.append(hello(0));
    await log.close();
    await last;
    expect(recordsIn(path)).toHaveLength(1);
    await expect(log.append(hello(1))).rejects.toThrow("closed");
  });
});

function cutOff(text: string, bytes: number): Buffer {
  return Buffer.from(text).subarray(0, -bytes);
}

/** Lets everything that can happen by itself happen. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function recordsIn(path: string): { seq?: number }[] {
  const found: { seq?: number }[] = [];
  scanLog(path, 0, (text) => {
    try {
      const value = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) found.push(value);
    } catch {}
    return true;
  });
  return found;
}

function asideOf(path: string): Buffer[] {
  const names = readdirSync(join(path, "..")).filter((name) => name.includes(".torn-"));
  return names.map((name) => readFileSync(join(path, "..", name)));
}

function stateOf(path: string): [string, number, Buffer][] {
  return readdirSync(join(path, "..")).map((name) => {
    const file = join(path, "..", name);
    return [name, statSync(file).mtimeMs, readFileSync(file)];
  });
}

function place(content: string | Buffer): string {
  const folder = temporaryFolder();
  const path = join(folder, "log.jsonl");
  writeFileSync(path, content);
  return path;
}
