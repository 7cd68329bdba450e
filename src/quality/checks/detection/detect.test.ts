import { describe, expect, it } from "vitest";
import { QualityGates } from "../../../contract/documents/quality/quality-gates.ts";
import type { TreeChange } from "../../trees/tree-source.ts";
import { chosenPlans } from "../plan-choice.ts";
import { detectPlans } from "./detect.ts";
import type { Installed, Selection } from "./plan.ts";

const everything: Installed = {
  home: "/home/pat",
  program: (name) => `/usr/bin/${name}`,
  nodeProgram: (_, name) => ({ path: `./node_modules/.bin/${name}`, witnesses: [] }),
  python: () => ({ path: "python3", witnesses: [] }),
  hasPythonModule: async () => true,
};
const nothing: Installed = {
  ...everything,
  program: () => undefined,
  nodeProgram: () => undefined,
  python: () => undefined,
  hasPythonModule: async () => false,
};

const plansOf = (files: Record<string, string>, settings: object = {}, installed = everything) =>
  detectPlans(
    { paths: new Set(Object.keys(files)), text: async (path) => files[path] },
    installed,
    QualityGates.parse(settings),
  );
const namesOf = (plans: Awaited<ReturnType<typeof plansOf>>) =>
  plans.map(({ check, tool, folder }) => `${check} ${tool}${folder === "" ? "" : ` in ${folder}`}`);

const manifest = (value: object) => ({ "package.json": JSON.stringify(value) });

