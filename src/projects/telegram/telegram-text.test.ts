import { describe, expect, it } from "vitest";
import { numbersFrom } from "../../../test/harness/seeded-numbers.ts";
import { LONGEST_TEXT, textParts } from "./telegram-text.ts";

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

describe("a text for Telegram", () => {
  it("that fits stays as it is, and a blank one is none", () => {
    expect(textParts("Hello *you* <b>")).toEqual(["Hello *you* <b>"]);
    expect(textParts("x".repeat(LONGEST_TEXT))).toHaveLength(1);
    expect(textParts(" \n\t ")).toEqual([]);
  });

  it("is cut between paragraphs, else lines, else sentences, else words, else anywhere", () => {
    expect(textParts("aaa bbb\n\nccc\nddd", 12)).toEqual(["aaa bbb", "ccc\nddd"]);
    expect(textParts("aaa. bbb\nccc ddd", 12)).toEqual(["aaa. bbb", "ccc ddd"]);
    expect(textParts("aaa bbb. ccc ddd", 12)).toEqual(["aaa bbb.", "ccc ddd"]);
    expect(textParts("aaaa bbbb cccc", 12)).toEqual(["aaaa bbbb", "cccc"]);
    expect(textParts("abcdefghijklmnop", 12)).toEqual(["abcdefghijkl", "mnop"]);
    expect(textParts("abcdefghijkl mnop", 12)).toEqual(["abcdefghijkl", "mnop"]);
  });

  it("never loses a character, breaks a pair or becomes too long, whatever it is made of", () => {
    const next = numbersFrom(7);
    const pieces = ["a", "ß", "🎉", "👩‍👩‍👧", " ", "\n", "\n\n", ". ", "wordword", "\ud83c"];
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: 400 }, () => pieces[Math.floor(next() * pieces.length)]).join("");
      const longest = 5 + Math.floor(next() * 60);
      const parts = textParts(text, longest);
      expect(withoutBlanks(parts.join(""))).toBe(withoutBlanks(text.toWellFormed()));
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(longest);
        expect(part.isWellFormed()).toBe(true);
        expect(part.trim()).not.toBe("");
      }
    }
  });
});
