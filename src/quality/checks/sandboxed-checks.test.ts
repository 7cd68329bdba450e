import { symlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { PROGRAM_FOLDER } from "../../program.ts";

const NODE = { "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }) };
const ADD = "export const add = (a, b) => a + b;\n";
const testOf = (expected: number) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "./add.js";\ntest("adds", () => assert.equal(add(1, 2), ${expected}));\n`;

describe("node:test", { timeout: 60_000 }, () => {
  it("passes with every test by name, file and line, and is not run a second time [S1-MOD-08]", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ ...NODE, "add.js": ADD, "add.test.js": testOf(3) });
    const order = await orderFor(await treeWith({ "add.js": `${ADD}// comment\n` }));
    const checked = await checks.tests(order);
    expect(checked.verdict, JSON.stringify(checked)).toBe("pass");
    expect(checked.tests).toMatchObject([{ name: "adds", file: "add.test.js", line: 4, status: "passed" }]);
    expect(checked.evidence[0]).toMatchObject({
      exitCode: 0,
      kind: "none",
      cached: false,
      fallback: "node --test can't select the tests that a change affects",
    });
    const again = await checks.tests({ ...order, purpose: "again" });
    expect(again.evidence[0]).toMatchObject({ cached: true, purpose: "again" });
    expect(again.verdict).toBe("pass");
  });

  it("tells an assertion, something missing, and a file that does not load apart", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ ...NODE, "add.js": ADD, "add.test.js": testOf(3) });
    const tree = await treeWith({
      "add.test.js": testOf(4),
      "missing.test.js": `import { gone } from "./gone.js";\n`,
      "unknown.test.js": `import test from "node:test";\ntest("uses", () => nowhere());\n`,
      "broken.test.js": "const = 1;\n",
    });
    const checked = await checks.tests(await orderFor(tree));
    const kinds = Object.fromEntries(checked.tests.map(({ file, failure }) => [file, failure]));
    expect(checked.verdict, JSON.stringify(checked)).toBe("fail");
    expect(kinds, JSON.stringify(checked.tests)).toEqual({
      "add.test.js": "assertion",
      "missing.test.js": "missing",
      "unknown.test.js": "missing",
      "broken.test.js": "other",
    });
  });

  it("runs only the files that are asked for", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      ...NODE,
      "add.js": ADD,
      "add.test.js": testOf(3),
      "other.test.js": testOf(9),
    });
    const order = await orderFor(await treeWith({}), { only: ["add.test.js"] });
    const checked = await checks.tests(order);
    expect(checked.tests.map(({ file }) => file)).toEqual(["add.test.js"]);
    expect(checked.verdict).toBe("pass");
  });

  it("is unable, not passed, where no test runs", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ ...NODE, "add.js": ADD });
    const checked = await checks.tests(await orderFor(await treeWith({ "add.js": "export const add = 1;\n" })));
    expect(checked).toMatchObject({ verdict: "unable", kind: "no-tests" });
    const skipped = `import test from "node:test";\ntest.skip("later", () => {});\n`;
    const later = await checks.tests(await orderFor(await treeWith({ "add.test.js": skipped })));
    expect(later).toMatchObject({ verdict: "unable", reason: { code: "nothing-ran" } });
  });
});

