import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import { judgeProof } from "../proof/judge-proof.ts";

const works = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
const hasPytest = works("python3", "-c", "import pytest");
const hasPython = works("python3", "--version");
const hasCargo = works("cargo", "--version");
const CASE = (name: string) =>
  `import unittest\n\nclass ${name}(unittest.TestCase):\n    def test_it(self):\n        self.assertTrue(1)\n`;
const hasGo = works("go", "version");

describe.skipIf(!hasPytest)("pytest, which is installed here", { timeout: 120_000 }, () => {
  it("tells passed, failed, skipped, broken and missing apart", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      "pytest.ini": "[pytest]\n",
      "calc.py": "def add(a, b):\n    return a + b\n",
      "test_calc.py": "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    });
    const tree = await treeWith({
      "calc.py": "def add(a, b):\n    return a - b\n",
      "test_more.py":
        "import pytest\n\n@pytest.mark.skip\ndef test_later():\n    pass\n\n@pytest.fixture\ndef broken():\n    raise RuntimeError('no')\n\ndef test_fixture(broken):\n    pass\n",
      "test_missing.py": "from calc import subtract\n\ndef test_subtract():\n    assert subtract(2, 1) == 1\n",
    });
    const checked = await checks.tests(await orderFor(tree));
    expect(checked.verdict, JSON.stringify(checked)).toBe("fail");
    const found = Object.fromEntries(
      checked.tests.map(({ name, file, status, failure }) => [name, [file, status, failure]]),
    );
    expect(found).toMatchObject({
      "test_calc test_add": ["test_calc.py", "failed", "assertion"],
      "test_more test_later": ["test_more.py", "skipped", undefined],
      "test_more test_fixture": ["test_more.py", "failed", "other"],
    });
    expect(checked.tests.find(({ failure }) => failure === "missing")?.name).toContain("test_missing");
    const only = await checks.tests(await orderFor(tree, { only: ["test_calc.py"] }));
    expect(only.tests.map(({ file, line }) => [file, line])).toEqual([["test_calc.py", 3]]);
  });

  it("is itself, and set as before, whatever the change brings with its name", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      "requirements.txt": "pytest\n",
      "calc.py": "def add(a, b):\n    return a + b\n",
      "test_calc.py": "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
      "test_other.py": "def test_other():\n    pass\n",
    });
    const tree = await treeWith({
      "calc.py": "def add(a, b):\n    return a - b\n",
      "pytest.py": "import os\nos._exit(0)\n",
      "pytest.toml": '[pytest]\naddopts = ["--ignore", "test_calc.py"]\n',
    });
    const checked = await checks.tests(await orderFor(tree));
    expect(checked.verdict, JSON.stringify(checked)).toBe("fail");
    expect(checked.tests.map(({ name, status }) => [name, status])).toEqual([
      ["test_calc test_add", "failed"],
      ["test_other test_other", "passed"],
    ]);
  });

  it("is unable where it finds no tests", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({ "pytest.ini": "[pytest]\n", "calc.py": "x = 1\n" });
    const checked = await checks.tests(await orderFor(await treeWith({ "calc.py": "x = 2\n" })));
    expect(checked, JSON.stringify(checked)).toMatchObject({ verdict: "unable", kind: "no-tests" });
  });
});

describe.skipIf(!hasPython)(
  "unittest and the parser, with the Python that is installed here",
  { timeout: 120_000 },
  () => {
    it("tells passed, failed, skipped and missing apart", async () => {
      const { checks, treeWith, orderFor } = checkedRepository({
        "calc.py": "def add(a, b):\n    return a + b\n",
        "tests/test_calc.py":
          "import unittest\nfrom calc import add\n\nclass Calc(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n    @unittest.skip('later')\n    def test_later(self):\n        pass\n",
      });
      const fine = await checks.tests(
        await orderFor(await treeWith({ "calc.py": "def add(a, b):\n    return b + a\n" })),
      );
      expect(fine, JSON.stringify(fine)).toMatchObject({ verdict: "pass" });
      expect(fine.tests.map(({ file, status }) => [file, status]).toSorted()).toEqual([
        ["tests/test_calc.py", "passed"],
        ["tests/test_calc.py", "skipped"],
      ]);
      const tree = await treeWith({
        "calc.py": "def add(a, b):\n    return a - b\n",
        "tests/test_gone.py": "import unittest\nfrom calc import gone\n",
      });
      const checked = await checks.tests(await orderFor(tree));
      expect(checked.verdict, JSON.stringify(checked)).toBe("fail");
      expect(
        checked.tests
          .filter(({ status }) => status === "failed")
          .map(({ failure }) => failure)
          .toSorted(),
      ).toEqual(["assertion", "missing"]);
    });

    it("misses tests of a folder that discovery no longer looks into", async () => {
      const { treeWith, subjectFor } = checkedRepository({
        "calc.py": "x = 1\n",
        "test_calc.py": CASE("Calc"),
        "deep/__init__.py": "",
        "deep/er/__init__.py": "",
        "deep/er/test_deep.py": CASE("Deep"),
      });
      const lost = async (changed: Record<string, string | null>) => {
        const subject = await subjectFor(await treeWith({ "calc.py": "x = 2\n", ...changed }), { proof: "off" });
        const { findings } = await judgeProof({ ...subject, type: "refactor" });
        return findings.map(({ code, file }) => [code, file]);
      };
      expect(await lost({})).toEqual([]);
      expect(await lost({ "deep/er/__init__.py": null })).toEqual([["test-deleted", "deep/er/test_deep.py"]]);
      const chooses = "import unittest\ndef load_tests(*_):\n    return unittest.TestSuite()\n";
      expect(await lost({ "deep/er/__init__.py": chooses })).toEqual([["test-deleted", "deep/er/test_deep.py"]]);
    });

    it("parses changed files", async () => {
      const { checks, treeWith, orderFor } = checkedRepository({ "a.py": "x = 1\n", "old.py": "def\n" });
      const checked = await checks.syntax(await orderFor(await treeWith({ "a.py": "x = 1\ny = (\n" })));
      expect(checked, JSON.stringify(checked)).toMatchObject({ verdict: "fail", errors: [{ file: "a.py", line: 2 }] });
      const fine = await checks.syntax(await orderFor(await treeWith({ "a.py": "x = 2\n" })));
      expect(fine, JSON.stringify(fine)).toMatchObject({ verdict: "pass" });
    });
  },
);

