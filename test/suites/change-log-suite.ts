import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Write } from "../../src/store/changes/change.ts";
import type { ChangeLog } from "../../src/store/changes/change-log.ts";
import { contentHash } from "../../src/store/changes/content-hash.ts";
import { ChangedMeanwhile } from "../../src/store/files/draft-file.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

/** What every change log must do. `segments`: what it keeps at the moment, as text. */
interface Opened {
  log: Pick<ChangeLog, "commit" | "checkpoint" | "close">;
  segments: () => string[];
}
type Open = (folder: string, options?: { segmentBytes?: number; segmentChanges?: number }) => Promise<Opened>;

export function changeLogSuite(name: string, open: Open): void {
  const bench = async (options?: Parameters<Open>[1]) => {
    const folder = temporaryFolder();
    const opened = await open(folder, options);
    onTestFinished(() => opened.log.close());
    return { ...opened, folder, text: (path: string) => readFileSync(join(folder, path), "utf8") };
  };
  const put = (path: string, content: string, before?: string): Write => ({
    kind: "put",
    path,
    content,
    base: before === undefined ? null : contentHash(before),
  });

  describe(`a change log ${name}`, () => {
    it("has the documents of a change in place when it resolves, and their state", async () => {
      const { log, folder, text } = await bench();
      const { state, stamps } = await log.commit({ writes: [put("a/b/c.md", "one"), put("d.md", "two")] });
      expect([state, text("a/b/c.md"), text("d.md")]).toEqual(["applied", "one", "two"]);
      expect(stamps.get("d.md")?.inode).toBe(statSync(join(folder, "d.md")).ino);
      await log.commit({ writes: [{ ...put("d.md", "three", "two"), to: "e/d.md" } as Write] });
      expect([existsSync(join(folder, "d.md")), text("e/d.md")]).toEqual([false, "three"]);
    });

    it("refuses a change made from something else, with nothing of it done", async () => {
      const { log, folder, text, segments } = await bench();
      await log.commit({ writes: [put("a.md", "one")] });
      const stale = { writes: [put("b.md", "new"), put("a.md", "two", "another")] };
      await expect(log.commit(stale)).rejects.toBeInstanceOf(ChangedMeanwhile);
      await expect(log.commit({ writes: [put("a.md", "two")] })).rejects.toBeInstanceOf(ChangedMeanwhile);
      expect([text("a.md"), existsSync(join(folder, "b.md"))]).toEqual(["one", false]);
      expect(segments().join("")).not.toContain("two");
    });

    it("keeps the order of changes that come at once, in the log and in files of lines", async () => {
      const { log, text } = await bench();
      const given: number[] = [];
      const changes = Array.from({ length: 50 }, (_, at) => {
        const lines = () => {
          given.push(at);
          return [{ kind: "append" as const, path: "all.jsonl", line: `${given.length}` }];
        };
        return log.commit({ writes: [put(`${at}.md`, "x")], lines });
      });
      await Promise.all(changes);
      expect(text("all.jsonl")).toBe(`${given.map((_, at) => `${at + 1}\n`).join("")}`);
    });

    it("refuses with the reason of whoever gives the lines, with nothing done", async () => {
      const { log, folder } = await bench();
      const lines = () => {
        throw new Error("no line");
      };
      await expect(log.commit({ writes: [put("a.md", "one")], lines })).rejects.toThrow("no line");
      expect(existsSync(join(folder, "a.md"))).toBe(false);
    });

    it("holds no content after a checkpoint, nor after it was closed", async () => {
      const { log, segments, text } = await bench();
      await log.commit({ writes: [put("a.md", "secret-1")] });
      expect(segments().join("")).toContain("secret-1");
      await log.checkpoint();
      expect(segments().join("")).not.toContain("secret-1");
      await log.commit({ writes: [put("b.md", "secret-2")] });
      await log.close();
      expect(segments()).toEqual([]);
      expect([text("a.md"), text("b.md")]).toEqual(["secret-1", "secret-2"]);
    });

    it("grows no further than its limit, whatever is written", async () => {
      const { log, segments } = await bench({ segmentBytes: 20_000 });
      let most = 0;
      for (let at = 0; at < 200; at++) {
        await log.commit({ writes: [{ kind: "put", path: "a.md", content: `${at}`.repeat(500) }] });
        most = Math.max(most, segments().join("").length);
      }
      await log.checkpoint();
      expect(most).toBeLessThan(100_000);
      expect(segments().join("").length).toBeLessThan(1_000);
    });

    it("keeps the order of many changes at once while it begins new segments", async () => {
      const { log, text, segments } = await bench({ segmentChanges: 7 });
      let given = 0;
      const lines = () => [{ kind: "append" as const, path: "all.jsonl", line: `${++given}` }];
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let at = 0; at < 40; at++)
          await log.commit({ writes: [{ kind: "put", path: `${writer}.md`, content: `${at}` }], lines });
      });
      await Promise.all([...writers, log.checkpoint(), log.checkpoint()]);
      expect(text("all.jsonl")).toBe(Array.from({ length: 320 }, (_, at) => `${at + 1}\n`).join(""));
      for (let writer = 0; writer < 8; writer++) expect(text(`${writer}.md`)).toBe("39");
      await log.close();
      expect(segments()).toEqual([]);
    });

    it("keeps what is not text byte for byte", async () => {
      const { log, folder } = await bench();
      const bytes = Buffer.from([0, 255, 10, 128, 0]);
      await log.commit({ writes: [{ kind: "put", path: "b.bin", content: bytes }] });
      expect(readFileSync(join(folder, "b.bin"))).toEqual(bytes);
    });

    it("does not write over a folder or a file that is in the way", async () => {
      const { log, folder, text } = await bench();
      writeFileSync(join(folder, "taken"), "theirs");
      const tree: Write = { kind: "tree", path: "taken", files: { "A.md": "a" }, folders: [] };
      await expect(log.commit({ writes: [tree] })).rejects.toBeInstanceOf(ChangedMeanwhile);
      expect(text("taken")).toBe("theirs");
    });
  });
}