describe("commands and settings", { timeout: 60_000 }, () => {
  const commands = (tests: string, more: object = {}) => ({
    settings: QualityGates.parse({ commands: { tests, ...more } }),
  });

  it("come from the base, whatever the tree under judgement says", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ ...NODE, "add.js": ADD, "add.test.js": testOf(3) });
    const tree = await treeWith({
      "add.js": "export const add = () => 0;\n",
      "package.json": JSON.stringify({ type: "module", scripts: { test: "true" } }),
    });
    expect(await checks.tests(await orderFor(tree))).toMatchObject({ verdict: "fail", kind: "test-failures" });
  });

  it.each([
    ["hangs", "sleep 1000", { timeoutMs: 1_500 }, { verdict: "unable", kind: "timeout", reason: { code: "timeout" } }],
    ["edits the tree", "echo x >> add.js", {}, { verdict: "unable", reason: { code: "tree-changed" } }],
    ["takes a file away", "rm add.js", {}, { verdict: "unable", reason: { code: "tree-changed" } }],
    ["does not exist", "no-such-program --test", {}, { verdict: "unable", kind: "config-error" }],
    ["prints 100 MB", "yes 0123456789012345678901234567890123456789 | head -c 100000000", {}, { verdict: "pass" }],
    ["forks without end", "f() { f | f & }; f; sleep 1000", { timeoutMs: 20_000 }, { verdict: "unable" }],
    ["fails", "echo hun''ter2; exit 3", {}, { verdict: "fail", kind: "test-failures" }],
  ])("that %s has its own verdict", async (_, command, part, expected) => {
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD });
    const tree = await treeWith({ "add.js": "export const add = 1;\n" });
    const checked = await checks.tests(await orderFor(tree, { ...commands(command), ...part }));
    expect(checked, JSON.stringify(checked)).toMatchObject(expected);
    expect(checked.evidence[0]?.output.length).toBeLessThan(70_000);
    expect(JSON.stringify(checked)).not.toContain("hunter2");
  });

  it("says how much of a long output it did not keep", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD });
    const tree = await treeWith({ "add.js": "export const add = 1;\n" });
    const long = await checks.tests(await orderFor(tree, commands("head -c 100000 /dev/zero | tr '\\0' x")));
    expect(long.cut).toEqual([expect.stringMatching(/^The first 34464 bytes of the output of 'head -c 100000/)]);
    expect(await checks.tests(await orderFor(tree, commands("echo short")))).not.toHaveProperty("cut");
  });

  it("come from the base also where the script names them, and a change to them is known", async () => {
    const scripts = { test: "node --test --test-global-setup ./checks/start.js" };
    const { checks, treeWith, orderFor } = checkedRepository({
      ...{ "package.json": JSON.stringify({ type: "module", scripts }), "add.js": ADD, "add.test.js": testOf(3) },
      "checks/start.js": 'export const globalSetup = () => console.error("started as before");\n',
    });
    const tree = await treeWith({ "add.js": `${ADD}1;\n`, "checks/start.js": "process.exit(0);\n" });
    const checked = await checks.tests(await orderFor(tree));
    expect(checked, JSON.stringify(checked)).toMatchObject({ verdict: "pass", tests: [{ name: "adds" }] });
    expect(checks.isCheckSetting("checks/start.js")).toBe(true);
    expect(checks.isCheckSetting("add.js")).toBe(false);
  });

  it("say which files are tests, beside those that every runner takes for some", async () => {
    const scripts = { test: "node --test 'src/*.check.js'" };
    const { checks, trees } = checkedRepository({
      "package.json": JSON.stringify({ scripts }),
      "src/a.check.js": "1;\n",
    });
    expect(checks.isTest("src/a.check.js")).toBe(false);
    await checks.detect((await trees.tree("HEAD")) ?? "", QualityGates.parse({}));
    expect(["src/a.check.js", "src/a.js", "src/a.test.js"].map((path) => checks.isTest(path))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("may touch files without changing them, and write others", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD });
    const tree = await treeWith({ "add.js": "export const add = 1;\n" });
    const order = await orderFor(tree, commands("touch add.js; mkdir out; echo x > out/made"));
    expect(await checks.tests(order)).toMatchObject({ verdict: "pass" });
  });

  it("may report in JUnit XML, TAP or JSON of go, and a link in the place of a report is not followed", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD });
    const tree = await treeWith({ "add.js": "export const add = 1;\n" });
    const junit = `echo '<testsuite><testcase name="a" file="add.js" line="3"><failure type="AssertionError"/></testcase></testsuite>' > r.xml; exit 1`;
    const first = await checks.tests(await orderFor(tree, commands(junit, { report: "r.xml" })));
    expect(first.tests).toMatchObject([{ name: "a", file: "add.js", line: 3, failure: "assertion" }]);
    const tap = await checks.tests(await orderFor(tree, commands("printf 'TAP version 13\\nok 1 - a\\n1..1\\n'")));
    expect(tap).toMatchObject({ verdict: "pass", tests: [{ name: "a", status: "passed" }] });
    const link = await checks.tests(await orderFor(tree, commands("ln -s /etc/passwd r.xml", { report: "r.xml" })));
    expect(link).toMatchObject({ verdict: "unable" });
  });

  it("that report more than anyone can read are not believed", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD });
    const report = (mb: number) =>
      `echo '<testsuite><testcase name="a"/></testsuite>' > r.xml; head -c ${mb}000000 /dev/zero | tr '\\0' ' ' >> r.xml`;
    const tree = await treeWith({ "add.js": "export const add = 1;\n" });
    const verdictOf = async (mb: number) =>
      (await checks.tests(await orderFor(tree, commands(report(mb), { report: "r.xml" })))).verdict;
    expect([await verdictOf(1), await verdictOf(70)]).toEqual(["pass", "unable"]);
  });

  it("reach no network, not even this machine", async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD });
    const connect = `node -e 'require("node:net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(3)).on("error", () => process.exit(4))'`;
    const order = await orderFor(await treeWith({ "add.js": "1;\n" }), commands(connect));
    expect((await checks.tests(order)).evidence[0]).toMatchObject({ exitCode: 4 });
  });

  it("that can't be run are not made up for by others that pass", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      ...{ ...NODE, "add.js": ADD, "add.test.js": testOf(3), "web/a.js": "1;\n" },
      "web/package.json": JSON.stringify({ scripts: { test: "vitest run" } }),
    });
    const both = await treeWith({ "add.js": `${ADD}1;\n`, "web/a.js": "2;\n" });
    const checked = await checks.tests(await orderFor(both));
    expect(checked, JSON.stringify(checked)).toMatchObject({ verdict: "unable", kind: "config-error" });
    expect(checked.tests).toMatchObject([{ name: "adds", status: "passed" }]);
  });

  it("can't be run without a sandbox", async () => {
    const none = { name: "none" as const, detail: "no sandbox works here" };
    const sandbox = { state: () => none, settle: async () => none };
    const { checks, treeWith, orderFor } = checkedRepository({ "add.js": ADD }, { sandbox });
    const order = await orderFor(await treeWith({ "add.js": "1;\n" }), commands("true"));
    expect(await checks.tests(order)).toMatchObject({ verdict: "unable", reason: { code: "no-sandbox" } });
  });
});

