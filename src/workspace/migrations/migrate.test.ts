import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEventLog } from "../../../test/harness/event-log.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { FORMAT } from "../../contract/format.ts";
import { Files } from "../../store/files/files.ts";
import { timeSortedIds } from "../../store/ids.ts";
import { sealOf } from "../events/journal-seal.ts";
import { FORMAT_FILE, readFormat, writeFormat } from "../hall/workspace-format.ts";
import { migrate } from "./migrate.ts";

const clock = () => new Date("2026-11-16T12:00:00.000Z");
const BOOK = "projects/shop/runs/index.jsonl";
const JOURNAL = "projects/shop/runs/2026-01-01/run-1.jsonl";
const OTHER = "projects/shop/runs/2026-01-01/run-2.jsonl";
const COPIES = "backups/format-1-2026-11-16T12-00-00Z";
const CONFIG = "# Mine.\nversion: 1 # the first\nbudget:\n  dayUsd: 3 # a day\n";

const lines = (...values: unknown[]) =>
  values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");

/** Before runs had a purpose: run-1 is a review, run-2 works. */
const OLD: Record<string, string> = {
  "config.yml": CONFIG,
  [BOOK]: lines(
    { type: "created", run: { id: "run-1", opinion: { of: "run-0" } }, journal: JOURNAL },
    '{ "type":"leased",  "runId":"run-1" }',
    "not a line",
    { type: "settled", run: { id: "run-1", opinion: {}, activity: "reads" }, epoch: 1 },
    { type: "settled", run: { id: "run-3", purpose: "work" }, epoch: 1 },
  ),
  [JOURNAL]: lines({ type: "plan", plan: { runId: "run-1", opinion: { of: "run-0" } } }, { type: "started", epoch: 1 }),
  [OTHER]: lines({ type: "plan", plan: { runId: "run-2", purpose: "work" } }),
};

/** Dies before a given one of the steps that change something on disk. */
class DyingFiles extends Files {
  stepsLeft = Number.POSITIVE_INFINITY;
  override async place(...given: Parameters<Files["place"]>): ReturnType<Files["place"]> {
    this.#step();
    return super.place(...given);
  }
  override discard(path: string): void {
    this.#step();
    super.discard(path);
  }
  override async syncFolder(path: string): Promise<void> {
    this.#step();
    await super.syncFolder(path);
  }
  #step(): void {
    if (--this.stepsLeft < 0) throw new Error("killed");
  }
}

async function workspace(texts: Record<string, string> = OLD) {
  const files = new DyingFiles(temporaryFolder());
  for (const [path, text] of Object.entries({ ...texts, ".guildhall/token": "t" })) {
    files.makeFolder(dirname(path));
    writeFileSync(join(files.root, path), text);
  }
  const events = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  onTestFinished(() => events.close());
  const run = () => migrate({ files, events, clock, version: "9.9.9" });
  const told = () => events.read({ after: 0, limit: 100, type: "workspace.migrated" });
  return { files, events, run, told };
}

const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith("{") ? JSON.parse(line) : line));

function assertMigrated(files: Files): void {
  expect(jsonLines(files.text(BOOK))).toEqual([
    { type: "created", run: { id: "run-1", purpose: "review", reviewOf: "run-0" }, journal: JOURNAL, format: 2 },
    { type: "leased", runId: "run-1" },
    "not a line",
    { type: "settled", run: { id: "run-1", purpose: "review" }, epoch: 1, format: 2 },
    { type: "settled", run: { id: "run-3", purpose: "work" }, epoch: 1 },
  ]);
  expect(files.text(BOOK)).toContain('{ "type":"leased",  "runId":"run-1" }\n');
  expect(jsonLines(files.text(JOURNAL))[0]).toEqual({
    type: "plan",
    plan: { runId: "run-1", purpose: "review", reviewOf: "run-0" },
    format: 2,
  });
  expect(files.text(OTHER)).toBe(OLD[OTHER]);
  expect(files.text("config.yml")).toBe(CONFIG.replace("version: 1", "version: 2"));
  for (const path of ["config.yml", BOOK, JOURNAL]) expect(files.text(`${COPIES}/${path}`)).toBe(OLD[path]);
  expect(files.exists(`${COPIES}/${OTHER}`)).toBe(false);
  expect(readFormat(files)).toEqual({
    format: FORMAT,
    writtenBy: "9.9.9",
    migrated: { from: 1, at: clock().toISOString(), copies: COPIES },
  });
}

