import { describe, expect, it } from "vitest";
import { MemoryTrees } from "../../../test/fakes/memory-trees.ts";
import { PlayedChecks } from "../../../test/fakes/played-checks.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import type { TestCase } from "../checks/local-checks.ts";
import type { GateSubject } from "../gates/subject.ts";
import { judgeProof } from "./judge-proof.ts";

type Files = Record<string, string>;

const BASE: Files = {
  "src/add.ts": "export const add = (a, b) => a - b;\n",
  "test/helpers/sum.json": "3\n",
  "src/add.test.ts": 'it("adds zero", () => expect(add(1, 0)).toBe(1));\n',
};
const FIX = { "src/add.ts": "export const add = (a, b) => a + b;\n" };
const TEST = { "src/add.test.ts": `${BASE["src/add.test.ts"]}it("adds", () => expect(add(1, 2)).toBe(3));\n` };

/** Every line `it("name", …)` is a test; `fails` says of which kind it is where it fails. */
const runner =
  (fails: (name: string, files: Files) => TestCase["failure"] | undefined) =>
  (files: Files, { only }: { only?: readonly string[] | undefined }): TestCase[] =>
    Object.entries(files)
      .filter(([path]) => path.endsWith(".test.ts") && (only?.includes(path) ?? true))
      .flatMap(([file, text]) =>
        [...text.matchAll(/it(\.skip)?\("([^"]*)"/g)].map(([, skip, name = ""]): TestCase => {
          const failure = skip ? undefined : fails(name, files);
          return {
            id: `${file} ${name}`,
            name,
            file,
            status: skip ? "skipped" : failure ? "failed" : "passed",
            failure,
          };
        }),
      );

/** Addition works where the code has a plus. */
const adding = runner((name, files) =>
  name === "adds" && !files["src/add.ts"]?.includes("+") ? "assertion" : undefined,
);

interface Played {
  before?: Files;
  after: Files;
  type?: TaskType;
  settings?: Partial<QualityGates>;
  play?: ConstructorParameters<typeof PlayedChecks>[1];
  signal?: AbortSignal;
  clock?: () => number;
}

async function judged({
  before = BASE,
  after,
  type = "bug",
  settings = {},
  play = adding,
  signal,
  clock = () => 0,
}: Played) {
  const trees = new MemoryTrees();
  const [baseTree, tree] = [trees.add(before), trees.add(after)];
  const checks = new PlayedChecks(trees, play);
  const subject: GateSubject = {
    ...{ trees, checks, base: baseTree, baseTree, tree, cycle: 1, type },
    changes: await trees.changes(baseTree, tree),
    settings: { ...QualityGates.parse({ proof: "off" }), ...settings },
    signal: signal ?? new AbortController().signal,
  };
  return { outcome: await judgeProof(subject, clock), checks, trees };
}

const verdictOf = async (played: Played) => {
  const { outcome } = await judged(played);
  const { verdict, reason, findings } = outcome;
  return [verdict, reason?.code, ...findings.map(({ code }) => code)].filter((part) => part !== undefined);
};

const failing = (failure: TestCase["failure"]) =>
  runner((name, files) => (name === "adds" && !files["src/add.ts"]?.includes("+") ? failure : undefined));

