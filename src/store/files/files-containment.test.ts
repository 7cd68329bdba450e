import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesOver, temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Files } from "./files.ts";

describe("a path that leads out of the workspace through a link", () => {
  const wayOut = () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "secret");
    const made = filesOver("inside/");
    symlinkSync(outside, join(made.root, "out"));
    symlinkSync(join(outside, "secret.md"), join(made.root, "inside/link.md"));
    symlinkSync("../out/new.md", join(made.root, "inside/dangling.md"));
    return { ...made, outside };
  };

  it("is refused for every use, and nothing changes outside", async () => {
    const { files, outside } = wayOut();
    await files.replace("inside/own.md", "own");
    const uses: [string, () => unknown][] = [
      ["read", () => files.read("out/secret.md")],
      ["replace", () => files.replace("out/secret.md", "x")],
      ["create", () => files.create("out/new.md", "x")],
      ["generated", () => files.replaceGenerated("out/new.md", "x")],
      ["move there", () => files.move("inside/own.md", "out/own.md")],
      ["move from there", () => files.move("out/secret.md", "inside/stolen.md")],
      ["folder", () => files.ensureFolder("out/new/folder")],
      ["generated folder", () => files.makeFolder("out/new")],
      ["draft", () => files.draft(files.target("out/new.md"), "x")],
      ["append", () => files.appendBytes("out/secret.md", Buffer.from("x"))],
      ["cut", () => files.cutFile("out/secret.md", 0)],
    ];
    for (const [name, use] of uses) {
      await expect((async () => use())(), name).rejects.toMatchObject({ code: "path_refused" });
    }
    expect(readdirSync(outside)).toEqual(["secret.md"]);
    expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("secret");
  });

  it("is not read when the file itself is the link, and a new file takes its place, not its target's", async () => {
    const { files, root, outside } = wayOut();
    for (const name of ["link.md", "dangling.md"]) {
      expect(() => files.read(`inside/${name}`)).toThrow(/is a link/);
      await files.replace(`inside/${name}`, "own");
      expect(lstatSync(join(root, "inside", name)).isFile()).toBe(true);
    }
    expect(readdirSync(outside)).toEqual(["secret.md"]);
    expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("secret");
  });

  it("is refused when it stays in the workspace but leaves the folder it must stay in", async () => {
    const { files, root } = filesOver("one/", "two/");
    await files.replace("two/other.md", "other");
    symlinkSync("../two", join(root, "one/door"));
    expect(() => files.readContained("one/door/other.md", "one")).toThrow("leads outside one");
    await expect(files.replace("one/door/new.md", "x", { within: "one" })).rejects.toThrow("leads outside one");
    await expect(files.ensureFolder("one/door/new", "one")).rejects.toThrow("leads outside one");
    expect(readdirSync(join(root, "two"))).toEqual(["other.md"]);
  });

  it.each(["followed", "refused"] as const)(
    "is refused when it leads to a sibling whose name begins with the folder's name (links %s)",
    async (links) => {
      const parent = temporaryFolder();
      for (const folder of ["work/projects/a", "work/projects/ab", "work-out"]) {
        mkdirSync(join(parent, folder), { recursive: true });
      }
      const siblings = ["work/projects/ab", "work-out"].map((folder) => join(parent, folder));
      for (const folder of siblings) writeFileSync(join(folder, "own.md"), "own");
      symlinkSync("../ab", join(parent, "work/projects/a/door"));
      symlinkSync("../work-out", join(parent, "work/out"));
      const files = new Files(join(parent, "work"), "private", links);
      const limits = [
        ["projects/a/door", "projects/a"],
        ["out", "."],
      ] as const;
      for (const [door, within] of limits) {
        const uses: [string, () => unknown][] = [
          ["read", () => files.readContained(`${door}/own.md`, within)],
          ["open", () => files.openContained(`${door}/own.md`, within)],
          ["replace", () => files.replace(`${door}/own.md`, "x", { within })],
          ["create", () => files.replace(`${door}/new.md`, "x", { within })],
          ["folder", () => files.ensureFolder(`${door}/new`, within)],
        ];
        for (const [name, use] of uses) {
          const told = `leads outside ${within === "." ? "the workspace" : within}.`;
          await expect((async () => use())(), `${name} ${door}`).rejects.toThrow(told);
        }
      }
      for (const folder of siblings) {
        expect(readdirSync(folder)).toEqual(["own.md"]);
        expect(readFileSync(join(folder, "own.md"), "utf8")).toBe("own");
      }
    },
  );

  it("is neither opened nor looked into, and what stands there is told of itself", async () => {
    const { files, root, outside } = wayOut();
    await files.replace("inside/own.md", "own");
    const uses: [string, () => unknown][] = [
      ["open", () => files.openContained("out/secret.md", ".")],
      ["look", () => files.standing("out/secret.md")],
      ["place", () => files.placeOf("out")],
      ["entries", () => [...files.entries("out")]],
    ];
    for (const [name, use] of uses) expect(use, name).toThrow("leads outside the workspace");
    expect(() => files.openContained("inside/link.md", ".")).toThrow("is a link");
    expect(files.standing("inside/link.md")?.kind).toBe("link");
    expect(files.standing("inside/own.md")).toMatchObject({ kind: "file", size: 3, names: 1 });
    expect(files.standing("inside/own.md")?.stamp).toEqual(files.stamp("inside/own.md"));
    linkSync(join(outside, "secret.md"), join(root, "inside/hard.md"));
    expect(files.standing("inside/hard.md")?.names).toBe(2);
    expect(() => files.openContained("inside/hard.md", ".")).toThrow("is a hard link");
    expect(files.standing("inside/gone.md")).toBeUndefined();
  });

  it("never gets there, however often folder and link are swapped meanwhile", { timeout: 60_000 }, async () => {
    const { files, root } = filesOver();
    expect(files.containment).toBe("descriptor");
    const outside = temporaryFolder();
    mkdirSync(join(root, "folder"));
    const swap = `
      import { renameSync, symlinkSync } from "node:fs";
      process.chdir(process.argv[1]);
      symlinkSync(process.argv[2], "link");
      process.stdout.write("swapping");
      for (;;) {
        renameSync("folder", "aside"); renameSync("link", "folder");
        renameSync("folder", "link"); renameSync("aside", "folder");
      }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", swap, root, outside]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const counts = { written: 0, refused: 0 };
    const attempt = async (count: number) => {
      try {
        if (count % 2 === 0) await files.replace(`folder/file-${count % 50}`, "x");
        else files.replaceGenerated(`folder/file-${count % 50}`, "x");
        counts.written++;
      } catch {
        counts.refused++;
      }
    };
    for (let count = 0; count < 4_000; count += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, offset) => attempt(count + offset)));
    }
    child.kill("SIGKILL");
    expect(readdirSync(outside)).toEqual([]);
    expect(Math.min(counts.written, counts.refused), JSON.stringify(counts)).toBeGreaterThan(0);
  });
});

describe("looking into folders and files of any size", () => {
  it("names everything in a folder, hidden or not, but no write under way", () => {
    const { files, root } = filesOver("folder/.hidden", "folder/plain");
    for (const name of [".dot", "file", ".tmp-0123456789abcdef"]) writeFileSync(join(root, "folder", name), "");
    symlinkSync("file", join(root, "folder/link"));
    const found = [...files.entries("folder")].map(({ name, kind }) => `${name} ${kind}`).sort();
    expect(found).toEqual([".dot file", ".hidden folder", "file file", "link link", "plain folder"]);
    expect(() => [...files.entries("gone")]).toThrow("There is no folder 'gone'.");
  });

  it("tells where a folder really lies", () => {
    const { files, root } = filesOver("one/deep", "two");
    symlinkSync("../one", join(root, "two/door"));
    expect([".", "one/deep", "two/door/deep"].map((path) => files.placeOf(path))).toEqual([
      ".",
      "one/deep",
      "one/deep",
    ]);
  });

  it("reads any part of a file that is too large to be read whole, and the file that was opened", async () => {
    const { files, root } = filesOver();
    writeFileSync(join(root, "big"), "beginning");
    truncateSync(join(root, "big"), 2 ** 32);
    appendFileSync(join(root, "big"), "end");
    const file = files.openContained("big", ".");
    await files.replace("big", "another file");
    const bytes = Buffer.alloc(9);
    expect([file.size, file.read(bytes, 0), bytes.toString()]).toEqual([2 ** 32 + 3, 9, "beginning"]);
    expect([file.read(bytes, 2 ** 32), bytes.toString("utf8", 0, 3), file.read(bytes, file.size)]).toEqual([
      3,
      "end",
      0,
    ]);
    file.close();
    expect(() => files.openContained("gone", ".")).toThrow("There is no file 'gone'.");
  });

  it("keeps to the permissions that a person's own folder has", async () => {
    const root = temporaryFolder();
    await new Files(root, "kept").ensureFolder("new/deep");
    await new Files(root).ensureFolder("private");
    const modes = ["new", "new/deep", "private"].map((path) => lstatSync(join(root, path)).mode & 0o777);
    expect(modes).toEqual([0o755 & ~process.umask(), 0o755 & ~process.umask(), 0o700]);
  });
});
