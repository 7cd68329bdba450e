import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonText } from "./json-text.ts";

const fault = (text: string) => {
  const outcome = parseJsonText(text);
  return outcome.ok ? undefined : outcome;
};

describe("JSON that a person wrote", () => {
  it("is read as JSON reads it", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const outcome = parseJsonText(text);
        if (outcome.ok) expect(outcome.value).toEqual(JSON.parse(text));
        else expect(outcome.reason).toMatch(/twice|__proto__|too large/);
      }),
    );
  });

  it("may begin with a byte order mark and have Windows line ends", () => {
    expect(parseJsonText('\ufeff{\r\n"a": 1\r\n}')).toMatchObject({ ok: true, value: { a: 1 } });
  });

  it("never makes the reader throw", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "\n",
      " ",
      "1",
      "-",
      "e9",
      "true",
      "nul",
      "é",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const outcome = parseJsonText(parts.join(""));
        if (!outcome.ok) expect(outcome.reason).not.toContain("\n");
      }),
    );
  });

  it.each([
    ["one string of 16 MB", `{"a":"${"x".repeat(16_000_000)}"}`],
    ["a string of four million escapes", `{"a":"${"\\n".repeat(4_000_000)}"}`],
    ["a string of backslashes", `{"a":"${"\\\\".repeat(1_000_000)}"}`],
    ["a list of a million numbers", `[${"1,".repeat(999_999)}1]`],
  ])("is read however large it is: %s", (_, text) => {
    expect(parseJsonText(text).ok).toBe(true);
  });
});

describe("JSON that cannot be used", () => {
  it.each([
    ["nothing", "", 1, /empty/],
    ["blanks only", " \n\t\n", 1, /empty/],
    ["a word for a value", '{"a": 1,\n "b": bad,\n "c": 3\n}', 2, /Unexpected token 'b'$/],
    ["single quotes", "{\n\"a\":\n'x'}", 3, /Unexpected token/],
    ["a comment", '{\n// why\n"a": 1}', 2, /not JSON/],
    ["a comma at the end of a list", '{"a": [1,\n2,\n]}', 3, /Unexpected token '\]'/],
    ["a comma at the end of an object", '{"a": 1,\n}', 2, /property name/],
    ["no value", '{"a":\n}', 2, /Unexpected token '}'/],
    ["two commas", "[1,\n,2]", 2, /Unexpected token ','/],
    ["a key without quotes", "{\na: 1}", 2, /property name/],
    ["an unclosed string", '{"a": "b\n}', 1, /string/],
    ["an unclosed object", '{"a": {\n"b": 1\n', 3, /not JSON/],
    ["a second document", '{"a": 1}\n{"b": 2}', 2, /after JSON/],
    ["a number that is none", '{"a":\nNaN}', 2, /Unexpected token 'N'/],
  ])("because of %s tells the line and the reason", (_, text, line, reason) => {
    expect(fault(text)).toEqual({ ok: false, line, reason: expect.stringMatching(reason) });
  });

  it("because a key stands twice, however it is written, tells its line", () => {
    expect(fault('{"a": 1,\n"b": {"a": 2},\n"\\u0061": 3}')).toMatchObject({
      line: 3,
      reason: expect.stringMatching(/'a'/),
    });
    expect(fault('[{"a": 1}, {"a": 2}]')).toBeUndefined();
  });

  it("because it reaches for the prototype", () => {
    expect(fault('{"a": {\n"__proto__": {}}}')).toMatchObject({ line: 2, reason: expect.stringMatching(/__proto__/) });
    expect(fault('{"a": "__proto__", "constructor": 1}')).toBeUndefined();
  });

  it("because a number would not survive being written again", () => {
    expect(fault('{"a":\n1e999}')).toMatchObject({ line: 2, reason: expect.stringMatching(/1e999/) });
    expect(fault("[-9007199254740993]")?.reason).toMatch(/9007199254740993/);
    expect(fault('[9007199254740991, 0.1, 1e21, "9007199254740993"]')).toBeUndefined();
  });

  it("because it is nested too deeply", () => {
    expect(fault("[".repeat(65) + "]".repeat(65))?.reason).toMatch(/deeper than 64/);
    expect(fault("[".repeat(64) + "]".repeat(64))).toBeUndefined();
    expect(fault("[".repeat(200_000) + "]".repeat(200_000))?.reason).toMatch(/./);
  });
});

describe("the line of a member", () => {
  const outcome = parseJsonText(`{
  "roles": [
    { "id": "a" },
    {
      "id" : "b{,:",
      "tags": ["x",
        "y"],
      "deep": { "er": [ {}, { "n": 1 } ] }
    }
  ],
  "after":
    true
}`);

  it.each([
    ["roles", 2],
    ["roles/0", 3],
    ["roles/0/id", 3],
    ["roles/1", 4],
    ["roles/1/id", 5],
    ["roles/1/tags/1", 6],
    ["roles/1/deep/er/1/n", 8],
    ["after", 11],
    ["roles/1/missing", 4],
    ["nowhere", 1],
    ["", 1],
  ])("%s is %i", (path, line) => {
    expect(outcome.ok && outcome.lineOf(path)).toBe(line);
  });
});
