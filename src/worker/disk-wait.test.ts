import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { ModelWait } from "../contract/documents/budget.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import { DiskWait } from "../store/host/disk-wait.ts";
import { Log } from "../store/logs/log.ts";
import { journalWriter } from "./journal-writer.ts";

const entry = (id: string): JournalEntry => ({ type: "message", from: "hall", text: id, id });
const failing = (code: string) => Object.assign(new Error(`${code}: no`), { code });

/** A journal on a disk whose syncs fail with that code until it works. */
function journalOn(disk: { code: string | undefined }) {
  const path = join(temporaryFolder(), "journal.jsonl");
  const { log } = Log.open(path, 0, async () => {
    if (disk.code !== undefined) throw failing(disk.code);
  });
  onTestFinished(() => log.close());
  const abort = new AbortController();
  const waits: (ModelWait | undefined)[] = [];
  const waiting = new DiskWait({ what: "it", onWait: (wait) => waits.push(wait), signal: abort.signal });
  const ids = () =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line).id);
  return { ...journalWriter(log, waiting.of(log)), abort, waits, ids, path, log };
}

describe("a journal on a disk that fails for a while", () => {
  it.each(["ENOSPC", "EROFS", "EIO"])("has every line once and in order afterwards (%s)", async (code) => {
    const disk: { code: string | undefined } = { code };
    const { journal, waits, ids, writable } = journalOn(disk);
    const written = [journal(entry("a")), journal(entry("b"))];
    await expect.poll(() => waits).toMatchObject([{ reason: "disk", text: expect.stringContaining(code) }]);
    written.push(journal(entry("c")));
    const isWritable = writable();
    expect(ids()).toEqual([]);
    disk.code = undefined;
    await Promise.all([...written, isWritable]);
    expect(ids()).toEqual(["a", "b", "c"]);
    expect(waits).toEqual([expect.anything(), undefined]);
    await journal(entry("d"));
    expect(ids()).toEqual(["a", "b", "c", "d"]);
  });

  it("is given up when nobody waits any more, and at once when the disk is not the reason", async () => {
    const full = journalOn({ code: "ENOSPC" });
    void full.journal(entry("a"));
    await expect.poll(() => full.waits).toHaveLength(1);
    full.abort.abort();
    await expect(full.broken).rejects.toThrow("ENOSPC");
    const defect = journalOn({ code: "EINVAL" });
    void defect.journal(entry("a"));
    await expect(defect.broken).rejects.toThrow("EINVAL");
    expect(defect.waits).toEqual([]);
  });
});
