import { describe, expect, it } from "vitest";
import { textWidth } from "../text/text-width.ts";
import { AnswerStream } from "./answer-stream.ts";
import { editorRegion } from "./editor-rows.ts";
import { textRows, wordRows } from "./word-rows.ts";

describe("the rows of a text", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["- a list that goes on", 12, ["- a list", "  that goes", "  on"]],
    ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["see https://x.example/abc", 10, ["see", "https://x.", "example/ab", "c"]],
    ["漢字漢字", 5, ["漢字", "漢字"]],
    ["ok 漢字 ok", 6, ["ok 漢", "字 ok"]],
    ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 4, ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]],
    ["  deep", 10, ["  deep"]],
    ["", 10, [""]],
  ])("break %j at %d columns", (line, width, rows) => {
    expect(wordRows(line, width)).toEqual(rows);
  });

  it("are never wider, whatever the text is, and hold nothing that a terminal acts on", () => {
    const hostile = `a\u001b[2Jb\u001b]0;x\u0007 ${"\u00a0fake".repeat(30)}\r\n${" ".repeat(99)}x\u202e ${"界".repeat(40)}`;
    for (const width of [5, 11, 37]) {
      const rows = textRows(hostile, width);
      expect(rows.filter((row) => textWidth(row) > width)).toEqual([]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      expect(rows.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

describe("an answer as it is written", () => {
  const text = "\n\nThe shop has\r\n- two tasks that are rather long\n\nand 漢字漢字漢字 one averyverylongword.";

  it.each([1, 2, 3, 7, 1_000])("comes in the same rows in pieces of %d characters", (size) => {
    const stream = new AnswerStream(12);
    const rows: string[] = [];
    for (let at = 0; at < text.length; at += size) rows.push(...stream.add(text.slice(at, at + size)));
    expect([...rows, ...stream.end()]).toEqual(textRows(text.trim(), 12));
    expect(stream.text.trim()).toBe(text.trim());
  });

  it("shows the row that still grows", () => {
    const stream = new AnswerStream(9);
    expect(stream.add("one two three fo")).toEqual(["one two"]);
    expect(stream.row).toBe("three fo");
    expect(stream.add("urteen")).toEqual(["three"]);
    expect(stream.row).toBe("fourteen");
  });
});

describe("the text being typed", () => {
  const region = (text: string, before = text, columns = 13) => editorRegion({ text, before }, columns);

  it("stands behind the prompt, with the cursor where the person sees it", () => {
    expect(region("")).toEqual({ rows: ["› "], cursor: { row: 0, column: 2 } });
    expect(region("abc", "a")).toEqual({ rows: ["› abc"], cursor: { row: 0, column: 3 } });
    expect(region("0123456789x")).toEqual({ rows: ["› 0123456789", "  x"], cursor: { row: 1, column: 3 } });
    expect(region("a\n漢字", "a\n漢")).toEqual({ rows: ["› a", "  漢字"], cursor: { row: 1, column: 4 } });
    expect(region("abc\n", "abc\n").cursor).toEqual({ row: 1, column: 2 });
    expect(region("ab\ncd", "ab").cursor).toEqual({ row: 0, column: 4 });
  });

  it("shows of a long text the rows around the cursor", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `l${at}`);
    const { rows, cursor } = region(lines.join("\n"));
    expect(rows).toHaveLength(8);
    expect([rows[0], rows.at(-1), cursor.row]).toEqual(["… l22", "  l29", 7]);
    expect(region(lines.join("\n"), "").rows[0]).toBe("› l0");
  });
});