describe("red before green", () => {
  it.each([
    ["bug", "assertion", ["pass"]],
    ["bug", "missing", ["fail", "not-red-before"]],
    ["bug", "other", ["unable", "red-unclear"]],
    ["bug", undefined, ["fail", "not-red-before"]],
    ["feature", "assertion", ["pass"]],
    ["feature", "missing", ["pass"]],
    ["feature", "other", ["unable", "red-unclear"]],
    ["feature", undefined, ["fail", "not-red-before"]],
    ["other", "missing", ["pass"]],
    ["other", undefined, ["fail", "not-red-before"]],
    ["refactor", undefined, ["pass"]],
    ["test", undefined, ["pass"]],
  ] as const)("[S1-QG-17] a %s whose test fails before by %s is judged as %j", async (type, failure, expected) => {
    expect(await verdictOf({ after: { ...BASE, ...FIX, ...TEST }, type, play: failing(failure) })).toEqual(expected);
  });

  it("[S1-QG-17] runs only the test files and what they need on the code before", async () => {
    const after = { ...BASE, ...FIX, ...TEST, "test/helpers/sum.json": "4\n", "README.md": "new\n" };
    const { outcome, checks, trees } = await judged({ after });
    expect(outcome.verdict).toBe("pass");
    const red = checks.orders.find(({ purpose }) => purpose === "red");
    expect(red?.only).toEqual(["src/add.test.ts"]);
    expect(trees.files(red?.tree ?? "")).toEqual({ ...BASE, ...TEST, "test/helpers/sum.json": "4\n" });
  });

  it.each([
    ["feature", ["fail", "no-tests-added"]],
    ["bug", ["fail", "no-tests-added"]],
    ["other", ["pass", "no-tests-added"]],
    ["refactor", ["pass"]],
  ] as const)("[S1-QG-17] a %s that changes code without a test is judged as %j", async (type, expected) => {
    const after = { ...BASE, "src/add.ts": "export const add = (a, b) => a + b;\n" };
    expect(await verdictOf({ after, type })).toEqual(expected);
  });

  it("does not take formatting and comments of tests for a changed test", async () => {
    const formatted = `// Totals.\n${BASE["src/add.test.ts"]?.replaceAll('"', "'").replace("=> ", "=>\n    ")}`;
    const after = { ...BASE, ...FIX, "src/add.test.ts": formatted };
    expect(await verdictOf({ after, type: "other" })).toEqual(["pass", "no-tests-added"]);
    expect(await verdictOf({ after, type: "bug" })).toEqual(["fail", "no-tests-added"]);
  });

  it("takes a test that failed on the base and passes now for a proof", async () => {
    const before = { ...BASE, ...TEST };
    expect(await verdictOf({ before, after: { ...before, ...FIX } })).toEqual(["pass"]);
  });

  it("does not take a test for a proof that is red after the change too", async () => {
    const play = runner((name) => (name === "adds" ? "assertion" : undefined));
    expect(await verdictOf({ after: { ...BASE, ...FIX, ...TEST }, play })).toEqual(["fail", "not-red-before"]);
  });

  it("is unable where no test of the changed files passes, with the change or without it", async () => {
    const play = runner(() => "missing");
    const { outcome } = await judged({ after: { ...BASE, ...FIX, ...TEST }, play });
    expect([outcome.verdict, outcome.reason?.code]).toEqual(["unable", "nothing-ran"]);
  });

  it("needs no proof of documents, nor with enforceTDD off", async () => {
    expect(await verdictOf({ after: { ...BASE, "README.md": "x\n" } })).toEqual(["pass"]);
    const settings = { enforceTDD: false };
    expect(await verdictOf({ after: { ...BASE, ...FIX }, settings })).toEqual(["pass"]);
  });

  it("is unable where the tests can't be run on the code before, and says why", async () => {
    const reason = { code: "timeout" as const, text: "It took too long." };
    const unable = { verdict: "unable" as const, kind: "timeout" as const, reason };
    const play: Played["play"] = (files, order) => (order.purpose === "red" ? unable : adding(files, order));
    expect(await verdictOf({ after: { ...BASE, ...FIX, ...TEST }, play })).toEqual(["unable", "timeout"]);
  });

  it("is unable where a runner only tells its exit code", async () => {
    const play: Played["play"] = (files) =>
      files["src/add.ts"]?.includes("+") ? [] : { verdict: "fail", kind: "test-failures" };
    expect(await verdictOf({ after: { ...BASE, ...FIX, ...TEST }, play })).toEqual(["unable", "red-unclear"]);
  });

  it("takes tests that do not compile without the change for missing something", async () => {
    const play: Played["play"] = (files) =>
      files["src/add.ts"]?.includes("+")
        ? []
        : { verdict: "fail", kind: "test-failures", errors: [{ message: "undefined: add" }] };
    const after = { ...BASE, ...FIX, ...TEST };
    expect(await verdictOf({ after, play, type: "feature" })).toEqual(["pass"]);
    expect(await verdictOf({ after, play, type: "bug" })).toEqual(["fail", "not-red-before"]);
  });

  it("is unclear where a runner does not say why a test failed", async () => {
    const play: Played["play"] = (files, order) =>
      failing("assertion")(files, order).map((test) => ({ ...test, failure: undefined }));
    expect(await verdictOf({ after: { ...BASE, ...FIX, ...TEST }, play })).toEqual(["unable", "red-unclear"]);
  });

  it("keeps why it is unable beside a finding that blocks: a person may waive that", async () => {
    const after = { ...BASE, ...FIX, ...TEST, "vitest.config.ts": "export default {};" };
    const verdict = await verdictOf({ after, play: failing("other") });
    expect(verdict).toEqual(["fail", "red-unclear", "gate-settings-changed"]);
  });

  it("proves nothing by a command that fails before and after", async () => {
    const play: Played["play"] = () => ({ verdict: "fail", kind: "test-failures", errors: [{ message: "undefined" }] });
    const after = { ...BASE, ...FIX, ...TEST };
    expect(await verdictOf({ after, play, type: "feature" })).toEqual(["fail", "not-red-before"]);
  });

  it("is unable where there is no runner on the base", async () => {
    const reason = { code: "not-detected" as const, text: "No test runner was found." };
    const play: Played["play"] = () => ({ verdict: "skipped", kind: "none", reason });
    expect(await verdictOf({ after: { ...BASE, ...FIX, ...TEST }, play })).toEqual(["unable", "not-detected"]);
  });

  it.each([
    [
      "could not be loaded",
      runner((name, files) => (name === "adds" && files["src/add.ts"]?.includes("-") ? "other" : undefined)),
    ],
    ["still fails", runner((name) => (name === "adds" ? "assertion" : undefined))],
  ])("does not take an old test for a proof that %s", async (_, play) => {
    const before = { ...BASE, ...TEST };
    expect(await verdictOf({ before, after: { ...before, ...FIX }, play })).toEqual(["fail", "no-tests-added"]);
  });

  it("takes nothing back where the verdict is clear without it", async () => {
    const { checks } = await judged({
      after: { ...BASE, ...FIX, ...TEST },
      play: failing(undefined),
      settings: { proof: "advise" },
    });
    expect(checks.orders.map(({ purpose }) => purpose)).not.toContain("reversal");
  });

  it("puts tests that stand in the code of Rust on the code before", async () => {
    const file = (code: string, tests: string) =>
      `${code}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn ${tests}() {\n        assert_eq!(1, 1 + zero());\n    }\n}\n`;
    const before = { "src/lib.rs": file("fn add() { 1 - 2 }", "zero") };
    const after = { "src/lib.rs": file("fn add() { 1 + 2 }", "adds") };
    const play: Played["play"] = (files) => {
      const text = files["src/lib.rs"] ?? "";
      const isRed = text.includes("fn adds") && text.includes("1 - 2");
      return [
        { id: "adds", name: "adds", status: isRed ? "failed" : "passed", failure: isRed ? "assertion" : undefined },
      ];
    };
    const { outcome, checks } = await judged({ before, after, play });
    expect(outcome.verdict).toBe("pass");
    // Such tests have no file that could be named.
    expect(checks.orders.find(({ purpose }) => purpose === "red")).toMatchObject({ scope: "full", only: undefined });
    const vacuous = { "src/lib.rs": file("fn add() { 1 + 2 }", "nothing") };
    expect((await verdictOf({ before, after: vacuous, play })).slice(0, 2)).toEqual(["fail", "not-red-before"]);
  });
});

