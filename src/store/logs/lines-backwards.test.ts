import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { filesOver } from "../../../test/harness/temporary-folder.ts";
import { linesBackwards } from "./lines-backwards.ts";

function read(content: string, from: { before: number; longest: number }) {
  const { files, root } = filesOver();
  writeFileSync(join(root, "x"), content);
  const file = files.openContained("x", ".");
  try {
    return [...linesBackwards(file, from)];
  } finally {
    file.close();
  }
}

it("gives every complete line with its place, the last one first, wherever the pieces of the file end", () => {
  const length = fc.oneof(fc.nat(30), fc.constantFrom(0, 1, 262_143, 262_144, 262_145, 300_000));
  fc.assert(
    fc.property(fc.array(length, { maxLength: 6 }), fc.nat(20), (lengths, torn) => {
      const lines = lengths.map((each, at) => String(at % 10).repeat(each));
      const content = lines.map((line) => `${line}\n`).join("");
      const found = read(content + "t".repeat(torn), { before: Number.POSITIVE_INFINITY, longest: 262_144 });
      let offset = 0;
      const all = lines.map((line) => {
        const bytes = line.length > 262_144 ? undefined : line;
        offset += line.length + 1;
        return { offset: offset - line.length - 1, length: line.length, bytes };
      });
      // A blank line at the very beginning is no loss.
      const expected = all.filter(({ offset: at, length: size }) => at > 0 || size > 0).reverse();
      expect(found.map((line) => ({ ...line, bytes: line.bytes?.toString() }))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

it("goes on before a line that was given", () => {
  const [second, first] = read("one\ntwo\nthree\n", { before: 8, longest: 100 });
  expect([first?.bytes?.toString(), second?.bytes?.toString()]).toEqual(["one", "two"]);
  expect(read("one\ntwo\n", { before: 2, longest: 100 })).toEqual([]);
});
