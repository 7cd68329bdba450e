import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { changeLogSuite } from "../../../test/suites/change-log-suite.ts";
import { ChangedMeanwhile } from "../files/draft-file.ts";
import { Files } from "../files/files.ts";
import { stampOf } from "../files/regular-file.ts";
import { Log } from "../logs/log.ts";
import { ChangeLog, type ChangeLogOptions } from "./change-log.ts";
import { CHANGES_FOLDER } from "./change-segment.ts";
import { contentHash } from "./content-hash.ts";

changeLogSuite("in files", async (folder, options) => ({
  log: await ChangeLog.open(new Files(folder), options),
  segments: () => segmentsIn(folder),
}));

async function open(folder = temporaryFolder(), options: ChangeLogOptions = {}) {
  const files = new Files(folder);
  const log = await ChangeLog.open(files, options);
  onTestFinished(() => log.close());
  return { folder, log, files, at: (path: string) => join(folder, path) };
}

/** Without the empty files that are made ahead. */
function segmentNames(folder: string): string[] {
  return readdirSync(join(folder, CHANGES_FOLDER)).filter((name) => name.endsWith(".jsonl"));
}

function segmentsIn(folder: string): string[] {
  return segmentNames(folder).map((name) => readFileSync(join(folder, CHANGES_FOLDER, name), "utf8"));
}

/** What is there from before the changes. */
function lay(path: string, content: string | Buffer): void {
  writeFileSync(path, content);
  utimesSync(path, 1_000, 1_000);
}

/** What a person writes after the changes. */
function writeByHand(path: string, content: string): void {
  writeFileSync(path, content);
  const later = Date.now() / 1_000 + 60;
  utimesSync(path, later, later);
}

const text = (path: string) => readFileSync(path, "utf8");
const put = (path: string, content: string, before?: string) => ({
  kind: "put" as const,
  path,
  content,
  base: before === undefined ? null : contentHash(before),
});
const line = (path: string, value: object) => ({ kind: "append" as const, path, line: JSON.stringify(value) });

describe("a power cut", () => {
  it.each([
    ["empty", ""],
    ["nothing but NULs", "\0".repeat(6)],
    ["a beginning", "sec"],
    ["the version before", "first"],
  ])("that leaves a file %s gets the last version back", async (_name, left) => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a.md", "first")] });
    await log.commit({ writes: [put("a.md", "second", "first")] });
    lay(at("a.md"), left);
    await open(folder);
    expect(text(at("a.md"))).toBe("second");
  });

  it("brings back files, folders, moves and lines that are gone", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [{ kind: "tree", path: "p", files: { "A.md": "a" }, folders: ["deep/er"] }] });
    await log.commit({ writes: [{ ...put("p/A.md", "moved", "a"), to: "p/deep/B.md" }] });
    for (const n of [1, 2, 3]) await log.commit({ writes: [line("p/log.jsonl", { n })] });
    const lines = text(at("p/log.jsonl"));
    rmSync(at("p"), { recursive: true });
    await open(folder);
    expect(text(at("p/deep/B.md"))).toBe("moved");
    expect(readdirSync(at("p")).sort()).toEqual(["deep", "log.jsonl"]);
    expect(text(at("p/log.jsonl"))).toBe(lines);
  });

  it("brings back a file that was moved as it is where it was moved to, and not where it was", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a/one.json", "first")] });
    await log.commit({ writes: [{ ...put("a/one.json", "second", "first"), to: "b/one.json" }] });
    await log.commit({ writes: [{ kind: "move", path: "b/one.json", to: "trash/b/one.json" }] });
    await open(folder);
    expect([existsSync(at("a/one.json")), existsSync(at("b/one.json"))]).toEqual([false, false]);
    rmSync(at("trash"), { recursive: true });
    await open(folder);
    expect(text(at("trash/b/one.json"))).toBe("second");
  });

  it.each([0, 1, 5, 9, 12, 17])(
    "that leaves %i bytes of a file of lines has them written again, byte for byte",
    async (left) => {
      const { folder, log, at } = await open();
      for (const n of [1, 2, 3]) await log.commit({ writes: [line("log.jsonl", { n })] });
      const whole = readFileSync(at("log.jsonl"));
      lay(at("log.jsonl"), Buffer.concat([whole.subarray(0, left), Buffer.alloc(left % 4)]));
      await open(folder);
      expect(readFileSync(at("log.jsonl"))).toEqual(whole);
    },
  );

  it("leaves alone what a person has written since", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a.md", "ours")] });
    lay(at("a.md"), "theirs");
    await open(folder);
    expect(text(at("a.md"))).toBe("theirs");
  });
});

