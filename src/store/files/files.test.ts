import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { filesOver, temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { FolderSync } from "./folder-sync.ts";

const source = new URL("./files.ts", import.meta.url).href;

describe("writing files", () => {
  it("replaces a file whole, for its owner only, and leaves nothing beside it", async () => {
    const { files, root } = filesOver();
    await files.replace("a.md", "one");
    await files.replace("a.md", "two, and longer");
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("two, and longer");
    expect(statSync(join(root, "a.md")).mode & 0o777).toBe(0o600);
    expect(readdirSync(root)).toEqual(["a.md"]);
  });

  it("shows readers the old content or the new, never a part", async () => {
    const { files, root } = filesOver();
    const texts = ["a", "b"].map((letter) => letter.repeat(1_000_000));
    await files.replace("big.md", texts[0] ?? "");
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, turn) => files.replace("big.md", texts[turn % 2] ?? "")),
    );
    let isWriting = true;
    void writing.finally(() => (isWriting = false));
    while (isWriting) {
      expect(texts).toContain(readFileSync(join(root, "big.md"), "utf8"));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
  });

  it("creates a file once", async () => {
    const { files } = filesOver();
    expect(await files.create("a.md", "first")).toBe(true);
    expect(await files.create("a.md", "second")).toBe(false);
    expect(files.text("a.md")).toBe("first");
  });

  it("gives each of 200 names to exactly one of 8 processes that want them all", { timeout: 60_000 }, async () => {
    const { root } = filesOver();
    const script = `
      import { Files } from ${JSON.stringify(source)};
      const files = new Files(process.argv[1]);
      const names = Array.from({ length: 200 }, (_, count) => count).sort(() => Math.random() - 0.5);
      const claim = async (name) => (await files.create("claim-" + name, String(process.pid))) ? [name] : [];
      const won = (await Promise.all(names.map(claim))).flat();
      process.stdout.write(JSON.stringify({ pid: process.pid, won }));`;
    const run = () =>
      promisify(execFile)(process.execPath, ["--no-warnings", "--input-type=module", "-e", script, root]);
    const outcomes = (await Promise.all(Array.from({ length: 8 }, run))).map(({ stdout }) => JSON.parse(stdout));
    const winners = outcomes.flatMap(({ pid, won }) => won.map((name: number) => [name, String(pid)]));
    expect(winners).toHaveLength(200);
    expect(new Set(winners.map(([name]) => name)).size).toBe(200);
    for (const [name, pid] of winners) expect(readFileSync(join(root, `claim-${name}`), "utf8")).toBe(pid);
    expect(readdirSync(root)).toHaveLength(200);
  });

  it("makes folders at any depth, for their owner only, and says what stands in the way", async () => {
    const { files, root } = filesOver();
    await files.ensureFolder("a/b/c");
    await files.ensureFolder("a/b/c");
    for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
    await files.replace("a/file", "x");
    await expect(files.ensureFolder("a/file")).rejects.toThrow("'a/file' is not a folder");
    await expect(files.ensureFolder("a/file/below")).rejects.toMatchObject({ code: expect.any(String) });
  });

  it("sweeps what interrupted writes left, and nothing else", async () => {
    const { files, root } = filesOver("a/b/");
    const outside = temporaryFolder();
    const leftover = ".tmp-0123456789abcdef";
    for (const folder of [root, join(root, "a/b"), outside]) writeFileSync(join(folder, leftover), "half");
    writeFileSync(join(root, "a/b/kept.md"), "mine");
    symlinkSync(outside, join(root, "a/link"));
    for (const _ of files.sweep(".", "here", {}));
    expect(existsSync(join(root, leftover))).toBe(false);
    for (const _ of files.sweep("a", "below", { before: 0 }));
    expect(existsSync(join(root, "a/b", leftover))).toBe(true);
    for (const _ of files.sweep("a", "below", { before: Date.now() + 60_000 }));
    expect(readdirSync(join(root, "a/b"))).toEqual(["kept.md"]);
    expect(existsSync(join(outside, leftover))).toBe(true);
  });
});

const TRACER = "strace";
const isTraceable = hasTracer();
const about = isTraceable ? "" : " (not tried here: there is no strace)";

describe.skipIf(!isTraceable)(`what reaches the disk${about}`, () => {
  it("is the content before the name and the name before the answer", async () => {
    const { root } = filesOver();
    const script = `
      import { Files } from ${JSON.stringify(source)};
      import { writeSync } from "node:fs";
      await new Files(process.argv[1]).replace("a.md", "content");
      writeSync(1, "answered");`;
    const trace = join(temporaryFolder(), "trace");
    const calls = "trace=openat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2";
    const node = [process.execPath, "--no-warnings", "--input-type=module", "-e", script, root];
    await promisify(execFile)(TRACER, ["-f", "-y", "-e", calls, "-o", trace, ...node]);
    const steps = readFileSync(trace, "utf8")
      .split("\n")
      .flatMap((line) => stepOf(line, root));
    expect(steps).toEqual(["write content", "sync content", "rename", "sync folder", "answer"]);
  });
});