describe("what is detected", () => {
  it.each([
    ["vitest as a dependency", manifest({ devDependencies: { vitest: "1" } }), ["syntax parser", "tests vitest"]],
    ["vitest by its settings", { ...manifest({}), "vitest.config.ts": "" }, ["syntax parser", "tests vitest"]],
    ["jest in package.json", manifest({ jest: {} }), ["syntax parser", "tests jest"]],
    [
      "mocha by its script, whatever else is installed",
      manifest({ scripts: { test: "mocha test/" }, devDependencies: { jest: "1" } }),
      ["syntax parser", "tests mocha"],
    ],
    ["node:test by its script", manifest({ scripts: { test: "node --test" } }), ["syntax parser", "tests node --test"]],
    ["another script", manifest({ scripts: { test: "./check.sh" } }), ["syntax parser", "tests npm test"]],
    [
      "the script of npm init",
      manifest({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
      ["syntax parser"],
    ],
    ["a script that only prints", manifest({ scripts: { test: "echo none; exit 0" } }), ["syntax parser"]],
    [
      "a script that prints and runs",
      manifest({ scripts: { test: "echo $(make)" } }),
      ["syntax parser", "tests npm test"],
    ],
    [
      "files and scripts with names of JavaScript itself",
      { ...manifest({ scripts: { test: "./check.sh constructor toString" } }), constructor: "", "a/toString": "" },
      ["syntax parser", "tests npm test"],
    ],
    ["TypeScript", { ...manifest({}), "tsconfig.json": "{}" }, ["syntax tsc", "syntax parser"]],
    ["pytest", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["syntax parser", "tests pytest"]],
    [
      "pytest by how tests are written",
      { "setup.py": "", "test_a.py": "def test_a(): pass" },
      ["syntax parser", "tests pytest"],
    ],
    ["unittest", { "test_a.py": "import unittest\n" }, ["syntax parser", "tests unittest"]],
    ["mypy", { "pyproject.toml": "[tool.mypy]\nstrict = true\n" }, ["syntax mypy"]],
    ["pyright", { "pyrightconfig.json": "{}", "a.py": "" }, ["syntax pyright"]],
    ["Go", { "go.mod": "module x\n", "a_test.go": "" }, ["syntax go vet", "tests go test"]],
    ["Go without tests", { "go.mod": "module x\n", "a.go": "" }, ["syntax go vet"]],
    ["a Cargo workspace once", { "Cargo.toml": "", "core/Cargo.toml": "" }, ["syntax cargo check", "tests cargo test"]],
    ["sources without a manifest", { "a.js": "" }, ["syntax parser"]],
    ["nothing", { "README.md": "" }, []],
    ["nothing in what others wrote", { "node_modules/x/package.json": "{}", "vendor/y/go.mod": "" }, []],
  ])("is %s", async (_, files, expected) => {
    expect(namesOf(await plansOf(files as unknown as Record<string, string>))).toEqual(expected);
  });

  it.each([
    ["vitest run", "'./node_modules/.bin/vitest' run "],
    ["npx vitest", "'./node_modules/.bin/vitest' run "],
    ["node tools/run.js node_modules/vitest/vitest.mjs run", "node tools/run.js node_modules/vitest/vitest.mjs run "],
    [
      'cross-env A="1 2" NODE_OPTIONS=--experimental-vm-modules jest',
      `A="1 2" NODE_OPTIONS=--experimental-vm-modules './node_modules/.bin/jest' `,
    ],
    ["node --expose-gc node_modules/jest/bin/jest.js -i", "node --expose-gc node_modules/jest/bin/jest.js --ci "],
    [
      "node prepare.js && vitest run",
      `export PATH="$PWD/node_modules/.bin:$PATH"; node prepare.js && './node_modules/.bin/vitest' run `,
    ],
  ])("starts a runner as the script '%s' does", async (script, expected) => {
    const plans = await plansOf(manifest({ scripts: { test: script } }));
    const selection: Selection = { changed: [], scope: "full", only: undefined, report: "r", reporter: (name) => name };
    const { command = "" } = plans.find(({ check }) => check === "tests")?.build(selection) ?? {};
    expect(command.slice(0, expected.length)).toBe(expected);
  });

  it("says what is missing, and is not left out", async () => {
    const files = {
      "tsconfig.json": "{}",
      ...manifest({ devDependencies: { vitest: "1" } }),
      "go.mod": "module x",
      "Cargo.toml": "",
      "pytest.ini": "",
      "test_a.py": "",
    };
    const plans = await plansOf(files, {}, nothing);
    const missing = plans.filter((plan) => plan.missing !== undefined).map(({ tool }) => tool);
    expect(missing).toEqual(["tsc", "vitest", "go vet", "cargo check", "cargo test", "parser", "pytest"]);
  });

  it("is what the settings name, in the place of what was found", async () => {
    const plans = await plansOf(
      { ...manifest({ jest: {} }), "tsconfig.json": "{}" },
      { commands: { tests: "make test", syntax: "make lint" } },
    );
    expect(namesOf(plans)).toEqual(["syntax command", "tests command"]);
    expect(plans.map(({ from }) => from)).toEqual(["commands.syntax", "commands.tests"]);
  });
});

describe("in a monorepo", () => {
  const FILES = {
    ...manifest({ devDependencies: { vitest: "1" } }),
    "packages/api/package.json": JSON.stringify({ devDependencies: { vitest: "1" } }),
    "packages/web/package.json": "{}",
    "tools/go.mod": "module tools",
    "tools/a_test.go": "",
  };
  const change = (path: string): TreeChange => ({
    path,
    status: "modified",
    additions: 1,
    deletions: 1,
    binary: false,
  });
  const chosen = async (
    paths: string[],
    scope: "affected" | "full" = "affected",
    files: Record<string, string> = FILES,
    check: "syntax" | "tests" = "tests",
  ) => namesOf(chosenPlans(await plansOf(files), { check, changes: paths.map(change), scope }));

  it("the innermost package with a check for a changed file is checked", async () => {
    expect(await chosen(["packages/api/src/a.ts"])).toEqual(["tests vitest in packages/api"]);
    expect(await chosen(["packages/web/src/a.ts"])).toEqual(["tests vitest"]);
    expect(await chosen(["tools/a.go", "packages/api/b.ts"])).toEqual([
      "tests go test in tools",
      "tests vitest in packages/api",
    ]);
    expect(await chosen(["README.md"])).toEqual(["tests vitest"]);
    expect(await chosen(["packages/api/yarn.lock"])).toEqual(["tests vitest in packages/api"]);
  });

  it("what tests may read beside code has them run as well, and documents have not", async () => {
    expect(await chosen(["tools/rates.yaml"])).toEqual(["tests go test in tools"]);
    expect(await chosen(["packages/api/q.sql", "README.md"])).toEqual(["tests vitest in packages/api"]);
    expect(await chosen(["tools/a.go", "docs/b.png"])).toEqual(["tests go test in tools"]);
  });

  it("packages of a workspace that use a changed one are checked with it, also in a roundabout way", async () => {
    const own = (name: string, uses: string[] = []) =>
      JSON.stringify({
        name,
        scripts: { test: "vitest" },
        dependencies: Object.fromEntries(uses.map((one) => [one, "*"])),
      });
    const workspace = {
      "package.json": JSON.stringify({ workspaces: ["packages/*"] }),
      "packages/a/package.json": own("@x/a"),
      "packages/b/package.json": own("@x/b", ["@x/a"]),
      "packages/b/tsconfig.json": "{}",
      "packages/c/package.json": own("c", ["@x/b"]),
      "packages/d/package.json": own("d", ["vite"]),
    };
    expect(await chosen(["packages/a/x.ts"], "affected", workspace)).toEqual([
      "tests vitest in packages/a",
      "tests vitest in packages/b",
      "tests vitest in packages/c",
    ]);
    expect(await chosen(["packages/a/x.ts"], "affected", workspace, "syntax")).toContain("syntax tsc in packages/b");
    expect(await chosen(["packages/c/x.ts"], "affected", workspace)).toEqual(["tests vitest in packages/c"]);
    expect(await chosen(["packages/a/README.md"], "affected", workspace)).toEqual(["tests vitest in packages/a"]);
    expect(await chosen(["packages/a/README.md"], "affected", workspace, "syntax")).toEqual([]);
  });

  it("modules of Go that use a changed one are checked with it", async () => {
    const modules = {
      ...{ "a/go.mod": "module x.io/a\n", "a/a_test.go": "", "b/b_test.go": "" },
      "b/go.mod": "module x.io/b\n\nrequire x.io/a v0.0.0\n\nreplace x.io/a => ../a\n",
    };
    expect(await chosen(["a/a.go"], "affected", modules)).toEqual(["tests go test in a", "tests go test in b"]);
    expect(await chosen(["b/b.go"], "affected", modules)).toEqual(["tests go test in b"]);
  });

  it("the whole suite is every runner once", async () => {
    expect(await chosen(["README.md"], "full")).toEqual(["tests vitest", "tests go test in tools"]);
  });
});

describe("a command", () => {
  const selection = (part: Partial<Selection>): Selection => ({
    changed: ["src/a.ts", "README.md"],
    scope: "affected",
    report: "/r/report",
    reporter: (name) => `/r/${name}`,
    ...part,
  });
  const built = async (files: Record<string, string>, part: Partial<Selection> = {}, settings = {}) => {
    const plans = await plansOf(files, settings);
    return plans.find(({ check }) => check === "tests")?.build(selection(part));
  };

  it("selects by the runner's own means, and says where it has none", async () => {
    const vitest = manifest({ devDependencies: { vitest: "1" } });
    expect(await built(vitest)).toMatchObject({
      scope: "affected",
      command: expect.stringContaining("related 'src/a.ts' --run"),
    });
    expect(await built(vitest, { scope: "full" })).toMatchObject({
      scope: "full",
      command: expect.stringContaining("vitest' run --reporter=json"),
    });
    expect(await built(vitest, { only: ["a b.test.ts", "-x.test.ts"] })).toMatchObject({
      command: expect.stringContaining("run 'a b.test.ts' './-x.test.ts'"),
    });
    expect(await built(manifest({ jest: {} }))).toMatchObject({
      command: expect.stringContaining("--findRelatedTests 'src/a.ts'"),
    });
    expect(await built(vitest, { changed: ["src/a.ts", "src/rates.json"] })).toMatchObject({
      scope: "full",
      fallback: "Tests may read src/rates.json without importing it.",
    });
    expect(await built(vitest, { removed: "src/old.ts" })).toMatchObject({
      scope: "full",
      fallback: "Tests may have used src/old.ts, which was removed.",
    });
    expect(await built(vitest, { removed: "src/old.ts", isRough: true })).toMatchObject({ scope: "affected" });
    expect(await built({ "go.mod": "module x", "a_test.go": "" })).toMatchObject({
      scope: "full",
      fallback: "go test can't select the tests that a change affects",
    });
  });

  it("of the project has the changed files in the place of {files}, each as one word", async () => {
    const commands = { tests: "make test", affected: "run-tests {files}" };
    expect(await built({}, { changed: ["a.py", "it's; rm -rf ~"] }, { commands })).toEqual({
      command: `run-tests 'a.py' 'it'\\''s; rm -rf ~'`,
      scope: "affected",
    });
    expect(await built({}, { scope: "full" }, { commands })).toEqual({ command: "make test", scope: "full" });
  });

  it("is decided by files that it names, and by those that settings take in", async () => {
    const settingsOf = async (files: Record<string, string>, settings = {}) =>
      (await plansOf(files, settings)).flatMap((plan) => plan.settings ?? []);
    const commands = { syntax: "sh lint.sh", tests: "make test" };
    const files = { Makefile: "", "lint.sh": "", "a.txt": "" };
    expect(await settingsOf(files, { commands })).toEqual(["lint.sh", "Makefile"]);
    const script = { ...manifest({ scripts: { test: "sh run.sh" } }), "run.sh": "" };
    expect(await settingsOf(script)).toContain("run.sh");
    const taken = { ...manifest({}), "vitest.config.ts": 'import "./shared.ts";', "shared.ts": "" };
    expect(await settingsOf(taken)).toContain("shared.ts");
    const named = { ...manifest({ jest: { setupFiles: ["./loaded.js"] } }), "loaded.js": "" };
    expect(await settingsOf(named)).toContain("loaded.js");
  });

  it("of node --test runs only the files that are asked for", async () => {
    const files = manifest({ scripts: { test: "node --import tsx --test --test-concurrency=1 test/*.js" } });
    expect((await built(files, { only: ["test/a.js"] }))?.command).toMatch(
      /node --test --test-reporter=\S+ --test-reporter-destination=\S+ --import tsx --test-concurrency=1 'test\/a.js'$/,
    );
  });
});
