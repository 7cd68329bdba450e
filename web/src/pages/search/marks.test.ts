import { expect, test } from "vitest";
import { marked } from "./marks.ts";

const shown = (text: string, query: string) =>
  marked(text, query)
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join("");

test.each([
  ["Mend the login page", "login", "Mend the [login] page"],
  ["Mend the login page", "mend log", "[Mend] the [log]in page"],
  ["Login, LOGIN and logout", "login", "[Login], [LOGIN] and logout"],
  ["Die Tür ist zu", "tur", "Die [Tür] ist zu"],
  ["Das Cafe\u0301 da", "café", "Das [Cafe\u0301] da"],
  ["🧪 test <b>bold</b>", "bold", "🧪 test <b>[bold]</b>"],
  ["nothing here", "else", "nothing here"],
  ["nothing here", "…", "nothing here"],
  ["", "a", ""],
])("in %j, %j marks %j", (text, query, expected) => {
  expect(shown(text, query)).toBe(expected);
});
