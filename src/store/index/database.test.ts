import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Database } from "./database.ts";
import { INDEX_VERSION } from "./index-schema.ts";

describe("the file of the index", () => {
  it("is made when it is missing, and opened as it was left", () => {
    const path = place();
    const first = open(path);
    expect(first.emptyBecause).toBe("it was missing");
    put(first, "a", 1);
    first.close();
    const second = open(path);
    expect([second.emptyBecause, get(second, "a")]).toEqual([undefined, 1]);
  });

  it("is opened as far as it was written when nobody closed it", () => {
    const path = place();
    const first = open(path);
    put(first, "a", 1);
    first.close();
    const crashed = open(path);
    crashed.run("INSERT INTO meta VALUES ('b', 2)");
    const copy = join(path, "../copy.db");
    for (const suffix of ["", "-wal"]) cpSync(path + suffix, copy + suffix);
    const second = open(copy);
    expect([second.emptyBecause, get(second, "a"), get(second, "b")]).toEqual([undefined, 1, 2]);
  });

  it.each<[name: string, harm: (path: string) => void]>([
    ["cut short", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["empty", (path) => truncateSync(path, 0)],
    ["longer", (path) => appendFileSync(path, "x")],
    ["something else", (path) => writeFileSync(path, "not a database at all".repeat(1_000))],
    ["changed in one byte", (path) => flip(path, 5_000)],
    ["touched", (path) => utimesSync(path, new Date(), new Date())],
  ])("is made anew when it was closed well and is now %s", (_name, harm) => {
    const path = filled();
    harm(path);
    const db = open(path);
    expect(db.emptyBecause).toEqual(expect.any(String));
    expect(get(db, "a")).toBeUndefined();
  });

  it.each<[name: string, harm: (path: string) => void]>([
    ["cut short", (path) => truncateSync(path, 3 * 4_096)],
    ["cut within a page", (path) => truncateSync(path, 10_000)],
    ["something else", (path) => writeFileSync(path, Buffer.alloc(50_000, 7))],
    ["without its beginning", (path) => writeFileSync(path, readFileSync(path).fill(0, 0, 100))],
    ["scribbled over", (path) => writeFileSync(path, readFileSync(path).fill(255, 4_096, 12_288))],
  ])("is made anew after a crash when it is %s", (_name, harm) => {
    const path = filled();
    rmSync(`${path}.seal`);
    harm(path);
    const db = open(path);
    expect(db.emptyBecause).toEqual(expect.any(String));
    put(db, "b", 2);
    db.close();
    expect(get(open(path), "b")).toBe(2);
  });

  it("is made anew when it has another version", () => {
    const path = filled();
    const other = new DatabaseSync(path);
    other.exec(`PRAGMA user_version = ${INDEX_VERSION + 1}`);
    other.close();
    rmSync(`${path}.seal`);
    expect(open(path).emptyBecause).toContain(`version ${INDEX_VERSION + 1}`);
  });

  it("is made anew when a crash came before its tables were filled", () => {
    const path = place();
    const db = new Database(path);
    onTestFinished(() => db.close());
    const copied = (name: string) => {
      const copy = join(path, "..", name);
      for (const suffix of ["", "-wal"]) cpSync(path + suffix, copy + suffix);
      return new Database(copy);
    };
    const first = copied("before.db");
    expect(first.emptyBecause).toBe("it was never filled");
    first.close();
    db.fill(() => put(db, "a", 1));
    const second = copied("after.db");
    expect([second.emptyBecause, get(second, "a")]).toEqual([undefined, 1]);
    second.close();
  });

  it("is kept in memory where none can be made, and made at the next start", () => {
    const path = join(place(), "../missing/index.db");
    const db = open(path);
    put(db, "a", 1);
    db.reset();
    put(db, "b", 2);
    expect([get(db, "a"), get(db, "b")]).toEqual([undefined, 2]);
    db.close();
    mkdirSync(join(path, ".."));
    expect(open(path).emptyBecause).toBe("it was missing");
  });

  it("can be thrown away while it is open", () => {
    const path = place();
    const db = open(path);
    put(db, "a", 1);
    db.reset();
    expect(get(db, "a")).toBeUndefined();
    db.fill(() => put(db, "b", 2));
    db.close();
    expect([get(open(path), "a"), get(open(path), "b")]).toEqual([undefined, 2]);
  });

  it("leaves nothing but itself and its seal when it is closed", () => {
    const path = filled();
    expect(["", ".seal", "-wal", "-shm"].map((suffix) => existsSync(path + suffix))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("a transaction of the index", () => {
  it("is seen at once and kept whole or not at all", () => {
    const db = open(place());
    put(db, "a", 1);
    expect(() =>
      db.transaction(() => {
        put(db, "a", 2);
        db.run("INSERT INTO meta VALUES ('b', 3)");
        throw new Error("no");
      }),
    ).toThrow("no");
    expect([get(db, "a"), get(db, "b")]).toEqual([1, undefined]);
  });

  it("inside another is part of it", () => {
    const db = open(place());
    expect(() =>
      db.transaction(() => {
        db.transaction(() => put(db, "a", 1));
        expect(get(db, "a")).toBe(1);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(get(db, "a")).toBeUndefined();
  });

  it("that failed does not take those before it along, also after a restart", () => {
    const path = place();
    const db = open(path);
    put(db, "a", 1);
    expect(() => db.transaction(() => db.run("INSERT INTO nowhere VALUES (1)"))).toThrow();
    put(db, "b", 2);
    db.close();
    const again = open(path);
    expect([get(again, "a"), get(again, "b")]).toEqual([1, 2]);
  });
});

function put(db: Database, key: string, value: number | string): void {
  db.transaction(() => db.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value));
}

function get(db: Database, key: string): unknown {
  return db.get<{ value: number }>("SELECT value FROM meta WHERE key = ?", key)?.value;
}

function flip(path: string, offset: number): void {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

/** An index of some pages, closed well. */
function filled(): string {
  const path = place();
  const db = open(path);
  put(db, "a", 1);
  db.transaction(() => {
    for (let count = 0; count < 500; count++) db.run("INSERT INTO files VALUES (?, 1, 1, 1, 'x')", `file-${count}`);
  });
  db.close();
  return path;
}

/** Filled, as whoever opens the index does with empty tables. */
function open(path: string): Database {
  const db = new Database(path);
  if (db.emptyBecause !== undefined) db.fill(() => undefined);
  onTestFinished(() => {
    try {
      db.close();
    } catch {}
  });
  return db;
}

function place(): string {
  const folder = temporaryFolder();
  return join(folder, "index.db");
}

describe("while the disk does not answer", () => {
  it("what cannot be looked at is neither changed nor lost, and the daemon goes on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = place();
    const db = open(path);
    // A link to itself is a path that cannot be looked at.
    renameSync(path, `${path}.away`);
    symlinkSync(path, path);
    db.checkFile();
    put(db, "a", 1);
    vi.advanceTimersByTime(1_000);
    expect([db.condition, get(db, "a")]).toEqual([{ state: "sound" }, 1]);
    rmSync(path);
    renameSync(`${path}.away`, path);
    await nextTurn();
    db.checkFile();
    expect(db.condition).toEqual({ state: "sound" });
    appendFileSync(path, "x");
    await nextTurn();
    db.checkFile();
    expect(db.condition).toMatchObject({ state: "lost" });
  });

  it("a seal that cannot be removed keeps the file from being written, and nothing else", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = place();
    const db = open(path);
    const size = statSync(path).size;
    rmSync(`${path}.seal`, { force: true });
    mkdirSync(join(`${path}.seal`, "x"), { recursive: true });
    for (let at = 0; at < 18; at++) put(db, `large ${at}`, "x".repeat(1024 * 1024));
    vi.advanceTimersByTime(1_000);
    expect([db.condition, statSync(path).size]).toEqual([{ state: "sound" }, size]);
    rmSync(`${path}.seal`, { recursive: true });
    put(db, "a", 1);
    vi.advanceTimersByTime(1_000);
    expect([get(db, "a"), statSync(path).size > size]).toEqual([1, true]);
  });
});