describe("syncing a folder", () => {
  it("is shared by those who ask in one turn of the event loop, and by those who come while another runs", async () => {
    const folder = temporaryFolder();
    const sync = new FolderSync();
    const running = sync.run(folder);
    expect(sync.run(folder)).toBe(running);
    await nextTurn();
    const [second, third] = [sync.run(folder), sync.run(folder)];
    expect(second).toBe(third);
    expect(second).not.toBe(running);
    await running;
    const [fourth, fifth] = [sync.run(folder), sync.run(folder)];
    expect(fourth).toBe(fifth);
    await Promise.all([second, fourth]);
    expect(sync.run(folder)).not.toBe(fourth);
  });

  it("that fails is told to those who wait for it and to nobody after", async () => {
    const folder = join(temporaryFolder(), "missing");
    const sync = new FolderSync();
    const outcomes = await Promise.allSettled([sync.run(folder), sync.run(folder)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    mkdirSync(folder);
    await sync.run(folder);
  });
});

describe("reading files", () => {
  it("refuses what is no regular file, without waiting for it", () => {
    const { files, root } = filesOver("x.md/");
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(() => files.read("x.md")).toThrow("'x.md' is a folder, not a file");
    expect(() => files.read("pipe")).toThrow("'pipe' is not a regular file");
    expect(() => files.read("missing.md")).toThrow("There is no file 'missing.md'");
    expect(() => files.read("missing/a.md")).toThrow("There is no folder 'missing'");
  });

  it("refuses a second name of a file where the path came from outside", () => {
    const { files, root } = filesOver("project/");
    const secret = join(temporaryFolder(), "secret");
    writeFileSync(secret, "secret");
    linkSync(secret, join(root, "project/hard.md"));
    expect(() => files.readContained("project/hard.md", "project")).toThrow("is a hard link");
  });

  it("refuses a file that is too large to be read whole, before it reads it", () => {
    const { files, root } = filesOver();
    writeFileSync(join(root, "large"), "");
    truncateSync(join(root, "large"), 17 * 1024 * 1024);
    expect(() => files.read("large")).toThrow("larger than 16 MiB");
  });

  it("tells of links that lead in a circle that they are there, and refuses to read them", () => {
    const { files, root } = filesOver();
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    expect(files.exists("a")).toBe(true);
    expect(() => files.read("a")).toThrow("is a link");
  });

  it("lists names and folders without hidden ones, and nothing where there is no folder", async () => {
    const { files } = filesOver("b/", "a/", ".hidden/");
    for (const name of ["z.md", "y.md", ".x.md"]) await files.replace(name, "");
    expect([files.names("."), files.folders("."), files.hiddenFolders(".")]).toEqual([
      ["y.md", "z.md"],
      ["a", "b"],
      [".hidden"],
    ]);
    expect([files.names("missing"), files.folders("y.md")]).toEqual([[], []]);
  });
});

describe("names", () => {
  it("that are taken get a number before their ending", async () => {
    const { files } = filesOver("a/");
    const taken = ["report.md", "report-2.md", "noending", ".hidden", "x.tar.gz"];
    for (const name of taken) await files.replace(`a/${name}`, "");
    expect(taken.map((name) => files.freeName("a", name))).toEqual([
      "a/report-3.md",
      "a/report-2-2.md",
      "a/noending-2",
      "a/.hidden-2",
      "a/x.tar-2.gz",
    ]);
  });

  it("as long as the system allows get their number too", async () => {
    const { files } = filesOver("a/");
    for (const name of ["n".repeat(255), `${"日".repeat(84)}.md`, `x.${"e".repeat(253)}`]) {
      await files.replace(`a/${name}`, "");
      const free = files.freeName("a", name).slice(2);
      expect(Buffer.byteLength(free)).toBeLessThanOrEqual(255);
      expect(await files.create(`a/${free}`, "")).toBe(true);
    }
  });

  it("never hide one another", async () => {
    const { files } = filesOver("trash/");
    const names = [];
    for (const text of ["one", "two"]) {
      names.push(files.freeName("trash", "now-a.md"));
      await files.replace(names.at(-1) ?? "", text);
    }
    expect(names).toEqual(["trash/now-a.md", "trash/now-a-2.md"]);
  });
});

function stepOf(line: string, root: string): string[] {
  if (/ (?:write|pwrite64)\(1[<,].*"answered"/.test(line)) return ["answer"];
  if (/ rename(?:at2?)?\(.*\.tmp-/.test(line)) return ["rename"];
  if (!line.includes(root)) return [];
  if (/ (?:write|pwrite64)\(\d+<[^>]*\.tmp-/.test(line)) return ["write content"];
  if (/ f(?:data)?sync\(\d+<[^>]*\.tmp-/.test(line)) return ["sync content"];
  if (new RegExp(` fsync\\(\\d+<${root}>`).test(line)) return ["sync folder"];
  return [];
}

function hasTracer(): boolean {
  try {
    execFileSync(TRACER, ["-o", "/dev/null", "true"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}
