import { createHash } from "node:crypto";
import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { fileState, folderState, linkState, type PathChange, partsOf } from "../../store/snapshots/tree-objects.ts";
import { diffOfChanges } from "./changes-diff.ts";

const contents = new Map<string, Buffer>();

function file(text: string | Uint8Array, mode = 0o644): string {
  const bytes = Buffer.from(text);
  const hash = createHash("sha256").update(bytes).digest("hex");
  contents.set(hash, bytes);
  return fileState({ mode, hash, size: bytes.length });
}

const diffOf = (...changes: PathChange[]) =>
  diffOfChanges(changes, (state) => contents.get(partsOf(state).hash) ?? Buffer.from("lost"));

describe("the diff of what was kept of files", () => {
  it("can be applied: it leads from the old text to the new one", async () => {
    const line = fc.constantFrom("a", "b", "+c", "-d", "\\ e", "@@ f", "ü", "\r", "");
    const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean()).map(([lines, isEnded]) => {
      return lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : "");
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (old, fresh) => {
        const { diff, files } = await diffOf({ path: "x", before: file(old), after: file(fresh) });
        if (old !== fresh) expect(applyPatch(old, diff)).toBe(fresh);
        expect(files).toMatchObject([{ path: "x", binary: false }]);
      }),
    );
  });

  it("names what is no text, is too large, was not kept or is a folder, and shows modes and links", async () => {
    const { diff, files } = await diffOf(
      { path: "bytes", before: file(Uint8Array.of(0xff, 0xfe)), after: file("text") },
      { path: "closed", before: undefined, after: "x 600 12 1" },
      { path: "empty", before: undefined, after: folderState(0o755) },
      { path: "full", before: undefined, after: folderState(0o755) },
      { path: "full/link", before: linkState("one"), after: linkState("two") },
      { path: "huge", before: file("x".repeat(600_000)), after: undefined },
      { path: "script", before: file("run\n", 0o644), after: file("run\n", 0o755) },
      { path: "two\nlines", before: file("a\n"), after: undefined },
    );
    expect(files).toEqual([
      { path: "bytes", additions: 0, deletions: 0, binary: true },
      { path: "closed", additions: 0, deletions: 0, binary: false, unshown: true },
      { path: "empty", additions: 0, deletions: 0, binary: false, unshown: true },
      { path: "full/link", additions: 1, deletions: 1, binary: false },
      { path: "huge", additions: 0, deletions: 0, binary: false, unshown: true },
      { path: "script", additions: 0, deletions: 0, binary: false },
      { path: "two\nlines", additions: 0, deletions: 1, binary: false },
    ]);
    expect(diff).toContain("Binary files a/bytes and b/bytes differ\n");
    expect(diff).toContain("diff --git a/script b/script\nold mode 100644\nnew mode 100755\n");
    expect(diff).toContain("-one\n\\ No newline at end of file\n+two\n\\ No newline at end of file\n");
    expect(diff).toContain('deleted file mode 100644\n--- "a/two\\nlines"\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n');
    expect(diff).not.toContain("xxx");
  });

  it("is quick where everything differs, and ends where it gets too long", async () => {
    const lines = (sign: string, many: number) => Array.from({ length: many }, (_, at) => `${sign}${at}\n`).join("");
    const computed = cpuTimer();
    const one = await diffOf({ path: "x", before: file(lines("a", 40_000)), after: file(lines("b", 40_000)) });
    expect(one.files).toMatchObject([{ additions: 40_000, deletions: 40_000 }]);
    expect(computed()).toBeLessThan(10_000);
    const many = Array.from({ length: 12 }, (_, at) => ({
      path: `${at}`,
      before: undefined,
      after: file(`${at}`.padEnd(500_000, "x")),
    }));
    const all = await diffOf(...many);
    expect([all.truncated, all.files.length]).toEqual([true, 12]);
    expect(all.diff.length).toBeLessThanOrEqual(4_000_000);
  });
});