describe("tests that vanish without a trace in their text", () => {
  const settings = { enforceTDD: false };

  it("are those of a table that got shorter, and not those with a new name", async () => {
    const names = (...all: string[]) => all.map((name) => `// ${name}\n`).join("");
    const play: Played["play"] = (files) =>
      [...(files["src/add.test.ts"] ?? "").matchAll(/\/\/ (\w+)/g)].map(([, name = ""]) => ({
        ...{ id: name, name, file: "src/add.test.ts", status: "passed" as const },
      }));
    const change = (after: string) =>
      judged({
        before: { "src/add.test.ts": names("one", "two") },
        after: { "src/add.test.ts": after },
        settings,
        play,
      });
    const shorter = (await change(names("one"))).outcome.findings;
    expect(shorter.map(({ code, message }) => [code, message.includes("'two'")])).toEqual([["test-deleted", true]]);
    expect((await change(names("one", "three"))).outcome.findings).toEqual([]);
  });

  it("are found by what the runner reports", async () => {
    const before = { ...BASE, ...TEST };
    const skipping: Played["play"] = (files, order) =>
      adding(files, order).map((test) =>
        test.name === "adds" && files["src/add.test.ts"]?.includes("flag") ? { ...test, status: "skipped" } : test,
      );
    const after = { ...before, ...FIX, "src/add.test.ts": `const flag = 1;\n${before["src/add.test.ts"]}` };
    const { outcome } = await judged({ before, after, settings, play: skipping });
    expect(outcome.findings.map(({ code, file }) => [code, file])).toEqual([["test-skipped", "src/add.test.ts"]]);
    expect(outcome.verdict).toBe("fail");
  });

  it("are not those that were moved to another file", async () => {
    const before = { ...BASE, "src/add.test.ts": `${TEST["src/add.test.ts"]}it("more", () => {});\n` };
    const after = { ...before, ...FIX, ...TEST, "src/more.test.ts": 'it("more", () => {});\n' };
    expect(await verdictOf({ before, after, settings })).toEqual(["pass"]);
    const fewer = { ...before, ...FIX, ...TEST, "src/more.test.ts": 'it("other", () => {});\n' };
    expect(await verdictOf({ before, after: fewer, settings })).toEqual(["fail", "test-deleted"]);
  });

  it("are found where another file of the change turns them off", async () => {
    const before = {
      ...BASE,
      ...FIX,
      ...TEST,
      "src/setup.ts": "start();\n",
      "src/old.test.ts": 'it.skip("old", f);\n',
    };
    const skipping: Played["play"] = (files, order) =>
      adding(files, order).map((test) =>
        test.name === "adds" && files["src/setup.ts"]?.includes("skip") ? { ...test, status: "skipped" } : test,
      );
    const judge = (setup: string) =>
      judged({ before, after: { ...before, "src/setup.ts": setup }, type: "refactor", play: skipping });
    const { outcome } = await judge("skip();\n");
    expect(outcome.findings.map(({ code, file }) => [code, file])).toEqual([["test-skipped", "src/add.test.ts"]]);
    expect((await judge("begin();\n")).outcome.findings).toEqual([]);
  });

  it("are found in Rust, where no report names a file, and not if they never ran", async () => {
    const lib = (code: string, mark = "") =>
      `${code}\n#[cfg(test)]\nmod tests {\n    #[test]\n    ${mark}fn adds() {\n        assert_eq!(add(), 3);\n    }\n    #[test]\n    fn zero() {\n        assert_eq!(add(), 0 + 3);\n    }\n}\n`;
    const play: Played["play"] = (files) =>
      ["adds", "zero"]
        .filter((name) => name === "zero" || !files["src/lib.rs"]?.includes("cfg(x)"))
        .map((name) => ({ id: name, name: `src/lib.rs tests::${name}`, status: "passed" }));
    const judge = (before: string, after: string) =>
      judged({ before: { "src/lib.rs": before }, after: { "src/lib.rs": after }, type: "refactor", play });
    const { outcome } = await judge(lib("a"), lib("b", "#[cfg(x)] "));
    expect(outcome.findings.map(({ code, file, line }) => [code, file, line])).toEqual([
      ["test-deleted", "src/lib.rs", 4],
    ]);
    expect((await judge(lib("a", "#[cfg(x)] "), lib("b", "#[cfg(x)] "))).outcome.findings).toEqual([]);
  });

  it("are not looked for with testScope none [S1-QG-19]", async () => {
    const { checks } = await judged({ after: { ...BASE, ...FIX, ...TEST }, settings: { testScope: "none" } });
    expect(checks.orders).toEqual([]);
  });

  it("are found where hooks of pytest leave tests out of files that did not change", async () => {
    const before = { "app/test_a.py": "a", "app/test_b.py": "b", "other/test_c.py": "c" };
    const hooked: Played["play"] = (files, { only }) =>
      Object.keys(files)
        .filter((path) => path.includes("test_") && (only?.includes(path) ?? true))
        .filter((path) => !files["app/conftest.py"]?.includes(path))
        .map((file): TestCase => ({ id: file, name: file.slice(4), file, status: "passed" }));
    const judge = (hooks: string) =>
      judged({ before, after: { ...before, "app/conftest.py": hooks }, type: "other", play: hooked });
    const { outcome } = await judge("app/test_b.py");
    expect(outcome.findings.map(({ code, file }) => [code, file])).toEqual([["test-deleted", "app/test_b.py"]]);
    expect(outcome.verdict).toBe("fail");
    expect((await judge("fixtures")).outcome.findings).toEqual([]);
  });
});