describe("syntax", { timeout: 120_000 }, () => {
  it("is parsed where there is no type checker, changed files only", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      "package.json": "{}",
      "old.js": "const = broken\n",
      "a.js": "1;\n",
    });
    const fine = await checks.syntax(
      await orderFor(await treeWith({ "a.js": "export const a = 1;\n", "b.ts": "export const b: number = 1;\n" })),
    );
    expect(fine, JSON.stringify(fine)).toMatchObject({ verdict: "pass" });
    const broken = await checks.syntax(
      await orderFor(await treeWith({ "a.js": "let a = 1;\nconst = 2;\n", "b.ts": "const b: = 1;\n" })),
    );
    expect(broken.verdict, JSON.stringify(broken)).toBe("fail");
    expect(broken.errors.map(({ file, line }) => `${file}:${line}`)).toEqual(["a.js:2", "b.ts:1"]);
  });

  it("is parsed as node would load it", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ "package.json": "{}", "a.js": "1;\n" });
    const fine = await treeWith({
      ...{
        "esm.js": 'import "node:fs";\nawait 1;\n',
        "cjs.js": "return require;\n",
        "run.js": "#!/usr/bin/env node\nreturn;\n",
      },
      ...{
        "strict.mjs": "export {};\n",
        "sloppy.cjs": "with (1) {}\n",
        "lib/package.json": '{"type":"module"}',
        "lib/b.js": "await 1;\n",
      },
    });
    expect(await checks.syntax(await orderFor(fine))).toMatchObject({ verdict: "pass" });
    const broken = await treeWith({
      ...{
        "a.mjs": "with (1) {}\n",
        "b.cjs": "\nexport {};\n",
        "lib/package.json": '{"type":"module"}',
        "lib/c.js": "return 1;\n",
      },
    });
    const { errors } = await checks.syntax(await orderFor(broken));
    expect(errors.map(({ file, line }) => `${file}:${line}`)).toEqual(["a.mjs:1", "b.cjs:2", "lib/c.js:1"]);
  });

  it("is not looked for behind a link, which may lead out of the repository", async () => {
    const { checks, trees, orderFor } = checkedRepository({ "package.json": "{}", "a.js": "1;\n" });
    const object = await trees.blob(Buffer.from("/etc/passwd"));
    const tree = await trees.place("HEAD", [{ path: "passwd.js", entry: { mode: "120000", object } }]);
    expect(await checks.syntax(await orderFor(tree))).toMatchObject({ verdict: "skipped", errors: [] });
  });

  it("is compiled by the project's own TypeScript, with the settings of the base [S1-QG-02]", async () => {
    const config = JSON.stringify({
      compilerOptions: { strict: true, types: [], skipLibCheck: true },
      files: ["a.ts"],
    });
    const { checks, treeWith, orderFor } = checkedRepository(
      { "package.json": "{}", "tsconfig.json": config, "a.ts": "export const a: number = 1;\n" },
      { packages: PROGRAM_FOLDER },
    );
    const tree = await treeWith({ "a.ts": 'export const a: number = "1";\n', "tsconfig.json": '{"files": []}' });
    const checked = await checks.syntax(await orderFor(tree));
    expect(checked, JSON.stringify(checked)).toMatchObject({ verdict: "fail", errors: [{ file: "a.ts", line: 1 }] });
    expect(checked.errors[0]?.message).toContain("TS2322");
    const fine = await checks.syntax(await orderFor(await treeWith({ "a.ts": "export const a: number = 2;\n" })));
    expect(fine, JSON.stringify(fine)).toMatchObject({ verdict: "pass" });
  });

  it("is unable where node_modules is a link, which commands are not lent", async () => {
    const { checks, treeWith, orderFor, person } = checkedRepository({ "tsconfig.json": "{}", "a.ts": "1;\n" });
    symlinkSync(join(PROGRAM_FOLDER, "node_modules"), person.at("node_modules"));
    const checked = await checks.syntax(await orderFor(await treeWith({ "a.ts": "2;\n" })));
    expect(checked).toMatchObject({ kind: "config-error", reason: { text: expect.stringContaining("a link") } });
  });

  it("is unable where the compiler is not installed, and says which is missing", async () => {
    const { checks, treeWith, orderFor, trees } = checkedRepository({ "tsconfig.json": "{}", "a.ts": "1;\n" });
    const checked = await checks.syntax(await orderFor(await treeWith({ "a.ts": "2;\n" })));
    expect(checked).toMatchObject({ verdict: "unable", kind: "config-error" });
    const detected = await checks.detect((await trees.tree("HEAD")) ?? "", QualityGates.parse({}));
    expect(detected[0]).toMatchObject({
      tool: "tsc",
      from: "tsconfig.json",
      missing: expect.stringContaining("not installed"),
    });
  });
});

