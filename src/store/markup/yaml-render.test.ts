import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontmatter, renderFrontmatter } from "./frontmatter.ts";

describe("rendering a frontmatter", () => {
  it("writes plain words plain, the rest in quotes, and one line for each mapping of a list", () => {
    const text = renderFrontmatter({
      id: "TASK-001",
      title: "Fix: the login # now",
      note: undefined,
      labels: ["auth", "needs: care", "a, b"],
      created: "2026-02-17T10:00:00.000Z",
      estimate: 1.5,
      version: "1.5",
      done: false,
      old: "yes",
      none: null,
      empty: [],
      owner: { name: "Ada", since: "10:00" },
      history: [{ at: "2026-02-17T10:00:00.000Z", from: "pending", to: "done" }],
    });
    expect(text).toBe(`---
id: TASK-001
title: "Fix: the login # now"
labels: [auth, "needs: care", "a, b"]
created: 2026-02-17T10:00:00.000Z
estimate: 1.5
version: "1.5"
done: false
old: "yes"
none: null
empty: []
owner: {name: Ada, since: "10:00"}
history:
  - {at: "2026-02-17T10:00:00.000Z", from: pending, to: done}
---
`);
  });

  it("is read back as it was, whatever the data", () => {
    const odd = fc.constantFrom(
      "",
      " ",
      "a ",
      "#",
      "a #b",
      ": ",
      "a: b",
      "a:",
      "-",
      "- a",
      "true",
      "123",
      "0x1f",
      ".inf",
      "~",
      "---",
      "\n",
      "a\r\nb",
      "\t",
      "\u2028",
      "\ufeff",
      "\ud800",
      "é😀",
      "x".repeat(3_000),
      "[",
      "{a}",
      "'",
      '"',
      "\\",
      "|",
      "&a",
      "*a",
      "!t",
      "%",
      "@",
      "`",
    );
    const text = fc.oneof(odd, fc.string({ unit: "binary" }), fc.string());
    const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
    const key = text.filter((name) => name !== "__proto__");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      ),
    }));
    const data = fc.dictionary(
      key.filter((name) => name.length < 150),
      value,
      { maxKeys: 6 },
    );
    fc.assert(
      fc.property(data, (input) => {
        const outcome = parseFrontmatter(renderFrontmatter(input));
        expect(outcome.ok ? outcome.parsed.data : outcome.reason).toEqual(input);
      }),
      { numRuns: 1_000 },
    );
  });

  it("leaves undefined out of mappings and makes it null in lists", () => {
    expect(renderFrontmatter({ a: { b: undefined, c: 1 }, d: [undefined] })).toBe("---\na: {c: 1}\nd: [null]\n---\n");
  });

  it.each<[string, Record<string, unknown>]>([
    ["a prototype key", JSON.parse('{"a": {"__proto__": 1}}')],
    ["a function", { a: () => 1 }],
    ["a date object", { a: new Date(0) }],
    ["a key too long to be read back", { ["k".repeat(2_000)]: 1 }],
    ["more than can be read back", { a: "x".repeat(300_000) }],
    ["nesting that cannot be read back", { a: Array.from({ length: 40 }).reduce((inner) => [inner], 1) }],
  ])("refuses %s", (_name, data) => {
    expect(() => renderFrontmatter(data)).toThrow(/cannot be written/);
  });
});
