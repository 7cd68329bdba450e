import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numbersFrom } from "../../../test/harness/seeded-numbers.ts";
import { Redactor } from "./redaction.ts";
import { MARK, SHAPES } from "./secret-shapes.ts";

const KNOWN = [
  { name: "DB_PASS", value: "correct horse 7" },
  { name: "LONG", value: "correct horse 7 battery" },
  { name: "API_KEY", value: "zq81-öß-Ωmega" },
  { name: "OVER", value: "aaaaaaab" },
];

/** The plain way: one search of the whole text for every value and every anchor. */
function slowly(text: string): string {
  return SHAPES.reduce(
    (shown, shape) => shape.anchors.reduce((one, anchor) => hideShape(one, anchor, shape), shown),
    hideKnown(text),
  );
}

function hideKnown(text: string): string {
  const forms = KNOWN.flatMap(({ name, value }) =>
    [value, encodeURIComponent(value), Buffer.from(value).toString("base64").replace(/=+$/, "").slice(0, -1)]
      .filter((form) => form === value || value.length >= 12 || form === encodeURIComponent(value))
      .map((form) => [form, `[secret: ${name}]`] as const),
  ).sort(([left], [right]) => right.length - left.length);
  let shown = "";
  for (let at = 0; at < text.length; ) {
    const found = forms.find(([form]) => text.startsWith(form, at));
    shown += found?.[1] ?? text[at];
    at += found?.[0].length ?? 1;
  }
  return shown;
}

function hideShape(text: string, anchor: string, { pattern, isSecret }: (typeof SHAPES)[number]): string {
  let shown = "";
  let from = 0;
  for (let at = text.indexOf(anchor); at !== -1; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const kept = match?.groups?.keep ?? "";
    if (match !== null && (isSecret === undefined || isSecret(match[0].slice(kept.length)))) {
      shown += `${text.slice(from, at)}${kept}${MARK}`;
      from = at + match[0].length;
    }
    at = text.indexOf(anchor, at + (match?.[0].length ?? anchor.length));
  }
  return shown + text.slice(from);
}

const WORDS = [
  ...SHAPES.flatMap(({ anchors }) => anchors),
  ...KNOWN.flatMap(({ value }) => [value, value.slice(0, -1), Buffer.from(value).toString("base64")]),
  ..."aA7Q_-./+=:@ \n\"'\\{[]<é漢".split(""),
  "aB3x9KzQ",
  "0123456789abcdef",
  "Bearer ",
  "API_",
  "=",
  '": "',
  "-----END PRIVATE KEY-----",
  "PRIVATE KEY-----\n",
  "[secret]",
  "😀",
];

describe("redaction in one pass", () => {
  const redactor = new Redactor(KNOWN);

  it("hides what searching for each secret by itself hides", () => {
    const texts = fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expect(redactor.text(text)).toBe(slowly(text));
      }),
      { numRuns: 3_000, seed: 4 },
    );
  });

  it("does so in texts that are longer than it reads at once, wherever in them a secret stands", () => {
    const random = numbersFrom(7);
    const filler = Array.from({ length: 66_000 }, () => "abc xyz,.\n"[Math.floor(random() * 10)]).join("");
    for (let before = 65_490; before < 65_550; before += 3) {
      const text = `${filler.slice(0, before)} correct horse 7 ghp_${"c1D".repeat(12)} ${filler.slice(0, 100)}`;
      expect(redactor.text(text)).toBe(slowly(text));
    }
  });
});
