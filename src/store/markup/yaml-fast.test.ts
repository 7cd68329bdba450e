import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { scanFast } from "./yaml-fast.ts";
import { readFull } from "./yaml-full.ts";

/** What the `yaml` package makes of a source, or undefined when it objects. */
function readByPackage(source: string): unknown {
  const document = parseDocument(source, { stringKeys: true, logLevel: "silent" });
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  return document.toJS() ?? {};
}

describe("the fast scanner", () => {
  it("reads every shape that frontmatter usually has", () => {
    const source = `# about
id: TASK-001
title: "Fix: \\"the\\" login" # soon

quoted: 'it''s'
empty:
none: ~
yes: true
count: 0x1f
ratio: -1.5e3
created: 2026-02-17T10:00:00.000Z
labels: [auth, "needs: care", 'x', 3]
owner: {name: Ada, "full name": Ada L, tags: [a, {b: c}], none: null}
list:
- a
- "b" # c
history: # log
  # first
  - {at: "2026-02-17T10:00:00.000Z", from: null, to: pending}

  - {}
`;
    const layout = scanFast(source);
    expect(layout?.data).toEqual(readByPackage(source));
    expect(layout?.entries.map((entry) => entry.key)).toEqual(Object.keys(layout?.data ?? {}));
    expect(scanFast(source.replaceAll("\n", "\r\n"))?.data).toEqual(layout?.data);
  });

  it.each([
    "a: 1\na: 2\n",
    "__proto__: 1\n",
    "a: {b: 1, b: 2}\n",
    "a: |\n  b\n",
    "a:\n  b: 1\n",
    "a: b\n  c\n",
    "a: b: c\n",
    "a: [b\n",
    "a: [b,]\n",
    "a: [b: c]\n",
    "a: {b}\n",
    'a: "b\\x41"\n',
    "a: &b 1\n",
    "a: *b\n",
    "a: !!str 1\n",
    "a:\tb\n",
    "a:b\n",
    "- a\n",
    "a:\n  - b\n - c\n",
    "a:\n  - b: c\n",
    "a: b\rc\n",
    "? a\n",
    " a: 1\n",
  ])("leaves %j to YAML proper", (source) => {
    expect(scanFast(source)).toBeUndefined();
  });

  const junk = fc.array(
    fc.constantFrom(
      ..."ab1-:#,[]{}\"'\\ !&*|>%@?~.+e0xo=<`\r\u00a0é\u2028\ufeff",
      "😀",
      "\\n",
      ": ",
      " #",
      "''",
      '\\"',
      "null",
    ),
    { maxLength: 8 },
  );
  const scalar = fc.oneof(
    junk.map((pieces) => pieces.join("")),
    fc.stringMatching(/^[-+]?[0-9.xoeEabfINn+-]{0,6}$/),
    fc.constantFrom(
      "a b",
      "Null",
      "TRUE",
      "False",
      ".inf",
      "-.INF",
      ".NaN",
      "0o17",
      "0xfF",
      "1e309",
      "+12",
      "1.",
      "-0",
    ),
    fc.constantFrom("a:b", "a#b", "~", "'it''s'", '"q"', '"a\\tb"', "2026-02-17T10:00:00Z"),
  );
  const { flow } = fc.letrec<{ flow: string }>((tie) => ({
    flow: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie("flow"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      fc
        .array(fc.tuple(fc.oneof(fc.constantFrom("a", "b-c", '"q r"', "1"), scalar), tie("flow")), { maxLength: 3 })
        .map((pairs) => `{${pairs.map((pair) => pair.join(": ")).join(", ")}}`),
    ),
  }));
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("a", "b", "c1", "d-e", "f.g", "_h", "1", "null", "constructor") },
    { weight: 1, arbitrary: scalar },
  );
  const tail = fc.constantFrom("", "", "", " ", " # c", "# c", " #");
  const line = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(key, fc.constantFrom(": ", ": ", ":  ", ":"), flow, tail) },
    { weight: 3, arbitrary: fc.tuple(key, fc.constant(":"), tail) },
    {
      weight: 5,
      arbitrary: fc.tuple(fc.constantFrom("", " ", "  ", "  "), fc.constantFrom("- ", "-  ", "-"), flow, tail),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom("", "  ", "# c", "  # c", "- ", "?", " x", "...")) },
  );
  const source = fc
    .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"))
    .map(([lines, eol]) => lines.map((parts) => parts.join("") + eol).join(""));

  it("agrees with the yaml package on everything it accepts, and so does the slow reader", () => {
    let accepted = 0;
    fc.assert(
      fc.property(source, (text) => {
        const fast = scanFast(text);
        if (!fast) return;
        accepted++;
        expect(fast.data).toEqual(readByPackage(text));
        expect(readFull(text)).toMatchObject({ ok: true, layout: { data: fast.data } });
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  it("puts keys in the same places as the slow reader does", () => {
    fc.assert(
      fc.property(source, (text) => {
        const fast = scanFast(text);
        const full = fast && readFull(text);
        const places = fast?.entries.map(({ key, line, start, colon, valueStart, end }) => [
          key,
          line,
          start,
          colon,
          valueStart,
          end,
        ]);
        if (!full?.ok) return;
        expect(
          full.layout.entries.map(({ key, line, start, colon, valueStart, end }) => [
            key,
            line,
            start,
            colon,
            valueStart,
            end,
          ]),
        ).toEqual(places);
      }),
      { numRuns: 3_000 },
    );
  });
});