describe("a crash", () => {
  /** The log has the change, and the files have not. */
  async function unapplied(
    writes: Parameters<ChangeLog["commit"]>[0]["writes"],
    prepare: (at: (path: string) => string) => void,
  ) {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("first.md", "1")] });
    prepare(at);
    await log.commit({ writes });
    const copy = temporaryFolder();
    prepare((path) => join(copy, path));
    new Files(copy).makeFolder(CHANGES_FOLDER);
    for (const name of segmentNames(folder))
      writeFileSync(join(copy, CHANGES_FOLDER, name), readFileSync(join(at(CHANGES_FOLDER), name)));
    expect(folder).not.toBe(copy);
    return copy;
  }

  it("between the log and a file has the file written by the next start", async () => {
    const folder = await unapplied([put("a.md", "new", "old")], (at) => lay(at("a.md"), "old"));
    await open(folder);
    expect(text(join(folder, "a.md"))).toBe("new");
  });

  it("before a file that a person changed meanwhile leaves the person's edit", async () => {
    const folder = await unapplied([put("a.md", "new", "old")], (at) => lay(at("a.md"), "old"));
    writeFileSync(join(folder, "a.md"), "by hand");
    await open(folder);
    expect(text(join(folder, "a.md"))).toBe("by hand");
  });

  it("writes nothing through a folder that leads out of where the change was kept in", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [{ kind: "tree", path: "a", files: {}, folders: ["deep"] }] });
    await log.commit({ writes: [{ kind: "tree", path: "b", files: {}, folders: ["deep"] }] });
    await log.commit({ writes: [{ ...put("a/deep/x.md", "of a"), within: "a" }] });
    rmSync(at("a/deep"), { recursive: true });
    symlinkSync(at("b/deep"), at("a/deep"));
    await open(folder);
    expect(readdirSync(at("b/deep"))).toEqual([]);
  });

  it("adds no line again to a file whose beginning is another one", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [line("log.jsonl", { first: true })] });
    lay(at("log.jsonl"), 'st":true}\n{"n":2}\n');
    await open(folder);
    expect(text(at("log.jsonl"))).toBe('st":true}\n{"n":2}\n');
  });

  it("leaves an earlier version that a person put back since", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a.md", "first")] });
    await log.commit({ writes: [put("a.md", "second", "first")] });
    await log.commit({ writes: [put("b.md", "later")] });
    writeByHand(at("a.md"), "first");
    await open(folder);
    expect(text(at("a.md"))).toBe("first");
  });

  it("of the replay itself is harmless: doing it again changes nothing", async () => {
    const folder = await unapplied([put("a.md", "new", "old"), line("l.jsonl", { n: 1 })], (at) =>
      lay(at("a.md"), "old"),
    );
    const segments = segmentsIn(folder);
    for (const _ of [1, 2, 3]) {
      await open(folder);
      expect([text(join(folder, "a.md")), text(join(folder, "l.jsonl"))]).toEqual(["new", '{"n":1}\n']);
    }
    expect(segments.length).toBeGreaterThan(0);
  });
});

