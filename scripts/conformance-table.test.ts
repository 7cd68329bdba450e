import { describe, expect, it } from "vitest";
import { collectProofs, fillTable, unexplained } from "./conformance-table.ts";

// Put together here, as an id in a test file claims that the file proves it.
const [GROUP, OTHER] = ["S0-SAMPLE", "S4-SAMPLE"];
const [A, B, C] = [`${GROUP}-01`, `${GROUP}-02`, `${OTHER}-01`];

const PAGE = [
  "# Conformance",
  "",
  "| Id | What | Tests |",
  "|---|---|---|",
  `| ${A} | has an \`id\` | – |`,
  `| ${B} | \`a \\| b\` | test/old.test.ts |`,
  `| ${C} | folders | – |`,
  "",
].join("\n");

function proofsIn(source: string, path = "test/roles.test.ts") {
  return collectProofs(new Map([[path, source]]));
}

function idsIn(source: string): string[] {
  return [...proofsIn(source).proofs.keys()];
}

describe("ids in test names", () => {
  it.each([
    ["one id", `it("refuses [${A}]", run);`, [A]],
    ["several, with spaces", `test("moves [${A} ${B}]", run);`, [A, B]],
    ["several, with commas", `it("moves [${A}, ${B}]", run);`, [A, B]],
    ["a bracket that begins with another list's id", `it("moves [X1-01 ${A}]", run);`, [A]],
    ["several brackets", `it("[${A}] and [${C}]", run);`, [A, C]],
    ["the name of a group", `describe("roles [${A}]", run);`, [A]],
    ["a table of cases", `it.each([1, 2])("takes %s [${A}]", run);`, [A]],
    ["a condition", `it.skipIf(slow)("is quick [${A}]", run);`, [A]],
    ["a template", `it(\`takes \${name} [${A}]\`, run);`, [A]],
  ])("are read from %s", (_, source, ids) => {
    expect(idsIn(source)).toEqual(ids);
  });

  it.each([
    ["a comment", `// it("[${A}]")`],
    ["another string", `const note = "[${A}]";`],
    ["another call", `console.log("[${A}]");`],
    ["a test that is skipped", `it.skip("later [${A}]", run);`],
    ["a test that is not written", `it.todo("later [${A}]");`],
    ["words in brackets", 'it("sorts [a, b]", run);'],
  ])("are not read from %s", (_, source) => {
    expect(proofsIn(source)).toEqual({ proofs: new Map(), problems: [] });
  });

  it("are not read from files that are no tests", () => {
    expect(proofsIn(`it("[${A}]", run);`, "test/suites/roles.ts").proofs.size).toBe(0);
  });

  it.each([`${GROUP}-1`, "S5-SAMPLE-01", "S0-sample-01"])("are reported when misspelt, as in %s", (word) => {
    expect(proofsIn(`it("has [${word}]", run);`).problems).toEqual([
      `test/roles.test.ts names ${word}, which is not the form of an id`,
    ]);
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => `${GROUP}-0${at + 1}`).join(" ");

  it.each([
    ["a test", `it("does it all [${many(6)}]", run);`],
    ["a test and its group", `describe("roles [${many(5)}]", () => { it("does more [${C}]", run); });`],
  ])("are reported when %s names more than five", (_, source) => {
    expect(proofsIn(source).problems).toEqual([
      expect.stringMatching(/^test\/roles\.test\.ts: one test names 6 items, at most 5 are allowed: /),
    ]);
  });

  it("may be five in each of several tests, and the same again in their group", () => {
    const source = `describe("roles [${A}]", () => { it("a [${many(5)}]", run); it("b [${many(5)}]", run); }); it("[${C}]", run);`;
    expect(proofsIn(source).problems).toEqual([]);
  });

  it("gather the files that name them, each once", () => {
    const source = `it("a [${A}]", run); it("b [${A}]", run);`;
    const files = new Map([
      ["test/b.test.ts", source],
      ["src/store/a.test.ts", source],
    ]);
    expect(collectProofs(files).proofs.get(A)).toEqual(["src/store/a.test.ts", "test/b.test.ts"]);
  });
});

describe("the table", () => {
  it("gets its Tests column and keeps every other byte", () => {
    const proofs = new Map([[A, ["src/a.test.ts", "test/b.test.ts"]]]);
    expect(fillTable(PAGE, proofs).text).toBe(
      PAGE.replace("`id` | – |", "`id` | src/a.test.ts<br>test/b.test.ts |").replace("test/old.test.ts", "–"),
    );
  });

  it("does not change when it is filled again", () => {
    const proofs = new Map([[C, ["test/b.test.ts"]]]);
    const once = fillTable(PAGE, proofs).text;
    expect(fillTable(once, proofs)).toMatchObject({ text: once, problems: [] });
  });

  it("keeps the reason of an item that is not proven until a test proves it", () => {
    const reasoned = PAGE.replace("folders | – |", "folders | – nothing writes them |");
    expect(fillTable(reasoned, new Map()).text).toContain("folders | – nothing writes them |");
    expect(fillTable(reasoned, new Map([[C, ["test/c.test.ts"]]])).text).toContain("folders | test/c.test.ts |");
  });

  it("lists items with neither a test nor a reason", () => {
    const page = fillTable(
      PAGE.replace("folders | – |", "folders | – withdrawn: nothing writes them. |"),
      new Map(),
    ).text;
    expect(unexplained(page)).toEqual([A, B].map((id) => `${id} has neither a test nor a reason`));
  });

  it("counts what is proven in each group", () => {
    expect(fillTable(PAGE, new Map([[B, ["test/b.test.ts"]]])).groups).toEqual([
      { name: GROUP, proven: 1, total: 2 },
      { name: OTHER, proven: 0, total: 1 },
    ]);
  });

  it("reports an id that a test names and the page does not list", () => {
    expect(fillTable(PAGE, new Map([[`${OTHER}-99`, ["test/b.test.ts"]]])).problems).toEqual([
      `${OTHER}-99 is not listed, but named by test/b.test.ts`,
    ]);
  });

  it("reports an id that is listed twice", () => {
    expect(fillTable(`${PAGE}| ${A} | again | – |\n`, new Map()).problems).toEqual([`${A} is listed twice`]);
  });

  it("reports a row it cannot read, which would go unnoticed otherwise", () => {
    expect(fillTable(`${PAGE}| ${GROUP}-03 | no tests column |\n`, new Map()).problems).toHaveLength(1);
  });
});
