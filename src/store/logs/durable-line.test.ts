import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { HallError } from "../../contract/errors.ts";
import { FORMAT } from "../../contract/format.ts";
import { Files } from "../files/files.ts";
import { durableLines, lineText } from "./durable-line.ts";

const Line = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("said"),
    text: z.string().max(5),
    by: z.strictObject({ id: z.string() }).optional(),
  }),
  z.strictObject({ type: z.literal("ended"), at: z.string() }),
]);

async function fileOf(...lines: string[]) {
  const files = new Files(temporaryFolder());
  await files.replace("lines.jsonl", lines.map((line) => `${line}\n`).join(""));
  return durableLines(Line)(files, "lines.jsonl");
}

it("writes the number of the format last, and reads the entry without it", async () => {
  const entry = { type: "said", text: "a" } as const;
  expect(lineText(entry)).toBe(`{"type":"said","text":"a","format":${FORMAT}}`);
  const read = await fileOf();
  expect(read(lineText(entry))).toEqual(entry);
  expect(read(JSON.stringify(entry))).toEqual(entry);
});

it("lets unknown keys and longer texts pass, and takes a line with a wrong field for broken", async () => {
  const read = await fileOf();
  const more = { type: "said", text: "a", more: 1, by: { id: "x", name: "y" } };
  expect(read(more)).toEqual(more);
  const longer = { type: "said", text: "longer than a request may have it" };
  expect(read(longer)).toEqual(longer);
  for (const line of [
    '{"type":"said"}',
    '{"type":"said","text":1}',
    '{"type":"dream","text":"a"}',
    "{",
    "null",
    "7",
    "",
  ])
    expect([line, read(line)]).toEqual([line, undefined]);
});

it("refuses a line of a newer format, and says which line of which file it is", async () => {
  const newer = JSON.stringify({ type: "said", text: "a", format: FORMAT + 1 });
  const read = await fileOf(lineText({ type: "said", text: "a" }), "broken", newer);
  expect(() => read(newer)).toThrow(HallError);
  expect(() => read(newer)).toThrow(
    expect.objectContaining({
      code: "newer_format",
      file: "lines.jsonl",
      line: 3,
      message: `lines.jsonl, line 3, has format ${FORMAT + 1}; this version of Guildhall reads up to format ${FORMAT}.`,
    }),
  );
});
