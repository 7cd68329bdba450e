import { describe, expect, it } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Checked, LocalChecks } from "../checks/local-checks.ts";
import { withCheckWaiver } from "./check-verdict.ts";
import { judgeWhole, type WholeOrder } from "./judge-whole.ts";

type Files = Record<string, string>;

const testOf = (name: string, file: string, check: string) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport * as it from "./${file}";\ntest("${name}", () => ${check});\n`;
const BASE: Files = {
  "package.json": JSON.stringify({ type: "module", main: "main.js", scripts: { test: "node --test" } }),
  "main.js": 'export { price } from "./price.js";\n',
  "price.js": "export const price = () => 1;\n",
  "price.test.js": testOf("price", "price.js", "assert.equal(it.price(), 1)"),
};

/** A repository with a branch per result, each off main. */
function withBranches(branches: Record<string, Files>, base = BASE) {
  const made = checkedRepository(base);
  const { person } = made;
  const heads = Object.entries(branches).map(([runId, files]) => {
    person.git("checkout", "--quiet", "-b", runId, "main");
    for (const [path, text] of Object.entries(files)) person.write(path, text);
    person.git("add", "--all");
    person.git("commit", "--quiet", "-m", runId);
    return { runId, commit: person.git("rev-parse", "HEAD").trim() };
  });
  person.git("checkout", "--quiet", "main");
  const order = (what: WholeOrder["what"], part: Partial<WholeOrder> = {}): WholeOrder => ({
    ...{ trees: made.trees, checks: made.checks, settings: QualityGates.parse({}), target: "main", what },
    base: person.git("rev-parse", "main").trim(),
    signal: new AbortController().signal,
    onStep: async () => undefined,
    ...part,
  });
  const snapshot = () => [person.snapshot(), person.git("for-each-ref"), person.git("count-objects", "-v")];
  return { ...made, heads, order, snapshot };
}

const stepsOf = ({ steps }: { steps: { name: string; verdict: string }[] }) =>
  Object.fromEntries(steps.map(({ name, verdict }) => [name, verdict]));

describe("the whole of several results", { timeout: 120_000 }, () => {
  it("[S1-IG-06] passes where they work together, without a trace in the repository", async () => {
    const { heads, order, snapshot } = withBranches({
      "run-1": {
        "main.js": `${BASE["main.js"]}export { tax } from "./tax.js";\n`,
        "tax.js": "export const tax = 2;\n",
      },
      "run-2": { "price.js": "export const price = () => 2 - 1;\n" },
    });
    const before = snapshot();
    const judged = await judgeWhole(order({ parts: heads }));
    expect(judged.verdict, JSON.stringify(judged)).toBe("pass");
    expect(stepsOf(judged)).toEqual({
      merge: "pass",
      typecheck: "pass",
      conflicts: "pass",
      tests: "pass",
      wiring: "pass",
    });
    expect(snapshot()).toEqual(before);
  });

  it("[S1-IG-05] finds the first part that makes the whole red though each one was green, and whose lines they are", async () => {
    const { heads, order } = withBranches({
      "run-1": { "notes.md": "x\n" },
      "run-2": { "price.js": "export const price = () => 1;\nexport const unit = () => 'EUR';\n" },
      "run-3": { "price.test.js": testOf("no unit yet", "price.js", "assert.equal(it.unit, undefined)") },
      "run-4": { "more.md": "x\n" },
    });
    const judged = await judgeWhole(order({ parts: heads }));
    expect(stepsOf(judged)).toMatchObject({ tests: "fail", bisect: "pass" });
    expect([judged.verdict, judged.firstBroken]).toEqual(["fail", "run-3"]);
    expect(judged.breakers.map(({ runId, commit }) => [runId, commit])).toEqual([["run-3", heads[2]?.commit]]);
    expect(judged.breakers[0]?.findings).toEqual(
      judged.steps.find(({ name }) => name === "tests")?.findings.map(({ id }) => id),
    );
  });

  it("names the result that can't be merged, and runs nothing then", async () => {
    const { heads, order } = withBranches({
      "run-1": { "price.js": "export const price = () => 2;\n" },
      "run-2": { "price.js": "export const price = () => 3;\n" },
    });
    const judged = await judgeWhole(order({ parts: heads }));
    expect(judged.verdict).toBe("fail");
    expect(stepsOf(judged)).toMatchObject({ merge: "fail", typecheck: "skipped", tests: "skipped" });
    expect(judged.steps[0]?.findings.map(({ code, file }) => [code, file])).toEqual([["conflict", "price.js"]]);
    expect(judged.breakers).toMatchObject([{ runId: "run-2" }]);
  });

  it("[S1-IG-04] [S1-IG-07] [S1-IG-10] fails for a new file that nothing imports until a person accepts it", async () => {
    const { heads, order } = withBranches({ "run-1": { "dead.js": "export const dead = 1;\n" } });
    const judged = await judgeWhole(order({ parts: heads }));
    const [finding] = judged.steps.flatMap(({ findings }) => findings);
    expect([judged.verdict, finding?.code, finding?.file]).toEqual(["fail", "unwired", "dead.js"]);
    const about = { id: "check-1", projectId: "shop", runIds: [], target: "main", base: "", startedAt: "" };
    const waiver = { by: "Ada", reason: "Used by the next release.", at: "2026-01-01T00:00:00.000Z" };
    const waived = withCheckWaiver({ ...about, ...judged, state: "finished" }, finding?.id ?? "", waiver);
    expect(waived.verdict).toBe("pass");
    expect(waived.steps.find(({ name }) => name === "wiring")?.findings).toMatchObject([{ state: "waived", waiver }]);
  });

  it("[S1-IG-10] only points out a new file that nothing imports where that is accepted", async () => {
    const { heads, order } = withBranches({ "run-1": { "dead.js": "export const dead = 1;\n" } });
    const judged = await judgeWhole(order({ head: heads[0]?.commit ?? "" }, { acceptsUnwired: true }));
    expect(judged.verdict).toBe("pass");
    expect(judged.steps.flatMap(({ findings }) => findings)).toMatchObject([{ code: "unwired", blocks: false }]);
  });

  it("[S1-IG-05] names the run whose commit broke a branch that several runs were merged into", async () => {
    const { person, heads, order } = withBranches({
      "run-1": { "price.js": "export const price = () => 2 - 1;\n" },
      "run-2": { "dead.js": "export const dead = 1;\n" },
    });
    for (const { runId } of heads) {
      person.git("checkout", "--quiet", runId);
      person.git("commit", "--quiet", "--amend", "-m", `Work\n\nGuildhall-Run: ${runId}`);
    }
    person.git("merge", "--quiet", "--no-edit", "run-1");
    const head = person.git("rev-parse", "HEAD").trim();
    person.git("checkout", "--quiet", "main");
    const { breakers } = await judgeWhole(order({ head }));
    expect(breakers.map(({ runId }) => runId)).toEqual(["run-2"]);
  });

  it("[S1-IG-07] also lists files that are not committed, in the checkout of the branch that is checked", async () => {
    const { person, order } = withBranches({});
    person.write("loose.js", "export const loose = 1;\n");
    const head = person.git("rev-parse", "main").trim();
    const judged = await judgeWhole(order({ head }));
    const findings = judged.steps.flatMap((step) => step.findings);
    expect(findings.map(({ code, file, blocks }) => [code, file, blocks])).toEqual([["unwired", "loose.js", false]]);
    expect(judged.verdict).toBe("pass");
  });

  it("[S1-IG-02] finds conflicts of a branch with its target, and markers that were left", async () => {
    const marked = "<<<<<<< ours\n=======\n>>>>>>> theirs\n";
    const { person, heads, order } = withBranches(
      { "run-1": { "price.js": "export const price = () => 2;\n", "notes.md": marked } },
      // What the target has already is no fault of the branch.
      { ...BASE, "how-to-merge.md": marked },
    );
    person.write("price.js", "export const price = () => 3;\n");
    person.git("commit", "--quiet", "--all", "-m", "Another price");
    const judged = await judgeWhole(
      order({ head: heads[0]?.commit ?? "" }, { base: person.git("rev-parse", "main").trim() }),
    );
    const step = judged.steps.find(({ name }) => name === "conflicts");
    expect(step?.findings.map(({ file, line }) => [file, line])).toEqual([
      ["price.js", undefined],
      ["notes.md", 1],
      ["notes.md", 3],
    ]);
  });

  it("does not count tests that fail on the target too", async () => {
    const base = { ...BASE, "old.test.js": testOf("old", "price.js", "assert.equal(it.price(), 9)") };
    const { heads, order } = withBranches({ "run-1": { "notes.md": "x\n" } }, base);
    expect((await judgeWhole(order({ parts: heads }))).verdict).toBe("pass");
    const strict = QualityGates.parse({ baselineAwareTests: false });
    expect((await judgeWhole(order({ parts: heads }, { settings: strict }))).verdict).toBe("fail");
    const listed = QualityGates.parse({ baselineAwareTests: false, knownFailingTests: ["old"] });
    expect((await judgeWhole(order({ parts: heads }, { settings: listed }))).verdict).toBe("pass");
  });
});

describe("the steps of the whole", { timeout: 60_000 }, () => {
  const PASS: Checked = { verdict: "pass", kind: "none", evidence: [], errors: [], tests: [] };
  const FAIL: Checked = {
    ...PASS,
    verdict: "fail",
    kind: "test-failures",
    errors: [{ file: "price.js", line: 1, message: "no" }],
  };
  const played = (syntax: () => Promise<Checked>, tests: () => Promise<Checked>): LocalChecks => ({
    ...{ syntax, tests, isTest: (path) => path.includes(".test."), isCheckSetting: () => false },
    ...{ detect: async () => [], toolchain: async () => "" },
  });

  it("[S1-IG-03] run the suite only where the typecheck passes", async () => {
    const { heads, order } = withBranches({ "run-1": { "notes.md": "x\n" } });
    let suites = 0;
    const tests = async () => {
      suites++;
      return PASS;
    };
    const failed = await judgeWhole(order({ parts: heads }, { checks: played(async () => FAIL, tests) }));
    expect([stepsOf(failed).typecheck, stepsOf(failed).tests, failed.verdict, suites]).toEqual([
      "fail",
      "skipped",
      "fail",
      0,
    ]);
    const passed = await judgeWhole(order({ parts: heads }, { checks: played(async () => PASS, tests) }));
    expect([stepsOf(passed).tests, passed.verdict, suites]).toEqual(["pass", "pass", 1]);
  });

  it("name nobody where the search for the part that breaks the whole could not be carried out", async () => {
    const { heads, order } = withBranches({ "run-1": { "a.md": "x\n" }, "run-2": { "b.md": "x\n" } });
    const answers: Checked[] = [
      { ...FAIL, errors: [] },
      { ...PASS, verdict: "unable", kind: "timeout" },
    ];
    const checks = played(
      async () => PASS,
      async () => answers.shift() ?? PASS,
    );
    const judged = await judgeWhole(order({ parts: heads }, { checks }));
    expect([judged.verdict, stepsOf(judged).bisect, judged.firstBroken]).toEqual(["fail", "unable", undefined]);
  });

  it("[S1-IG-02] look for conflicts while the typecheck runs", async () => {
    const { heads, order, trees } = withBranches({ "run-1": { "notes.md": "x\n" } });
    const looked = Promise.withResolvers<void>();
    const search: typeof trees.search = async (tree, pattern) => {
      if (pattern.includes("<<<<")) looked.resolve();
      return trees.search(tree, pattern);
    };
    const watched = new Proxy(trees, {
      get: (target, key) => {
        if (key === "search") return search;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    // The typecheck ends only after the search has begun.
    const checks = played(
      () => looked.promise.then(() => PASS),
      async () => PASS,
    );
    expect((await judgeWhole(order({ parts: heads }, { checks, trees: watched }))).verdict).toBe("pass");
  });

  it("never pass where nothing could be run", async () => {
    const { heads, order } = withBranches({ "run-1": { "notes.md": "x\n" } });
    const skipped = async (): Promise<Checked> => ({ ...PASS, verdict: "skipped" });
    const none = await judgeWhole(order({ parts: heads }, { checks: played(skipped, skipped) }));
    expect([none.verdict, none.reason?.code]).toEqual(["unable", "nothing-ran"]);
    const unable = async (): Promise<Checked> => ({
      ...PASS,
      verdict: "unable",
      reason: { code: "timeout", text: "Late." },
    });
    const late = await judgeWhole(order({ parts: heads }, { checks: played(async () => PASS, unable) }));
    expect([late.verdict, late.reason?.code]).toEqual(["unable", "timeout"]);
  });
});