describe("the log's own file", () => {
  it("is not opened when a newer program wrote it", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a.md", "1")] });
    const [name = ""] = segmentNames(folder);
    const path = join(at(CHANGES_FOLDER), name);
    writeFileSync(path, text(path).replaceAll('"format":1', '"format":2'));
    await expect(ChangeLog.open(new Files(folder))).rejects.toThrow(/newer version of Guildhall \(format 2/);
  });

  it("is its owner's alone, and an unfinished last line in it counts for nothing", async () => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a.md", "1")] });
    const [name = ""] = segmentNames(folder);
    const path = join(at(CHANGES_FOLDER), name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, `${text(path)}{"format":1,"number":2,"at":1,"writes":[{"kind":"pu`);
    await open(folder);
    expect(text(at("a.md"))).toBe("1");
  });

  it("that cannot be synced refuses the change and leaves nothing of it; the next one is taken", async () => {
    const folder = temporaryFolder();
    let isBroken = false;
    class Failing extends Files {
      override openLogEnd(path: string): ReturnType<Files["openLogEnd"]> {
        const sync = async () => {
          if (isBroken) throw Object.assign(new Error("input/output error"), { code: "EIO" });
        };
        return Log.openEnd(join(this.root, path), "acknowledged", sync);
      }
    }
    const log = await ChangeLog.open(new Failing(folder));
    onTestFinished(() => log.close());
    await log.commit({ writes: [put("a.md", "1")] });
    isBroken = true;
    const writes = [put("a.md", "2", "1"), put("b.md", "new")];
    const refused = await Promise.allSettled(writes.map((write) => log.commit({ writes: [write] })));
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(readdirSync(folder).sort()).toEqual(["a.md", "state"]);
    expect(text(join(folder, "a.md"))).toBe("1");
    isBroken = false;
    await log.commit({ writes: [put("a.md", "3", "1")] });
    expect(text(join(folder, "a.md"))).toBe("3");
  });
});

it("keeps a change whose file the disk refuses, and writes it when the disk takes it", async () => {
  const folder = temporaryFolder();
  let isBroken = false;
  class Failing extends Files {
    override appendBytes(path: string, bytes: Buffer): number {
      if (isBroken) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      return super.appendBytes(path, bytes);
    }
  }
  const log = await ChangeLog.open(new Failing(folder));
  onTestFinished(() => log.close());
  isBroken = true;
  expect(await log.commit({ writes: [line("l.jsonl", { n: 1 })] })).toMatchObject({ state: "waiting" });
  await expect(log.commit({ writes: [put("a.md", "1")] })).rejects.toMatchObject({ code: "storage_failed" });
  isBroken = false;
  await log.commit({ writes: [line("l.jsonl", { n: 2 })] });
  expect(text(join(folder, "l.jsonl"))).toBe('{"n":1}\n{"n":2}\n');
});

it("keeps the order of lines when the disk refuses a long one and would take a short one after it", async () => {
  const folder = temporaryFolder();
  let isFull = true;
  class Full extends Files {
    override appendBytes(path: string, bytes: Buffer): number {
      if (isFull && bytes.length > 20) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      return super.appendBytes(path, bytes);
    }
  }
  const log = await ChangeLog.open(new Full(folder));
  onTestFinished(() => log.close());
  const long = { n: 1, text: "as long as it gets" };
  await Promise.all([long, { n: 2 }].map((one) => log.commit({ writes: [line("l.jsonl", one)] })));
  isFull = false;
  await log.commit({ writes: [line("l.jsonl", { n: 3 })] });
  expect(text(join(folder, "l.jsonl"))).toBe(`${JSON.stringify(long)}\n{"n":2}\n{"n":3}\n`);
});

it("lets a person's edit stand that comes while the log is being written", async () => {
  const { log, at } = await open();
  await log.commit({ writes: [put("a.md", "1")] });
  const byHand = () => {
    writeFileSync(at("hand"), "by hand");
    renameSync(at("hand"), at("a.md"));
    return [];
  };
  expect(await log.commit({ writes: [put("a.md", "2", "1")], lines: byHand })).toMatchObject({ state: "overtaken" });
  expect(text(at("a.md"))).toBe("by hand");
});

