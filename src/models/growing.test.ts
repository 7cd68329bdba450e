import { expect, it } from "vitest";
import { growing } from "./growing.ts";

interface Word {
  text: string;
}

const word = (text: string): Word => ({ text });

function counted() {
  const seen: string[] = [];
  const of = growing<Word, string>(
    () => "",
    (made, { text }) => {
      seen.push(text);
      return `${made}${text}`;
    },
  );
  return { of, seen };
}

it("looks at each item of a list once, however often it is asked", () => {
  const { of, seen } = counted();
  const words = [word("a"), word("b")];
  expect(of(words)).toBe("ab");
  words.push(word("c"));
  expect(of(words)).toBe("abc");
  expect(of(words)).toBe("abc");
  expect(seen).toEqual(["a", "b", "c"]);
});

it("goes through a list again that was cut, or cut and continued otherwise", () => {
  const { of } = counted();
  const words = [word("a"), word("b"), word("c")];
  of(words);
  words.length = 1;
  expect(of(words)).toBe("a");
  words.push(word("x"));
  of(words);
  words.length = 1;
  words.push(word("y"));
  expect(of(words)).toBe("ay");
});

it("starts over with another list, and after an error with what it had not finished", () => {
  const { of } = counted();
  expect(of([word("a")])).toBe("a");
  expect(of([])).toBe("");
  let isBroken = true;
  const fragile = growing<Word, number>(
    () => 0,
    (sum, { text }) => {
      if (text === "bad" && isBroken) throw new Error("bad");
      return sum + 1;
    },
  );
  const words = [word("a"), word("bad")];
  expect(() => fragile(words)).toThrow("bad");
  isBroken = false;
  expect(fragile(words)).toBe(2);
});
