import { chmodSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { CheckpointStore } from "./checkpoint-store.ts";

const LIMITS = { longestFile: 1_000, mostFiles: 1_000 };

describe("what is kept of a folder", () => {
  it("is the same tree for the same content, and tells what differs", async () => {
    const { work, keep, store, write } = folder({ "a.txt": "a", "deep/b.txt": "b" });
    const first = await keep();
    expect((await keep(first.tree)).tree).toBe(first.tree);
    write("deep/b.txt", "c");
    mkdirSync(join(work, "empty"));
    const second = await keep(first.tree);
    const changes = store.difference(first.tree, second.tree);
    expect(changes.map(({ path }) => path)).toEqual(["deep/b.txt", "empty"]);
    expect(store.read(changes[0]?.after?.split(" ")[2] ?? "").toString()).toBe("c");
  });

  it("sees a file that changed within the same tick, with the same size and time", async () => {
    const { work, keep, write } = folder({ "a.txt": "one" });
    const at = new Date("2026-01-01T00:00:00Z");
    utimesSync(join(work, "a.txt"), at, at);
    const first = await keep();
    write("a.txt", "two");
    utimesSync(join(work, "a.txt"), at, at);
    expect((await keep(first.tree)).tree).not.toBe(first.tree);
  });

  it("leaves out what .gitignore names, but not what was kept before, nor what a run hides from itself on", async () => {
    const { keep, store, write } = folder({ ".gitignore": "*.log\n", "a.log": "x", "b.txt": "y" });
    const first = await keep();
    expect(first.files).toBe(2);
    write(".gitignore", "*\n");
    write("b.txt", "changed");
    write("new.txt", "new");
    const frozen = await keep(first.tree, true);
    expect(store.difference(first.tree, frozen.tree).map(({ path }) => path)).toEqual([
      ".gitignore",
      "b.txt",
      "new.txt",
    ]);
    const free = await keep(first.tree);
    expect(store.difference(first.tree, free.tree).map(({ path }) => path)).toEqual([".gitignore", "b.txt"]);
  });

  it("names what is too large, and tells that it changed", async () => {
    const { keep, store, write } = folder({ "large.bin": "x".repeat(2_000), "a.txt": "a" });
    const first = await keep();
    expect(first).toMatchObject({ files: 1, notKept: [{ path: "large.bin", reason: "it is too large" }] });
    write("large.bin", "y".repeat(2_001));
    const second = await keep(first.tree);
    expect(store.difference(first.tree, second.tree).map(({ path }) => path)).toEqual(["large.bin"]);
  });

  it.skipIf(process.getuid?.() === 0)("names what may not be read (not as root, who may)", async () => {
    const { work, keep } = folder({ "a.txt": "a", "b.txt": "b" });
    chmodSync(join(work, "a.txt"), 0o000);
    expect((await keep()).notKept).toEqual([{ path: "a.txt", reason: "it cannot be read" }]);
  });

  it("is refused when a content is damaged, instead of being restored", async () => {
    const { keep, store, place } = folder({ "a.txt": "a" });
    const { tree } = await keep();
    const hash = store.stateIn(tree, "a.txt")?.split(" ")[2] ?? "";
    writeFileSync(join(place, "objects", hash.slice(0, 2), hash.slice(2)), "other");
    expect(() => store.read(hash)).toThrow("missing or damaged");
  });

  it("goes with the last checkpoint that needs it, and nothing else does", async () => {
    const { keep, store, write, place, work } = folder({ "a.txt": "a", "b.txt": "b" });
    const first = await keep();
    await store.write(record("ckpt-1", work, first));
    write("a.txt", "changed");
    const second = await keep(first.tree);
    await store.write(record("ckpt-2", work, second));
    const [old, kept] = [store.stateIn(first.tree, "a.txt"), store.stateIn(second.tree, "b.txt")];
    store.prune(["ckpt-1"]);
    expect(store.has(old?.split(" ")[2] ?? "")).toBe(false);
    expect(store.has(kept?.split(" ")[2] ?? "")).toBe(true);
    expect(readdirSync(join(place, "records"))).toEqual(["ckpt-2.json"]);
    write("a.txt", "a");
    const third = await keep(second.tree);
    expect(third.tree).toBe(first.tree);
    expect(store.read(old?.split(" ")[2] ?? "").toString()).toBe("a");
    expect(new CheckpointStore(place).records().map(({ id }) => id)).toEqual(["ckpt-2"]);
    rmSync(place, { recursive: true });
  });
});

function record(id: string, workdir: string, kept: Awaited<ReturnType<CheckpointStore["keep"]>>) {
  return { id, at: "2026-01-01T00:00:00Z", reason: "run-start" as const, workdir, ...kept };
}

function folder(contents: Record<string, string>) {
  const place = join(temporaryFolder(), "store");
  const work = temporaryFolder();
  const store = new CheckpointStore(place);
  const write = (path: string, content: string) => {
    mkdirSync(join(work, path, ".."), { recursive: true });
    writeFileSync(join(work, path), content);
  };
  for (const [path, content] of Object.entries(contents)) write(path, content);
  const keep = (previous?: string, frozenRules = false) =>
    store.keep({ workdir: work, without: new Set(), ...LIMITS, previous, frozenRules });
  return { place, work, store, write, keep };
}