describe("changed gate settings", () => {
  it("are none in a repository that has no commit yet", async () => {
    const after = { "package.json": '{"scripts":{"test":"vitest"}}', "vitest.config.ts": "export default {};" };
    const { outcome } = await judged({ before: {}, after });
    expect(outcome.findings).toEqual([]);
  });

  it("are found where the file was moved away", async () => {
    const { outcome } = await judged({ before: { a: "", "vitest.config.ts": "x" }, after: { a: "", "off.txt": "x" } });
    expect(outcome.findings.map(({ code, file }) => [code, file])).toEqual([["gate-settings-changed", "off.txt"]]);
  });

  const manifest = (value: object) => `${JSON.stringify(value)}\n`;
  it.each([
    ["tsconfig.json", "{}", '{"strict":false}', true],
    ["vitest.config.ts", undefined, "export default {};", true],
    ["pytest.ini", "[pytest]", undefined, true],
    ["package.json", manifest({ scripts: { test: "vitest" } }), manifest({ scripts: { test: "true" } }), true],
    ["web/package.json", manifest({ jest: {} }), manifest({ jest: { testMatch: [] } }), true],
    ["package.json", manifest({ dependencies: {} }), manifest({ dependencies: { zod: "4" }, version: "2" }), false],
    ["package.json", manifest({ scripts: { a: "1" } }), `{\n  "scripts": { "a": "1" }\n}\n`, false],
    ["pyproject.toml", "[tool.pytest.ini_options]\na = 1", "[tool.pytest.ini_options]\na = 2", true],
    ["pyproject.toml", '[project]\nversion = "1"', '[project]\nversion = "2"', false],
    ["src/index.md", "a", "b", false],
  ])("[S1-QG-17] of %s from %j to %j: %s", async (path, before, after, isFound) => {
    const files = (text: string | undefined) => (text === undefined ? {} : { [path]: text });
    const { outcome } = await judged({ before: { a: "", ...files(before) }, after: { a: "", ...files(after) } });
    expect(outcome.findings.map(({ code, severity, blocks, file }) => [code, severity, blocks, file])).toEqual(
      isFound ? [["gate-settings-changed", "high", true, path]] : [],
    );
  });
});

