import { describe, expect, it } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import { judgeProof } from "./judge-proof.ts";

const testOf = (...cases: string[]) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport * as cart from "./cart.js";\n${cases.join("\n")}\n`;
const ZERO = 'test("is empty", () => assert.equal(cart.total([]), 0));';
const SUM = 'test("adds prices", () => assert.equal(cart.total([1, 2]), 3));';
const FILES = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "cart.js": "export const total = (prices) => 0 * prices.length;\n",
  "cart.test.js": testOf(ZERO),
};
const FIXED = "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";

async function judged(changed: Record<string, string | null>, type: TaskType, settings: object = { proof: "off" }) {
  const { treeWith, subjectFor } = checkedRepository(FILES);
  const subject = await subjectFor(await treeWith(changed), settings);
  const outcome = await judgeProof({ ...subject, type });
  return { ...outcome, codes: outcome.findings.map(({ code }) => code) };
}

describe("the proof of a change, with a real runner", { timeout: 120_000 }, () => {
  it("[S1-QG-17] holds for a fix whose test fails by its assertion on the code before", async () => {
    const outcome = await judged({ "cart.js": FIXED, "cart.test.js": testOf(ZERO, SUM) }, "bug");
    expect([outcome.verdict, outcome.codes], JSON.stringify(outcome)).toEqual(["pass", []]);
    expect(JSON.stringify(outcome.evidence)).toContain("1 assertion");
  });

  it("[S1-QG-17] fails where the new test passes on the code before, or only misses something in a fix", async () => {
    const vacuous = await judged(
      { "cart.js": FIXED, "cart.test.js": testOf(ZERO, ZERO.replace("is", "stays")) },
      "bug",
    );
    expect(vacuous.codes).toEqual(["not-red-before"]);
    const added = { "cart.js": `${FIXED}export const count = (prices) => prices.length;\n` };
    const missing = {
      ...added,
      "cart.test.js": testOf(ZERO, 'test("counts", () => assert.equal(cart.count([1]), 1));'),
    };
    expect((await judged(missing, "bug")).codes).toEqual(["not-red-before"]);
    expect((await judged(missing, "feature")).verdict).toBe("pass");
  });

  it("fails where a test file ends before its tests, by itself or by the code that it tests", async () => {
    const other = { "other.test.js": testOf(ZERO.replace("is empty", "has no price")) };
    const { treeWith, subjectFor } = checkedRepository({ ...FILES, ...other });
    const codes = async (changed: Record<string, string>) => {
      const tree = await treeWith({ "cart.js": FIXED, "cart.test.js": testOf(ZERO, SUM), ...changed });
      const { findings } = await judgeProof({ ...(await subjectFor(tree, { proof: "off" })), type: "bug" });
      return findings.map(({ code, file }) => [code, file]);
    };
    const ended = [["test-deleted", "other.test.js"]];
    expect(await codes({})).toEqual([]);
    expect(await codes({ "other.test.js": `process.exit(0);\n${other["other.test.js"]}` })).toEqual(ended);
    const exits = `${FIXED}if (process.argv[1].endsWith("other.test.js")) process.exit(0);\n`;
    expect(await codes({ "cart.js": exits })).toEqual(ended);
  });

  it("fails where a test file got a name that its runner does not look for", async () => {
    const other = testOf(ZERO.replace("is empty", "has no price"));
    const { treeWith, subjectFor } = checkedRepository({ ...FILES, "other.test.js": other });
    const tree = await treeWith({
      ...{ "cart.js": FIXED, "cart.test.js": testOf(ZERO, SUM) },
      ...{ "other.test.js": null, "other.tst.js": other },
    });
    const { findings } = await judgeProof({ ...(await subjectFor(tree, { proof: "off" })), type: "bug" });
    expect(findings.map(({ code, file }) => [code, file])).toEqual([["test-deleted", "other.tst.js"]]);
  });

  it("fails where no test runs any more, whatever ended them", async () => {
    const renamed = await judged({ "cart.test.js": null, "cart.checks.js": FILES["cart.test.js"] }, "refactor");
    expect(renamed.findings.map(({ code, message }) => [code, message])).toEqual([
      ["test-deleted", "No test runs with this change. Before it 1 test ran."],
    ]);
    const ended = await judged({ "cart.js": `process.exit(0);\n${FIXED}` }, "refactor");
    expect([ended.verdict, ended.codes], JSON.stringify(ended)).toEqual(["fail", ["test-deleted"]]);
  });

  it("lists the part of a change that no test misses", async () => {
    const code = `${FIXED}${"\n".repeat(10)}export const currency = "EUR";\n`;
    const before = { ...FILES, "cart.js": `${FILES["cart.js"]}${"\n".repeat(10)}export const currency = "USD";\n` };
    const { treeWith, subjectFor } = checkedRepository(before);
    const tree = await treeWith({ "cart.js": code, "cart.test.js": testOf(ZERO, SUM) });
    const outcome = await judgeProof({ ...(await subjectFor(tree)), type: "bug" });
    expect(outcome.verdict, JSON.stringify(outcome)).toBe("pass");
    expect(outcome.findings.map(({ code: kind, line }) => [kind, line])).toEqual([["unproven", 12]]);
  });

  it("tries a part also where no check looks at what else was changed", async () => {
    const changed = { "cart.js": `${FILES["cart.js"]}export const unused = 1;\n`, "README.md": "New.\n" };
    const outcome = await judged(changed, "refactor", { proof: "strict" });
    expect([outcome.verdict, outcome.codes], JSON.stringify(outcome)).toEqual(["fail", ["unproven"]]);
  });
});