describe("vitest", { timeout: 120_000 }, () => {
  it("selects what a change affects, and runs everything where it selects nothing [S1-QG-19]", async () => {
    const test = (name: string) =>
      `import { expect, it } from "vitest";\nimport { ${name} } from "./${name}.ts";\nit("${name} works", () => {\n  expect(${name}).toBe(1);\n});\n`;
    const files = Object.fromEntries(
      ["a", "b"].flatMap((name) => [
        [`${name}.ts`, `export const ${name} = 1;\n`],
        [`${name}.test.ts`, test(name)],
      ]),
    );
    const { checks, treeWith, orderFor } = checkedRepository(
      {
        ...files,
        "package.json": JSON.stringify({ devDependencies: { vitest: "*" } }),
        "vitest.config.ts": "export default { test: { watch: false } };\n",
      },
      { packages: PROGRAM_FOLDER },
    );
    const checked = await checks.tests(await orderFor(await treeWith({ "a.ts": "export const a = 2;\n" })));
    expect(checked.verdict, JSON.stringify(checked)).toBe("fail");
    expect(checked.tests).toMatchObject([
      { name: "a works", file: "a.test.ts", line: 4, status: "failed", failure: "assertion" },
    ]);
    expect(checked.evidence[0]).toMatchObject({ scope: "affected" });
    const unused = await checks.tests(await orderFor(await treeWith({ "c.ts": "export const c = 2;\n" })));
    expect(unused, JSON.stringify(unused)).toMatchObject({ verdict: "pass" });
    expect(unused.evidence.at(-1)).toMatchObject({
      scope: "full",
      fallback: "vitest found no test that the change affects",
    });
  });
});
