import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everySign, harmlessJson, manyLines, oneLine } from "./plain-text.ts";

const ACTIVE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe("text from data", () => {
  it("shows escape sequences, line breaks and bells as signs on one line", () => {
    expect(oneLine("a\u001b[31mred\nb\u0007")).toBe("a␛[31mred␊b␇");
  });

  it("shows the eight-bit control sequence introducer and bidirectional controls as their numbers", () => {
    expect(oneLine("a\u009b2Jb\u202ec")).toBe("a\\u009b2Jb\\u202ec");
  });

  it("keeps the line breaks of a text of many lines and nothing else that is active", () => {
    expect(manyLines("one\r\ntwo\tthree\r\u001b]0;title\u0007")).toBe("one\ntwo  three␍␛]0;title␇");
  });

  it("shows what takes no room where somebody decides about it, and leaves scripts and emoji alone", () => {
    expect(everySign("isAd\u200bmin \u3164 a\u{e0041}")).toBe("isAd\\u200bmin \\u3164 a\\ue0041");
    expect(everySign("⚠️ 👩‍💻 می‌خواهم")).toBe("⚠️ 👩‍💻 می‌خواهم");
  });

  it("replaces halves of surrogate pairs, which no terminal can show", () => {
    expect(oneLine("a\ud800b")).toBe("a\ufffdb");
  });

  it("never lets anything active through, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(oneLine(text)).not.toMatch(ACTIVE);
      }),
    );
  });
});

describe("harmlessJson", () => {
  it("means the same and holds nothing active but its own line breaks", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        const json = harmlessJson(JSON.stringify(texts, null, 2));
        expect(JSON.parse(json)).toEqual(texts);
        expect(json.replaceAll("\n", "")).not.toMatch(ACTIVE);
      }),
    );
  });
});
