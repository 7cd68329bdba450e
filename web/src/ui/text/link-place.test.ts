import { expect, test } from "vitest";
import { placeOf, wordsOf } from "./link-place.ts";

test.each([
  ["https://evil.example/x", "https://good.example", "evil.example"],
  ["https://evil.example/", "Approve", "evil.example"],
  ["https://good.example@evil.example/", "https://good.example@evil.example/", "evil.example"],
  ["https://evil.example/", "https://good.example/?evil.example", "evil.example"],
  ["http://127.0.0.1:4777/#/enter/x", "the hall", "127.0.0.1:4777"],
  ["https://good.example/a", "https://good.example/a", ""],
  ["http://good.example/a", "good.example/a", ""],
  ["mailto:a@b.example", "a@b.example", ""],
  ["mailto:a@b.example", "the owner", "a@b.example"],
])("%s under the words %j is named as %j", (href, words, place) => {
  expect(placeOf(href, words)).toBe(place);
});

test.each(["", "#/enter/x", "/api/status", "//evil.example", "javascript:alert(1)", "file:///etc/passwd", "data:,x"])(
  "%j is no link",
  (href) => {
    expect(placeOf(href, "words")).toBeUndefined();
  },
);

test("the words of a link are all that stands in it", () => {
  const text = (value: string) => ({ type: "text", value });
  expect(wordsOf({ children: [text("a "), { children: [text("b")] }] })).toBe("a b");
});