describe("the reversal proof", () => {
  const body = (first: string, last: string) => `${first}\n${"// same\n".repeat(20)}${last}\n`;
  const before = { ...BASE, "src/add.ts": body("export const add = (a, b) => a - b;", "export const log = 1;") };
  const after = {
    ...before,
    ...TEST,
    "src/add.ts": body("export const add = (a, b) => a + b;", "export const log = 2;"),
  };
  const run = (proof: QualityGates["proof"], more: Partial<Played> = {}) =>
    judged({ before, after, settings: { proof }, ...more });

  it("lists a part that no test misses, and fails because of it only when strict", async () => {
    const { outcome } = await run("advise");
    expect(outcome.verdict).toBe("pass");
    expect(
      outcome.findings.map(({ code, severity, file, line, blocks }) => ({ code, severity, file, line, blocks })),
    ).toEqual([{ code: "unproven", severity: "low", file: "src/add.ts", line: 22, blocks: false }]);
    expect(outcome.evidence.at(-1)).toMatchObject({
      type: "note",
      text: expect.stringContaining("2 of 2 changed parts"),
    });
    expect(outcome.score).toBe(95);
    const strict = (await run("strict")).outcome;
    expect([strict.verdict, strict.findings[0]?.severity]).toEqual(["fail", "high"]);
    expect((await run("off")).outcome.findings).toEqual([]);
  });

  it("is no proof where only tests fail that fail with the part too", async () => {
    const play = runner((name, files) =>
      name === "old" || (name === "adds" && !files["src/add.ts"]?.includes("+")) ? "assertion" : undefined,
    );
    const old = { "src/old.test.ts": 'it("old", () => {});\n' };
    const { outcome } = await run("advise", { before: { ...before, ...old }, after: { ...after, ...old }, play });
    expect(outcome.findings.map(({ code, line }) => [code, line])).toEqual([["unproven", 22]]);
  });

  it("takes back one part at a time", async () => {
    const { checks, trees } = await run("advise");
    const tried = checks.orders
      .filter(({ purpose }) => purpose === "reversal")
      .map(({ tree }) => trees.files(tree)["src/add.ts"]);
    expect(tried.toSorted()).toEqual(
      [
        body("export const add = (a, b) => a - b;", "export const log = 2;"),
        body("export const add = (a, b) => a + b;", "export const log = 1;"),
      ].toSorted(),
    );
  });

  it("tries at most 20 parts, the same ones each time, and says of how many", async () => {
    const many = (count: number, value: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`src/part-${at}.ts`, `export const v = ${value};\n`]),
      );
    const played = { before: { ...BASE, ...many(30, 1) }, after: { ...BASE, ...FIX, ...TEST, ...many(30, 2) } };
    const [first, second] = [
      await judged({ ...played, settings: { proof: "advise" } }),
      await judged({ ...played, settings: { proof: "advise" } }),
    ];
    const treesOf = ({ checks }: typeof first) =>
      checks.orders.filter(({ purpose }) => purpose === "reversal").map(({ tree }) => tree);
    expect(treesOf(first)).toHaveLength(20);
    expect(treesOf(second)).toEqual(treesOf(first));
    expect(JSON.stringify(first.outcome.evidence)).toContain("20 of 31 changed parts");
    expect(first.outcome.cut).toEqual(["Reversal proof: 11 of 31 changed parts were not tried."]);
  });

  it("begins no part after ten minutes, or after the time limit of the tests", async () => {
    const tried = async (seconds: number, timeoutSeconds = QualityGates.parse({}).timeoutSeconds) => {
      let now = 0;
      const clock = () => {
        now += seconds * 1_000;
        return now;
      };
      const { checks } = await run("advise", { clock, settings: { proof: "advise", timeoutSeconds } });
      return checks.orders.filter(({ purpose }) => purpose === "reversal").length;
    };
    expect(await tried(599)).toBe(2);
    expect(await tried(600)).toBe(1);
    expect(await tried(60, { syntax: 1, tests: 60, suite: 1 })).toBe(1);
  });

  it("takes back no tests of Rust, which nothing could miss", async () => {
    const lib = (code: string, test: string) =>
      `fn add() { ${code} }\n${"// same\n".repeat(10)}#[cfg(test)]\nmod tests {\n    ${test}\n}\n`;
    const { checks } = await judged({
      before: { "src/lib.rs": lib("1 - 2", "") },
      after: { "src/lib.rs": lib("1 + 2", "#[test] fn adds() { assert_eq!(add(), 3); }") },
      type: "refactor",
      settings: { proof: "advise" },
      play: () => [{ id: "adds", name: "adds", status: "passed" }],
    });
    expect(checks.orders.filter(({ purpose }) => purpose === "reversal")).toHaveLength(1);
  });

  it("keeps the tests of Rust when the changed place reaches into them", async () => {
    const lib = (code: string, test: string) =>
      `fn add() { ${code} }\n#[cfg(test)]\nmod tests {\n    #[test] fn adds() { ${test} }\n}\n`;
    const { outcome } = await judged({
      before: { "src/lib.rs": lib("1 - 2", "assert_eq!(add(), -1);") },
      after: { "src/lib.rs": lib("1 + 2", "assert_eq!(add(), 3);") },
      settings: { proof: "strict" },
      play: (files) => {
        const text = files["src/lib.rs"] ?? "";
        const isRed = text.includes("1 - 2") === text.includes("add(), 3");
        return [
          { id: "adds", name: "adds", status: isRed ? "failed" : "passed", failure: isRed ? "assertion" : undefined },
        ];
      },
    });
    expect([outcome.verdict, outcome.findings.map(({ code }) => code)]).toEqual(["pass", []]);
  });

  it("leaves out comments and imports, and stops when it is told to", async () => {
    const comments = { ...before, ...TEST, "src/add.ts": `// why\nimport "./x.ts";\n${before["src/add.ts"]}` };
    const { checks } = await run("advise", { after: comments, type: "refactor" });
    expect(checks.orders.filter(({ purpose }) => purpose === "reversal")).toEqual([]);
    const controller = new AbortController();
    const play: Played["play"] = (files, order) => {
      if (order.purpose === "reversal") controller.abort();
      return adding(files, order);
    };
    const stopped = await run("advise", { play, signal: controller.signal });
    expect(stopped.checks.orders.filter(({ purpose }) => purpose === "reversal")).toHaveLength(1);
  });
});
