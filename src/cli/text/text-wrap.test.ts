import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { colored } from "./paint.ts";
import { textWidth } from "./text-width.ts";
import { wrapHelp, wrapLabelled, wrapProse } from "./text-wrap.ts";

describe("wrapProse", () => {
  it("breaks between words and keeps the lines that fit", () => {
    expect(wrapProse("short\nthe quick brown fox\n\nend", 10)).toBe("short\nthe quick\nbrown fox\n\nend");
  });

  it("lets a list item go on under its own text", () => {
    expect(wrapProse("- one two three", 9)).toBe("- one two\n  three");
    expect(wrapProse("  [x] 2. one two three", 20)).toBe("  [x] 2. one two\n         three");
    expect(wrapProse("1. one two three", 10)).toBe("1. one two\n   three");
  });

  it("takes two spaces inside a sentence for no more than spaces", () => {
    expect(wrapProse("Stop.  Then go on", 12)).toBe("Stop.  Then\ngo on");
  });

  it("counts what is seen: wide characters as two columns, colours as none", () => {
    expect(wrapProse("日本 日本 日本", 9)).toBe("日本 日本\n日本");
    expect(wrapProse(`${colored("red", "one")} two three`, 7)).toBe(`${colored("red", "one")} two\nthree`);
  });

  it("leaves a word that fits nowhere whole", () => {
    expect(wrapProse("see /a/very/long/path now", 10)).toBe("see /a/very/long/path now");
  });

  it("keeps a quoted command together", () => {
    expect(wrapProse("Stop it with 'guildhall down', or wait.", 24)).toBe("Stop it with\n'guildhall down', or\nwait.");
  });

  it("leaves everything as it is where nothing has to fit", () => {
    expect(wrapProse("the quick brown fox", undefined)).toBe("the quick brown fox");
  });

  it("loses no word and fits whatever can be fitted", () => {
    const word = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 8 }).filter((text) => !/\s/.test(text));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), fc.integer({ min: 20, max: 40 }), (words, width) => {
        const wrapped = wrapProse(words.join(" "), width);
        expect(wrapped.split(/\s+/)).toEqual(words);
        for (const line of wrapped.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("wrapHelp", () => {
  it("keeps example commands whole", () => {
    expect(wrapHelp("one two three\n  $ guildhall task list", 9)).toBe("one two\nthree\n  $ guildhall task list");
  });
});

describe("wrapLabelled", () => {
  it("goes on beside the label", () => {
    expect(wrapLabelled("problems  one two three four", 20)).toBe("problems  one two\n          three four");
    expect(wrapLabelled("         hint: one two three four five six", 32)).toBe(
      "         hint: one two three\n               four five six",
    );
  });

  it("goes on below a label that leaves too little room", () => {
    expect(wrapLabelled("a/quite/long/place:3  one two", 24)).toBe("a/quite/long/place:3\n    one two");
  });
});
