import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HallError } from "../../contract/errors.ts";
import { editFrontmatter, parseFrontmatter } from "./frontmatter.ts";

function dataOf(text: string): Record<string, unknown> {
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) throw new Error(`line ${outcome.line}: ${outcome.reason}`);
  return outcome.parsed.data;
}

/** Edits the YAML between two fences, with a body that must stay. */
function edit(source: string, changes: Record<string, unknown>): string {
  const body = "---\nstatus: not me\n";
  const result = editFrontmatter(`---\n${source}---\n${body}`, changes);
  expect(result.startsWith("---\n") && result.endsWith(`---\n${body}`)).toBe(true);
  return result.slice(4, -4 - body.length);
}

describe("editing a frontmatter", () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ["replaces a value", "a: 1\nb: 2\nc: 3\n", { b: "two" }, "a: 1\nb: two\nc: 3\n"],
    ["keeps the comment behind a value", "a: old  # why\n", { a: "new" }, "a: new  # why\n"],
    ["keeps the space before a value", "a:    old\n", { a: "new" }, "a:    new\n"],
    ["keeps a comment where there was no value", "a: # later\nb: 1\n", { a: "now" }, "a: now # later\nb: 1\n"],
    [
      "adds to a list whose next key goes",
      "a:\n  - x\nb: 1\nc: 2\n",
      { b: undefined, a: ["x", "z"] },
      "a:\n  - x\n  - z\nc: 2\n",
    ],
    ["fills an empty value", "a:\nb: 1\n", { a: "x" }, "a: x\nb: 1\n"],
    ["appends new keys before the fence", "a: 1\n# end\n", { b: 2, c: ["x"] }, "a: 1\n# end\nb: 2\nc: [x]\n"],
    ["fills an empty frontmatter", "", { a: 1 }, "a: 1\n"],
    [
      "removes a key with its own lines only",
      "a: 1\n# about b\nb:\n  - x\n\n  # y\nc: 3\n",
      { b: undefined },
      "a: 1\n# about b\n\n  # y\nc: 3\n",
    ],
    ["does not mind removing what is not there", "a: 1\n", { b: undefined, toString: undefined }, "a: 1\n"],
    ["turns a list into a line", "a: # c\n  - 1\n  - 2\nb: 1\n", { a: [3] }, "a: [3] # c\nb: 1\n"],
    ["turns a line into a list", "a: [] # c\nb: 1\n", { a: [{ x: 1 }] }, "a: # c\n  - {x: 1}\nb: 1\n"],
    [
      "adds to a block list",
      "a:\n- x # c\n# d\n- 'y'\nb: 1\n",
      { a: ["x", "y", "z"] },
      "a:\n- x # c\n# d\n- 'y'\n- z\nb: 1\n",
    ],
    ["adds mappings to one", "a:\n    -   {x: 1}\n", { a: [{ x: 1 }, { x: 2 }] }, "a:\n    -   {x: 1}\n    - {x: 2}\n"],
    ["replaces a block scalar", "a: |\n  x\n\n  y\n\n# c\nb: 1\n", { a: "z" }, "a: z\n\n# c\nb: 1\n"],
    ["replaces a nested mapping", "a:\n  b: 1 # c\n  d: 2\ne: 1\n", { a: { b: 2 } }, "a: {b: 2}\ne: 1\n"],
    [
      "edits beside what only YAML can read",
      "a: &x 1\nb: *x\nc: >\n  t\nd: 1 # e\n",
      { d: 2 },
      "a: &x 1\nb: *x\nc: >\n  t\nd: 2 # e\n",
    ],
    ["drops an anchor nobody needs", "a: &x 1 # c\n", { a: 2 }, "a: 2 # c\n"],
    ["drops a tag that no longer fits", "a: !!int 1\n", { a: "x" }, "a: x\n"],
    ["finds keys in quotes", "\"a b\": 1\n'c': 2\n", { "a b": 3, c: undefined }, '"a b": 3\n'],
    ["changes several keys at once", "a: 1\nb: 2\nc: 3\n", { c: 4, a: undefined, d: 5 }, "b: 2\nc: 4\nd: 5\n"],
    ["quotes what would be read as something else", "a: x\n", { a: "fix: it" }, 'a: "fix: it"\n'],
    [
      "keeps a list of a quoted style that is equal",
      "a: [ 'x',\"y\" ]\nb: 1\n",
      { a: ["x", "y"], b: 1 },
      "a: [ 'x',\"y\" ]\nb: 1\n",
    ],
    ["falls back to YAML for a flow mapping", "{a: 1, b: [x, y]} # c\n", { a: 2 }, "{a: 2, b: [x, y]} # c\n"],
    ["falls back to YAML for indented keys", "  a: 1 # c\n  b: 2\n", { a: 2, d: 3 }, "a: 2 # c\nb: 2\nd: 3\n"],
  ])("%s", (_name, source, changes, expected) => {
    expect(edit(source, changes)).toBe(expected);
  });

  it("returns the very text when nothing changes", () => {
    const text = "\ufeff---\r\nid:   'x'\r\nlist: [ 1,2 ]\r\nnote: |\r\n  a\r\n---\r\nbody";
    expect(editFrontmatter(text, { id: "x", list: [1, 2], note: "a\n", gone: undefined })).toBe(text);
    expect(editFrontmatter(text, {})).toBe(text);
  });

  it("writes new lines with the file's own line ends", () => {
    const text = "\ufeff---\r\na: 1 # c\r\nb: |\r\n  t\r\n---\r\nbody\n";
    const expected = "\ufeff---\r\na: 2 # c\r\nb: |\r\n  t\r\nc:\r\n  - {d: 1}\r\n---\r\nbody\n";
    expect(editFrontmatter(text, { a: 2, c: [{ d: 1 }] })).toBe(expected);
    expect(dataOf(editFrontmatter("---\r\n{a: 1}\r\n---\r\n", { a: "x\ny" }))).toEqual({ a: "x\ny" });
  });

  it("refuses a file it cannot read, with the line", () => {
    const attempt = () => editFrontmatter("---\nid: a\nid: b\n---\n", { x: 1 });
    expect(attempt).toThrow(HallError);
    expect(attempt).toThrow(expect.objectContaining({ code: "file_invalid", line: 3 }));
  });

  it("refuses a change that would reach other keys through an alias", () => {
    const attempt = () => editFrontmatter("---\na: &x 1\nb: *x\n---\n", { a: 2 });
    expect(attempt).toThrow(expect.objectContaining({ code: "file_invalid" }));
  });

  it("refuses to write what could not be read again", () => {
    const attempt = () => editFrontmatter("---\na: 1\n---\n", { b: "x".repeat(300_000) });
    expect(attempt).toThrow(/larger than 256 KiB/);
    expect(() => editFrontmatter("---\na: 1\n---\n", JSON.parse('{"__proto__": 1}'))).toThrow(/__proto__/);
  });

  const entryTexts = fc.constantFrom(
    "K: plain text # note",
    "K:   'single ''quoted'''  ",
    'K: "double \\" quoted" # c',
    "K:",
    "K: # only a comment",
    "K: [a, 'b', \"c\"]",
    "K: {a: 1, b: [2]} # c",
    "K:\n- a\n- b # c",
    "K: # c\n    - a\n\n    # between\n    - {b: 1}",
    "K: |\n  text\n\n    # not a comment\n  ---",
    "K: >-\n  folded\n  text",
    'K: "over\n  two lines" # c',
    "K: over\n  two lines",
    "K:\n  nested: 1\n  deeper:\n    - x # c",
    "K: [a,\n  b, # c\n  c]",
    "'K': 1",
    "K : 0x1f",
    "K: &anchor {a: b}",
  );
  const between = fc.constantFrom("", "", "# comment\n", "\n", "\n# about the next\n");
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("done", "2026-02-17T10:00:00.000Z", "a: b", "x\ny", 1, true, null, [], {}, ["a", "b, c"]),
    fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.parse(JSON.stringify(json).replaceAll("__proto__", "proto"))),
  );
  const file = fc.record({
    entries: fc.array(fc.tuple(entryTexts, between), { minLength: 1, maxLength: 6 }),
    eol: fc.constantFrom("\n", "\r\n"),
    bom: fc.constantFrom("", "\ufeff"),
    body: fc.constantFrom("", "body", "\n# T\n---\nk0: x\n---\n"),
  });

  function assemble({ entries, eol, bom, body }: typeof file extends fc.Arbitrary<infer File> ? File : never) {
    const withEnds = (text: string) => text.replaceAll("\n", eol);
    const texts = entries.map(([text], index) => withEnds(`${text.replace("K", `k${index}`)}\n`));
    const gaps = entries.map(([, gap]) => withEnds(gap));
    const upTo = (count: number) =>
      texts
        .slice(0, count)
        .map((text, index) => text + gaps[index])
        .join("");
    const from = (start: number) =>
      texts
        .slice(start)
        .map((text, index) => text + gaps[start + index])
        .join("");
    return {
      lead: (index: number) => bom + withEnds("---\n") + upTo(index),
      behind: (index: number) => gaps[index] + from(index + 1),
      end: withEnds("---\n") + body,
      own: (index: number) => texts[index] ?? "",
    };
  }

  it("changes no byte outside the key that changes", () => {
    fc.assert(
      fc.property(file, fc.nat(), value, (parts, pick, next) => {
        const index = pick % parts.entries.length;
        const { lead, behind, end, own } = assemble(parts);
        const text = lead(index) + own(index) + behind(index) + end;
        const result = editFrontmatter(text, { [`k${index}`]: next });
        expect(dataOf(result)).toEqual({ ...dataOf(text), [`k${index}`]: next });
        expect(result.startsWith(lead(index))).toBe(true);
        expect(result.endsWith(behind(index) + end)).toBe(true);
        expect(editFrontmatter(result, { [`k${index}`]: next })).toBe(result);
      }),
      { numRuns: 1_000 },
    );
  });

  it("adds a key in front of the closing fence and takes it away without a trace", () => {
    fc.assert(
      fc.property(file, value, (parts, next) => {
        const { lead, end } = assemble(parts);
        const start = lead(parts.entries.length);
        const result = editFrontmatter(start + end, { added: next });
        expect(result.startsWith(start) && result.endsWith(end)).toBe(true);
        expect(dataOf(result)).toEqual({ ...dataOf(start + end), added: next });
        expect(editFrontmatter(result, { added: undefined })).toBe(start + end);
      }),
      { numRuns: 1_000 },
    );
  });

  it("removes exactly the lines of a key", () => {
    fc.assert(
      fc.property(file, fc.nat(), (parts, pick) => {
        const index = pick % parts.entries.length;
        const { lead, behind, end, own } = assemble(parts);
        const text = lead(index) + own(index) + behind(index) + end;
        expect(editFrontmatter(text, { [`k${index}`]: undefined })).toBe(lead(index) + behind(index) + end);
      }),
      { numRuns: 1_000 },
    );
  });
});
