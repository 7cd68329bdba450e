import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { FORMAT } from "../../contract/format.ts";
import { Files } from "../files/files.ts";
import { lineText } from "./durable-line.ts";
import { takeLines } from "./whole-log.ts";

const Line = z.strictObject({
  seq: z.int(),
  text: z.string().max(5).optional(),
  tags: z.array(z.string()).default([]),
});

async function taken(text: string, take: (line: z.infer<typeof Line>) => void = () => undefined) {
  const files = new Files(temporaryFolder());
  await files.replace("lines.jsonl", text);
  const lines: unknown[] = [];
  const fault = takeLines(files, "lines.jsonl", {
    schema: Line,
    take: (line) => {
      take(line);
      lines.push(line);
    },
  });
  return { lines, fault };
}

it("gives every line without its format, also one with keys and lengths that this program does not know", async () => {
  const long = { seq: 3, text: "longer than it may be", tags: [], more: 1 };
  const { lines, fault } = await taken(`${lineText({ seq: 1 })}\n{"seq":2,"tags":["a"]}\n${JSON.stringify(long)}\n`);
  expect(lines).toEqual([{ seq: 1, tags: [] }, { seq: 2, tags: ["a"] }, long]);
  expect(fault).toBeUndefined();
});

it("has no lines where there is no file", () => {
  const files = new Files(temporaryFolder());
  expect(takeLines(files, "none.jsonl", { schema: Line, take: () => expect.fail("a line") })).toBeUndefined();
});

it.each([
  ["{", "the line is not a JSON object"],
  ["[1]", "the line is not a JSON object"],
  ["", "the line is not a JSON object"],
  ['{"seq":"2"}', "the line can't be read: seq: must be a number"],
  [`{"seq":2,"format":${FORMAT + 1}}`, new RegExp(`^the line has format ${FORMAT + 1}; .* up to format ${FORMAT}$`)],
])("stops at the line %s, and says which it is", async (line, reason) => {
  const { lines, fault } = await taken(`{"seq":1}\n${line}\n{"seq":3}\n`);
  expect(lines).toHaveLength(1);
  expect(fault).toEqual({ line: 2, reason: expect.stringMatching(reason) });
});

it("stops at a line that whoever takes it refuses", async () => {
  const { fault } = await taken('{"seq":1}\n{"seq":3}\n', ({ seq }) => {
    if (seq === 3) throw new Error("seq: 3 where 2 is expected");
  });
  expect(fault).toEqual({ line: 2, reason: "seq: 3 where 2 is expected" });
});
