import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitPath, fitText, padText, textWidth } from "./text-width.ts";

describe("textWidth", () => {
  it.each([
    ["plain letters", "Alpha", 5],
    ["an accent that is a character of its own", "e\u0301", 1],
    ["Chinese characters, two columns each", "日本", 4],
    ["fullwidth letters", "Ａｌ", 4],
    ["Korean syllables, composed or not", "한\u1112\u1161\u11ab", 4],
    ["an emoji", "🚀", 2],
    ["an emoji made of several", "👩‍👩‍👧", 2],
    ["an emoji with a skin colour", "👍🏽", 2],
    ["a flag", "🇫🇷", 2],
    ["a sign made an emoji by its selector", "❤️", 2],
    ["a keycap", "1️⃣", 2],
    ["a character without width", "a\u200bb", 2],
    ["Hebrew letters", "פרויקט", 6],
    ["Thai with marks above and below", "โครงการ", 7],
    ["mathematical letters outside the basic plane", "𝔸lpha", 5],
    ["halfwidth katakana", "ｱｲｳ", 3],
  ])("counts %s", (_, text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("fitText", () => {
  it("leaves a text that fits as it is", () => {
    expect(fitText("Alpha", 5)).toBe("Alpha");
  });

  it("cuts at whole characters and marks the cut", () => {
    expect(fitText("日本語", 4)).toBe("日…");
    expect(fitText("👩‍👩‍👧👩‍👩‍👧", 3)).toBe("👩‍👩‍👧…");
    expect(fitText("Alphabet", 4)).toBe("Alp…");
    expect(fitText("Alpha", 0)).toBe("");
  });

  it("never answers with more columns than there are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, width) => {
        expect(textWidth(fitText(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("fitPath", () => {
  it("keeps the end of what is too long", () => {
    expect(fitPath("a/b.md", 6)).toBe("a/b.md");
    expect(fitPath("projects/shop/a.md", 7)).toBe("…p/a.md");
    expect(fitPath("🇩🇪🇫🇷", 3)).toBe("…🇫🇷");
    expect(fitPath("ab", 0)).toBe("");
  });
});

describe("padText", () => {
  it("fills up to the width that is seen, not to the number of code units", () => {
    expect(padText("🚀", 4)).toBe("🚀  ");
    expect(padText("e\u0301", 2)).toBe("e\u0301 ");
  });
});
