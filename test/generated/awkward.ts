import fc from "fast-check";

/** Pieces of text that careless code takes for something else: YAML, Markdown, JSON, paths, numbers, control characters. */
const PIECES = [
  ..."- # : ' \" ` \\ | > * & ! % @ , ? ~ = { } [ ] < $& {{x}} $[x] %s .."
    .replace("$[x]", "$".concat("{x}"))
    .split(" "),
  ..."null true yes no NaN Infinity -0 0x10 1e400 1_000 007 2026-01-31 12:30 !!str <<".split(" "),
  ...'__proto__ constructor toString ../.. /etc/passwd C:\\x %2e%2e %00 TASK-001 todo AND OR NEAR( "x"*'.split(" "),
  ...["---", "...", "## Notes", "## Description", "\\## Notes", "# Title", "### In Scope", "- [ ] box", "- [x] box"],
  ...[
    "- Files: `a`",
    "```json",
    "```",
    "| a | b |",
    "*Updated: now*",
    "key: value",
    "key:",
    ": value",
    " # no comment",
  ],
  ...["", " ", "  ", "\t", "\n", "\r", "\r\n", "\n\n", "\u0085", "\u00a0", "\u2028", "\u2029", "\u3000", "\u200b"],
  ...[
    "é",
    "e\u0301",
    "ﬁ",
    "ß",
    "İ",
    "漢字",
    "😀",
    "👩‍👩‍👧",
    "\u{1f1e9}\u{1f1ea}",
    "\u202e",
    "\ufeff",
    "\ufffd",
    "\uffff",
  ],
  ...["\0", "\x1b[31m", "\x7f", "\ud800", "\udfff", "\u{10ffff}"],
];

/** Short text made of such pieces and ordinary words, or of any characters at all. */
export const awkwardText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.string({ unit: fc.constantFrom("a", "b", "Z", "0", "-", " "), minLength: 1, maxLength: 12 }),
  },
  { weight: 5, arbitrary: fc.string({ unit: fc.constantFrom(...PIECES, "word", "two words"), maxLength: 5 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

/** Values of every kind but the expected one. */
const awkwardValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    -0.5,
    1e21,
    1e308,
    5e-324,
    2 ** 53,
    2 ** 31,
    "",
    " ",
    "\0",
    [],
    {},
  ),
  fc.constantFrom<unknown>(
    [null],
    [[]],
    [{}],
    { length: 3 },
    { toString: 1 },
    { constructor: { prototype: { x: 1 } } },
  ),
  fc.constantFrom<unknown>("x".repeat(5_000), "é".repeat(70_000), Array(2_000).fill("a"), { ["k".repeat(3_000)]: 1 }),
  fc.integer({ min: 1, max: 80 }).map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth))),
  fc.integer({ min: 1, max: 80 }).map((depth) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)),
  fc.constantFrom("TASK-001", "TASK-999", "TASK-0001", "alpha", "coder", "asg-1", "../alpha", "pending", "archived"),
  awkwardText,
  fc.jsonValue({ maxDepth: 3 }),
);

interface Mutation {
  at: number;
  how: "replace" | "remove" | "add" | "wrap" | "double";
  key: string;
  value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(1_000),
  how: fc.constantFrom("replace", "replace", "remove", "add", "wrap", "double"),
  key: fc.oneof(fc.constantFrom("__proto__", "constructor", "id", "etag", "status", "path", "x", ""), awkwardText),
  value: awkwardValue,
});

/** The values of a generator with up to three places in each changed into something unexpected. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.array(mutation, { minLength: 1, maxLength: 3 })).map(([value, mutations]) => {
    let next = value;
    for (const each of mutations) next = mutate(next, pathTo(next, each.at), each);
    return next;
  });
}

/** One of the places of a value, as keys from the outside in. */
function pathTo(value: unknown, at: number): string[] {
  const paths = pathsIn(value);
  return paths[at % paths.length] ?? [];
}

function pathsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))];
}

function mutate(value: unknown, [key, ...rest]: string[], mutation: Mutation): unknown {
  if (key === undefined) return change(value, mutation);
  const entries = Object.entries(value as object).flatMap(([name, inner]): [string, unknown][] => {
    if (name !== key) return [[name, inner]];
    if (rest.length === 0 && mutation.how === "remove") return [];
    return [[name, mutate(inner, rest, mutation)]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function change(value: unknown, { how, key, value: other }: Mutation): unknown {
  if (how === "wrap") return [value];
  if (how === "double") return Array.isArray(value) ? [...value, ...value] : [value, value];
  if (how !== "add" || typeof value !== "object" || value === null) return how === "remove" ? null : other;
  if (Array.isArray(value)) return [...value, other];
  return Object.fromEntries([...Object.entries(value), [key, other]]);
}
