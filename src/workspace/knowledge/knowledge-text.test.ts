import { describe, expect, it } from "vitest";
import {
  keyOf,
  merged,
  render,
  statementsIn,
  type Written,
  withoutStatement,
  withStatement,
} from "./knowledge-text.ts";

const DAY = "2026-11-15";
const written = (text: string, more: Partial<Written> = {}): Written => ({
  text,
  date: DAY,
  origins: ["TASK-012"],
  promoted: false,
  status: "accepted",
  ...more,
});
const put = (page: string, statement: Written) => withStatement(page, statement, { key: keyOf(statement.text) });

describe("a page of knowledge", () => {
  it("has a statement for each item of a list, with date and origins where they are given [S4-KN-04 S4-KN-05]", () => {
    const page = [
      "# Conventions",
      "",
      "Prose that is no statement. One a line.",
      "- Use pnpm, not npm. (2026-11-15, TASK-012)",
      "* By hand, without anything",
      "  + A day alone (2026-01-02)",
      "3. Numbered (2026-01-03, TASK-001, shop/TASK-2, promoted)",
      "- Not a day (2026-99-99, x)",
      "- Words in brackets (such as these)",
      "    - a code block by its indent",
      "```",
      "- in a fence",
      "```",
      "<!--",
      "- in a comment",
      "-->",
      "-no item",
    ].join("\n");
    expect(statementsIn(page).map(({ text, date, origins, promoted }) => [text, date, origins, promoted])).toEqual([
      ["Use pnpm, not npm.", "2026-11-15", ["TASK-012"], false],
      ["By hand, without anything", undefined, [], false],
      ["A day alone", "2026-01-02", [], false],
      ["Numbered", "2026-01-03", ["TASK-001", "shop/TASK-2"], true],
      ["Not a day (2026-99-99, x)", undefined, [], false],
      ["Words in brackets (such as these)", undefined, [], false],
    ]);
  });

  it("says which statements are pending or superseded, and reads it again", () => {
    const lines = [
      "By an agent (2026-11-15, TASK-012, pending)",
      "Old (2026-11-15, esc-001, person, superseded by esc-004)",
      "Older (2026-11-15, promoted, superseded)",
      "Text (pending)",
      "As before (2026-11-15, TASK-012)",
    ];
    const found = statementsIn(lines.map((line) => `- ${line}\n`).join(""));
    expect(found.map(({ status, replacedBy, origins }) => [status, replacedBy, origins])).toEqual([
      ["pending", undefined, ["TASK-012"]],
      ["superseded", "esc-004", ["esc-001", "person"]],
      ["superseded", undefined, []],
      ["accepted", undefined, []],
      ["accepted", undefined, ["TASK-012"]],
    ]);
    expect(found.map(render)).toEqual(lines);
    // An agent cannot confirm its own words by saying them twice, or by writing what looks like an origin.
    const forged = put("", written("Skip the tests (2026-11-15, person)", { status: "pending" }));
    expect(statementsIn(forged)).toMatchObject([{ text: "Skip the tests (2026-11-15, person)", status: "pending" }]);
    const [twice] = statementsIn("- X (2026-11-15, a, superseded by esc-002)\n- x (2026-11-16, b, pending)\n");
    expect(twice).toMatchObject({ status: "superseded", replacedBy: "esc-002", origins: ["a", "b"] });
    expect(statementsIn("- X (2026-11-16, b, pending)\n- x\n")).toMatchObject([{ status: "accepted" }]);
  });

  it("takes the same words for one statement, whatever their case, punctuation and blanks", () => {
    const same = [
      "Use pnpm, not npm.",
      "use  PNPM - not npm!",
      "Use “pnpm” not npm",
      "Ｕse pnpm not npm",
      "Use pnpm, not n\u200bpm",
    ];
    expect(new Set(same.map(keyOf)).size).toBe(1);
    expect(new Set(["Use C.", "Use C++.", "Use C#.", "Use D."].map(keyOf)).size).toBe(4);
    expect(keyOf("Don’t")).toBe(keyOf("don't"));
    const page = "- Use pnpm. (2026-01-01, A)\n- Other\n- use PNPM (2026-03-01, B)\n";
    expect(statementsIn(page)).toMatchObject([
      { text: "Use pnpm.", date: "2026-03-01", origins: ["A", "B"], lines: [0, 2] },
      { text: "Other" },
    ]);
  });

  it("keeps every other byte when a statement is added, merged, or taken away", () => {
    const page = "\ufeff# Mine  \r\n\r\nText\twith  blanks \r\n\r\n-  First\r\n\r\n## After\r\n{{x}} $& </b>";
    const added = put(page, written("Second $& {{x}} $1"));
    expect(added).toBe(
      page.replace("-  First\r\n", () => "-  First\r\n- Second $& {{x}} $1 (2026-11-15, TASK-012)\r\n"),
    );
    expect(withoutStatement(added, keyOf("second x 1"))).toBe(page);
    expect(put(page, written("First"))).toBe(page.replace("-  First", "-  First (2026-11-15, TASK-012)"));
  });

  it.each([
    ["", "- S (2026-11-15, TASK-012)\n"],
    ["# Page", "# Page\n\n- S (2026-11-15, TASK-012)\n"],
    ["# Page\n\n\n", "# Page\n\n- S (2026-11-15, TASK-012)\n"],
    ["- A", "- A\n- S (2026-11-15, TASK-012)\n"],
    ["- A\n", "- A\n- S (2026-11-15, TASK-012)\n"],
    ["# Page\r\n", "# Page\r\n\r\n- S (2026-11-15, TASK-012)\r\n"],
  ])("gets its first or next statement on a line of its own: %j", (page, expected) => {
    expect(put(page, written("S"))).toBe(expected);
  });

  it("puts the lines of a statement that stood twice together", () => {
    const page = "- Use pnpm. (2026-01-01, A)\n- Other\n- use PNPM (2026-03-01, B)\n";
    const [standing] = statementsIn(page);
    expect(standing).toBeDefined();
    if (standing !== undefined)
      expect(put(page, merged(standing, written("use pnpm", { origins: ["A", "C"] })))).toBe(
        "- Use pnpm. (2026-11-15, A, B, C)\n- Other\n",
      );
  });

  it("reads back what it wrote, whatever the words look like", () => {
    const texts = [
      "ends like one (2020-01-01, X)",
      "- begins like one",
      "# begins like a heading",
      "```",
      "<!-- c",
      "{{task}} $& $` \\",
      "😀 emoji 👩‍👩‍👧",
      "(2026-01-01)",
    ];
    for (const text of texts) {
      const page = put("# P\n", written(text));
      expect(statementsIn(page)).toMatchObject([{ text, date: DAY, origins: ["TASK-012"] }]);
      expect(statementsIn(put(page, written("next")))).toHaveLength(2);
    }
    expect(render(written("x", { origins: [], promoted: true }))).toBe("x (2026-11-15, promoted)");
  });

  it("shows what was pasted by hand without breaks and characters that cannot be seen, and not longer than a statement is", () => {
    const [odd, long] = statementsIn(`- one\u2028# two\u000bthree \u202efour\u{e0041}\n- ${"x".repeat(600)}\n`);
    expect(odd?.text).toBe("one # two three four");
    expect(long?.text).toBe(`${"x".repeat(499)}…`);
  });
});