describe.skipIf(!hasCargo)("cargo, which is installed here", { timeout: 300_000 }, () => {
  it("checks, tests and names what failed", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
      "tests/add.rs":
        "#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n\n#[test]\n#[ignore]\nfn later() {}\n",
    });
    const tree = await treeWith({ "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n" });
    const checked = await checks.tests(await orderFor(tree));
    expect(checked, JSON.stringify(checked)).toMatchObject({ verdict: "fail" });
    expect(checked.tests.toSorted((left, right) => (left.name < right.name ? -1 : 1))).toMatchObject([
      { name: "tests/add.rs adds", status: "failed", failure: "assertion", file: "tests/add.rs", line: 3 },
      { name: "tests/add.rs later", status: "skipped" },
    ]);
    const broken = await treeWith({ "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    gone(a)\n}\n" });
    const refused = await checks.syntax(await orderFor(broken));
    expect(refused, JSON.stringify(refused)).toMatchObject({
      verdict: "fail",
      errors: [{ file: "src/lib.rs", line: 2 }],
    });
    const red = await checks.tests(await orderFor(broken));
    expect(red.tests[0], JSON.stringify(red)).toMatchObject({ status: "failed", failure: "missing" });
  });
});

it.skipIf(!hasCargo)(
  "tests that the manifest or a module no longer names are missed",
  { timeout: 300_000 },
  async () => {
    const { treeWith, subjectFor } = checkedRepository({
      "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      "src/lib.rs": "mod more;\n\n#[test]\nfn stays() {}\n",
      "src/more.rs": "#[test]\nfn within() {}\n",
      "tests/outer.rs": "#[test]\nfn outer() {}\n",
    });
    const lost = async (changed: Record<string, string>) => {
      const subject = await subjectFor(await treeWith(changed), { proof: "off" });
      const { findings } = await judgeProof({ ...subject, type: "refactor" });
      return findings.map(({ code, file }) => [code, file]);
    };
    const manifest = '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\nautotests = false\n';
    expect(await lost({ "Cargo.toml": manifest })).toEqual([["test-deleted", "tests/outer.rs"]]);
    expect(await lost({ "src/lib.rs": "#[test]\nfn stays() {}\n" })).toEqual([["test-deleted", "src/more.rs"]]);
  },
);

describe.skipIf(!hasGo)("go, which is installed here", { timeout: 300_000 }, () => {
  it("vets, tests and names what failed", async () => {
    const { checks, treeWith, orderFor } = checkedRepository({
      "go.mod": "module example.org/calc\n\ngo 1.20\n",
      "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
      "calc_test.go":
        'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
    });
    const tree = await treeWith({ "calc.go": "package calc\n\nfunc Add(a, b int) int { return a - b }\n" });
    const checked = await checks.tests(await orderFor(tree));
    expect(checked, JSON.stringify(checked)).toMatchObject({
      verdict: "fail",
      tests: [{ file: "calc_test.go", line: 7, failure: "assertion" }],
    });
    const broken = await checks.syntax(
      await orderFor(await treeWith({ "calc.go": "package calc\n\nfunc Add(a, b int) int { return gone }\n" })),
    );
    expect(broken, JSON.stringify(broken)).toMatchObject({ verdict: "fail", errors: [{ file: "calc.go", line: 3 }] });
  });
});
