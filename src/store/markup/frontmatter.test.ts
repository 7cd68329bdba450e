import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, type Parsed, parseFrontmatter } from "./frontmatter.ts";

function parsed(text: string): Parsed {
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) throw new Error(`line ${outcome.line}: ${outcome.reason}`);
  return outcome.parsed;
}

function refusal(text: string): { line: number; reason: string } {
  const outcome = parseFrontmatter(text);
  if (outcome.ok) throw new Error("was read");
  return { line: outcome.line, reason: outcome.reason };
}

const TASK = `---
id: TASK-001
status: pending
type: bug
labels: [auth, "needs: care"]
blockedBy: [TASK-002]
created: 2026-02-17T10:00:00.000Z
history:
  - {at: "2026-02-17T10:00:00.000Z", from: null, to: pending, by: person}
---

# Fix the login
`;

describe("reading a document", () => {
  it("gives the data, the body and the line of each key", () => {
    const task = parsed(TASK);
    expect(task.data).toEqual({
      id: "TASK-001",
      status: "pending",
      type: "bug",
      labels: ["auth", "needs: care"],
      blockedBy: ["TASK-002"],
      created: "2026-02-17T10:00:00.000Z",
      history: [{ at: "2026-02-17T10:00:00.000Z", from: null, to: "pending", by: "person" }],
    });
    expect(task.body).toBe("\n# Fix the login\n");
    expect(["id", "labels", "history", "absent"].map((key) => task.lineOf(key))).toEqual([2, 5, 8, 1]);
  });

  it("gives the same lines when YAML proper has to read it", () => {
    const task = parsed("---\nid: t\nnote: |\n  one\n\n  two\n\n# about\nlast: 1\n---\n");
    expect(task.data).toEqual({ id: "t", note: "one\n\ntwo\n", last: 1 });
    expect(["id", "note", "last", "absent"].map((key) => task.lineOf(key))).toEqual([2, 3, 9, 1]);
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    ["nothing between the fences", "---\n---\n", {}, ""],
    ["only comments between them", "---\n# later\n\n---\nbody", {}, "body"],
    ["a closing fence without a line break", "---\nid: t\n---", { id: "t" }, ""],
    ["blanks behind the fences", "--- \t\nid: t\n---  \nbody\n", { id: "t" }, "body\n"],
    ["CRLF line ends", "---\r\nid: t\r\nstatus: todo\r\n---\r\nbody\r\n", { id: "t", status: "todo" }, "body\r\n"],
    ["a byte order mark", "\ufeff---\nid: t\n---\n", { id: "t" }, ""],
    ["fences in the body", "---\nid: a\n---\n---\nid: b\n---\n", { id: "a" }, "---\nid: b\n---\n"],
    [
      "a fence in a block scalar",
      '---\nt: "a --- b"\nn: |\n  ---\n  s: x\n---\n',
      { t: "a --- b", n: "---\ns: x\n" },
      "",
    ],
    [
      "wrong types, for the schema to judge",
      "---\nid: [1,2]\nt: {a: b}\nc: -5\n---\n",
      { id: [1, 2], t: { a: "b" }, c: -5 },
      "",
    ],
    ["a word outside its list", "---\nid: t\nstatus: dnoe\n---\n", { id: "t", status: "dnoe" }, ""],
    ["a dependency, known or not", "---\nid: a\ndepends: [b, t999]\n---\n", { id: "a", depends: ["b", "t999"] }, ""],
    ["an id with a slash", "---\nid: a/b\n---\n", { id: "a/b" }, ""],
    ["an unknown role", "---\nid: t\nassignee: nobody\n---\n", { id: "t", assignee: "nobody" }, ""],
    [
      "keys with underscores",
      "---\napproved_by: human\ncost_cap: -5\n---\n",
      { approved_by: "human", cost_cap: -5 },
      "",
    ],
    [
      "numbers beyond their range",
      "---\na: 1e309\nb: 99999999999999999999\n---\n",
      { a: Number.POSITIVE_INFINITY, b: 1e20 },
      "",
    ],
    [
      "dates, as text",
      "---\na: 2026-02-17\nb: 2026-02-17T10:00:00Z\n---\n",
      { a: "2026-02-17", b: "2026-02-17T10:00:00Z" },
      "",
    ],
    ["deceptive characters", '---\ntitle: "ok \u202egpj.exe"\n---\n', { title: "ok \u202egpj.exe" }, ""],
    ["markup", '---\nt: "<img onerror=x>"\n---\n<script>\n', { t: "<img onerror=x>" }, "<script>\n"],
    ["anchors and aliases", "---\na: &x [1, {b: 2}]\nc: *x\n---\n", { a: [1, { b: 2 }], c: [1, { b: 2 }] }, ""],
    ["core tags", "---\na: !!str 12\n---\n", { a: "12" }, ""],
    [
      "keys that look like values",
      "---\n1: a\ntrue: b\nnull: c\n? d\n: e\n---\n",
      { 1: "a", true: "b", null: "c", d: "e" },
      "",
    ],
    [
      "names of built-in properties",
      "---\nconstructor: a\ntoString: b\n---\n",
      { constructor: "a", toString: "b" },
      "",
    ],
  ])("accepts %s", (_name, text, data, body) => {
    const document = parsed(text);
    expect(document.data).toEqual(data);
    expect(document.body).toBe(body);
  });

  it("gives each alias its own copy", () => {
    const { data } = parsed("---\na: &x [1]\nb: *x\n---\n");
    (data.a as number[]).push(2);
    expect(data.b).toEqual([1]);
  });

  const nested = (depth: number) => `---\nx: ${"[".repeat(depth)}${"]".repeat(depth)}\n---\n`;
  const bomb = Array.from({ length: 11 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]\n`).join("");

  it.each<[string, string, number, RegExp]>([
    ["an empty file", "", 1, /empty.*'---'/],
    ["a byte order mark alone", "\ufeff", 1, /empty/],
    ["no frontmatter", "# Title\n", 1, /no frontmatter.*start with a line '---'/],
    ["a blank line first", "\n---\nid: t\n---\n", 1, /very first/],
    ["a TOML fence", '+++\nid = "t"\n+++\n', 1, /TOML/],
    ["four dashes", "----\nid: t\n----\n", 1, /more than three dashes/],
    ["text behind the first fence", "--- yaml\nid: t\n---\n", 1, /nothing else/],
    ["CR line ends", "---\rid: t\r---\r", 1, /carriage return/],
    ["no closing fence", "---\nid: t\ntitle: x\n\nbody\n", 1, /not closed/],
    ["a fence that is only indented", "---\nid: t\n ---\n", 1, /not closed/],
    ["a key that is there twice", "---\nid: a\nx: 1\nid: b\n---\n", 4, /'id' is duplicated, on lines 2 and 4/],
    ["such a key inside another", "---\nx:\n  a: 1\n  a: 2\n---\n", 4, /'a' is duplicated, on lines 3 and 4/],
    ["keys told apart only by quotes", '---\n1: a\n"1": b\n---\n', 3, /'1' is duplicated/],
    ["tags that build objects", '---\na: 1\nid: !!js/function "x"\n---\n', 3, /tag is not allowed/],
    ["tags of other schemas", "---\nid: !!binary aGk=\n---\n", 2, /tag is not allowed/],
    ["an alias inside its anchor", "---\na: &a {self: *a}\n---\n", 2, /inside its own anchor/],
    ["an alias without an anchor", "---\na: *b\n---\n", 2, /no anchor/],
    ["aliases that multiply", `---\na0: &a0 [x]\n${bomb}---\n`, 6, /aliases repeat too much/],
    ["many aliases", `---\na: &a 1\nb: [${Array(101).fill("*a")}]\n---\n`, 3, /more than 100 aliases/],
    ["deep nesting", nested(32), 2, /deeper than 32/],
    ["abysmal nesting", nested(100_000), 2, /deeper than 32/],
    ["deep block lists", `---\nx:\n ${"- ".repeat(50_000)}a\n---\n`, 3, /deeper than 32/],
    [
      "nesting by aliases",
      `---\na: &a ${nested(20).slice(7, -5)}\nb: ${"[".repeat(15)}*a${"]".repeat(15)}\n---\n`,
      3,
      /deeper than 32/,
    ],
    ["a list", "---\n- a\n---\n", 2, /must be a mapping/],
    ["a scalar", "---\nhello\n---\n", 2, /must be a mapping/],
    ["a second document", "---\na: 1\n...\nb: 2\n---\n", 4, /second YAML document/],
    ["a directive", "---\n%YAML 1.1\n--- {a: 1}\n---\n", 2, /'--- '/],
    ["an unquoted colon", "---\nid: t\ntitle: fix: it\n---\n", 3, /not valid YAML.*must be in quotes/],
    ["an unclosed quote", '---\nid: t\ntitle: "fix\nx: 1\n---\n', 3, /quote.*not closed/],
    ["a reserved character", "---\nid: @me\n---\n", 2, /quotes/],
    ["a tab as indentation", "---\na:\n\t- b\n---\n", 3, /[Tt]ab/],
    ["__proto__ as a key", "---\nid: t\n__proto__: {admin: true}\n---\n", 3, /'__proto__' is not allowed/],
    ["__proto__ further inside", '---\na: {"__proto__": {admin: true}}\n---\n', 2, /'__proto__' is not allowed/],
    [
      "too many keys",
      `---\n${Array.from({ length: 1_001 }, (_, i) => `k${i}: v\n`).join("")}---\n`,
      1_002,
      /1000 keys/,
    ],
    ["too much of it", `---\na: ${"é".repeat(131_072)}\n---\n`, 1, /larger than 256 KiB/],
  ])("refuses %s with a line and a reason", (_name, text, line, reason) => {
    const outcome = refusal(text);
    expect(outcome.reason).toMatch(reason);
    expect(outcome.line).toBe(line);
  });

  it("reads nesting up to the limit", () => {
    expect(parsed(nested(31)).data).toHaveProperty("x");
  });

  it("leaves prototypes alone whatever it reads", () => {
    parseFrontmatter('---\n__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\n"__proto__": 1\n---\n');
    expect({}).not.toHaveProperty("polluted");
  });

  it("never throws", () => {
    const piece = fc.constantFrom(
      "---",
      "\n",
      "\r\n",
      "a",
      ": ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      '"',
      "'",
      "&a ",
      "*a",
      "!!x ",
      "|",
      "#",
      "\t",
      "? ",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 30 }).map((pieces) => `---\n${pieces.join("")}\n---\n`),
    );
    fc.assert(
      fc.property(text, (input) => typeof parseFrontmatter(input).ok === "boolean"),
      { numRuns: 2_000 },
    );
  });
});

describe("decoding bytes", () => {
  it("keeps a byte order mark and every character", () => {
    expect(decodeText(Buffer.from("\ufeffaé😀\r\n"))).toBe("\ufeffaé😀\r\n");
  });

  it("reads only the part of the memory it is given", () => {
    expect(decodeText(new Uint8Array(Buffer.from("abcdef")).subarray(2, 4))).toBe("cd");
  });

  it.each([[[0xff, 0xfe, 0xc3, 0x28]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xe2, 0x82]]])(
    "refuses %j, which is not UTF-8",
    (bytes) => {
      expect(decodeText(Uint8Array.from(bytes))).toBeUndefined();
    },
  );
});