describe("a workspace without a format", () => {
  it("is migrated once, with copies of what was changed, and an event", async () => {
    const { files, run, told } = await workspace();
    expect(await run()).toEqual({ from: 1, to: FORMAT, copies: COPIES, files: 3 });
    assertMigrated(files);
    expect(told()).toMatchObject([{ after: { from: 1, to: FORMAT, copies: COPIES, files: 3 } }]);
    expect(await run()).toBeUndefined();
    expect(told()).toHaveLength(1);
  });

  it("is migrated as a whole, and told of once, wherever the daemon dies in between", async () => {
    for (let steps = 0, isDead = true; isDead; steps++) {
      const { files, run, told } = await workspace();
      files.stepsLeft = steps;
      isDead = await run().then(
        () => false,
        () => true,
      );
      files.stepsLeft = Number.POSITIVE_INFINITY;
      await run();
      assertMigrated(files);
      expect(told()).toHaveLength(1);
      expect(files.folders("backups")).toHaveLength(1);
      expect(steps).toBeLessThan(80);
      if (!isDead) expect(steps).toBeGreaterThan(10);
    }
  });

  it("gets the number where nothing has to be changed", async () => {
    const { files, run } = await workspace({ "config.yml": "version: 2\n" });
    expect(await run()).toMatchObject({ files: 0 });
    expect(readFormat(files).format).toBe(FORMAT);
    expect(files.exists("backups")).toBe(false);
  });

  it("gets a config.yml that older programs refuse, whatever it is written like", async () => {
    for (const [before, after] of [
      ["", "version: 2\n"],
      ['{"budget":{"dayUsd":1}}', '"dayUsd":1'],
      ["budget:\n  dayUsd: 1 # keep\n", "dayUsd: 1 # keep\n"],
      ["'version': 1\n", "version"],
    ] as const) {
      const { files, run } = await workspace({ "config.yml": before });
      await run();
      const text = files.text("config.yml");
      expect(text.replaceAll(" ", "")).toContain(after.replaceAll(" ", ""));
      expect(text).toMatch(/version['"]?: 2/);
    }
  });
});

it("the audit takes a journal that a migration changed for what the migration left, and notices later changes", async () => {
  const { files, events, run } = await workspace();
  const journal = sealOf(files, JOURNAL);
  await events.append({
    type: "run.ended",
    actor: { kind: "daemon", via: "daemon" },
    subject: { kind: "run", id: "run-1" },
    after: { journal },
  });
  await run();
  expect(await events.verify()).toMatchObject({ ok: true, journals: 1 });
  await files.replace(JOURNAL, files.text(JOURNAL).replace("run-0", "run-x"));
  expect(await events.verify()).toMatchObject({ ok: false, faults: [{ file: JOURNAL, line: 1 }] });
});

it("a workspace of a newer format, or of one that cannot be read, is refused and left alone", async () => {
  const { files, run } = await workspace();
  await writeFormat(files, { format: FORMAT + 1, writtenBy: "7.0.0" });
  await expect(run()).rejects.toMatchObject({ code: "newer_format", file: FORMAT_FILE });
  await files.replace(FORMAT_FILE, "{");
  await expect(run()).rejects.toMatchObject({ code: "file_invalid", file: FORMAT_FILE });
  expect(files.text(BOOK)).toBe(OLD[BOOK]);
});