describe("a document that only gets longer", () => {
  const longer = { kind: "put" as const, path: "a.md", content: "one\ntwo\n" };

  it("is written at its end, and stays the same file", async () => {
    const { log, at } = await open();
    await log.commit({ writes: [put("a.md", "one\n")] });
    const { ino } = statSync(at("a.md"));
    const { stamps } = await log.commit({ writes: [longer] });
    await log.commit({ writes: [put("a.md", "one\ntwo\nthree\n", "one\ntwo\n")] });
    expect(text(at("a.md"))).toBe("one\ntwo\nthree\n");
    expect([statSync(at("a.md")).ino, stamps.get("a.md")?.inode]).toEqual([ino, ino]);
  });

  const named = async (log: ChangeLog) => {
    const { stamps } = await log.commit({ writes: [put("a.md", "one\n")] });
    return { ...put("a.md", "one\ntwo\n", "one\n"), from: stamps.get("a.md"), added: "two\n" };
  };

  it("is written at its end without being read, where the write says what is new", async () => {
    const { log, at } = await open();
    const write = await named(log);
    const { ino, atime, mtime } = statSync(at("a.md"));
    writeFileSync(at("a.md"), "ONE\n");
    utimesSync(at("a.md"), atime, mtime);
    await log.commit({ writes: [{ ...write, from: stampOf(statSync(at("a.md"))) }] });
    expect([text(at("a.md")), statSync(at("a.md")).ino]).toEqual(["ONE\ntwo\n", ino]);
  });

  it("is refused where the file is another by now than the one that the write adds to", async () => {
    const { log, at } = await open();
    const write = await named(log);
    writeFileSync(at("a.md"), "by hand\n");
    await expect(log.commit({ writes: [write] })).rejects.toThrow(ChangedMeanwhile);
    expect(text(at("a.md"))).toBe("by hand\n");
  });

  it.each(["said by the write", "found by reading"])(
    "is replaced where the file has another name, which keeps what it had: %s",
    async (how) => {
      const { log, at } = await open();
      const write = await named(log);
      linkSync(at("a.md"), at("kept.md"));
      await log.commit({ writes: [how === "said by the write" ? write : longer] });
      expect([text(at("a.md")), text(at("kept.md"))]).toEqual(["one\ntwo\n", "one\n"]);
    },
  );

  it.each([
    ["a beginning of what was added", Buffer.from("one\nt")],
    ["NULs in place of it", Buffer.from("one\n\0\0\0\0")],
    ["nothing of it", Buffer.from("one\n")],
  ])("is whole after a power cut that left %s, whose time is that of the write", async (_name, left) => {
    const { folder, log, at } = await open();
    await log.commit({ writes: [put("a.md", "one\n")] });
    await log.commit({ writes: [longer] });
    const { atime, mtime } = statSync(at("a.md"));
    writeFileSync(at("a.md"), left);
    utimesSync(at("a.md"), atime, mtime);
    await open(folder);
    expect(text(at("a.md"))).toBe("one\ntwo\n");
  });

  it("is not written over a person's edit that comes while the log is being written, if it was made from another", async () => {
    const { log, at } = await open();
    await log.commit({ writes: [put("a.md", "one\n")] });
    const byHand = () => {
      writeFileSync(at("a.md"), "by hand");
      return [];
    };
    const change = { writes: [put("a.md", "one\ntwo\n", "one\n")], lines: byHand };
    expect(await log.commit(change)).toMatchObject({ state: "overtaken" });
    expect(text(at("a.md"))).toBe("by hand");
  });
});

it("compares the content of a document that is not in the state in which it was read", async () => {
  const { log, files, at } = await open();
  await log.commit({ writes: [put("a.md", "1")] });
  const from = files.stamp("a.md");
  await log.commit({ writes: [{ ...put("a.md", "2", "1"), from }] });
  expect(text(at("a.md"))).toBe("2");
  const stale = log.commit({ writes: [{ ...put("a.md", "3", "1"), from }] });
  await expect(stale).rejects.toBeInstanceOf(ChangedMeanwhile);
  await log.commit({ writes: [{ ...put("a.md", "3", "2"), from }] });
  expect(text(at("a.md"))).toBe("3");
});

it("finishes a move of which a crash left both places", async () => {
  const { folder, log, at } = await open();
  await log.commit({ writes: [put("a/one.md", "first")] });
  await log.commit({ writes: [{ ...put("a/one.md", "second", "first"), to: "b/one.md" }] });
  lay(at("a/one.md"), "first");
  await open(folder);
  expect([existsSync(at("a/one.md")), text(at("b/one.md"))]).toEqual([false, "second"]);
});
