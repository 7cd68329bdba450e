import { describe, expect, it } from "vitest";
import { weakenedTests } from "./weakened-tests.ts";

const weakened = (path: string, before: string | undefined, after: string | undefined) =>
  weakenedTests([{ path, before, after }]).map(({ code, line }) => (line === undefined ? code : `${code}:${line}`));

const JS = `import { add } from "./add.ts";
describe("add", () => {
  it("adds two numbers", () => {
    expect(add(1, 2)).toBe(3);
  });
  test.each([[1, 2, 3]])("adds %i and %i", (a, b, sum) => {
    expect(add(a, b)).toBe(sum);
  });
});
`;
const PYTHON = `import pytest

class TestCart:
    def test_total(self):
        assert Cart([1, 2]).total() == 3

    def test_empty(self):
        """An empty cart. def test_never(): pass"""
        assert Cart([]).total() == 0
`;
const GO = `package cart

func TestTotal(t *testing.T) {
	if got := Total(1, 2); got != 3 {
		t.Fatalf("got %d", got)
	}
}
`;
const RUST = `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`;
const JAVA = `class CartTest {
  @Test
  void total() {
    assertEquals(3, new Cart(1, 2).total());
  }
}
`;

describe("weakened tests", () => {
  it("counts a mark as often as it was added, not as often as it is there", () => {
    const skipped = JS.replace("it(", "it.skip(");
    expect(weakened("a.test.ts", skipped, skipped)).toEqual([]);
    const twice = skipped.replace(
      "  test.each",
      `  it.skip("adds two numbers", () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  test.each`,
    );
    expect(weakened("a.test.ts", skipped, twice)).toEqual(["test-skipped:6"]);
  });

  it.each([
    ["a.test.ts", JS, JS.replace("it(", "it.skip("), ["test-skipped:3"]],
    ["a.test.ts", JS, JS.replace("it(", "xit("), ["test-skipped:3"]],
    ["a.test.ts", JS, JS.replace("describe(", "describe.todo("), ["test-skipped:2"]],
    ["a.test.ts", JS, JS.replace('numbers", ', 'numbers", { skip: true }, '), ["test-skipped:3"]],
    ["a.test.ts", JS, JS.replace("it(", "it.skipIf(true)("), ["test-skipped:3"]],
    ["a.test.ts", JS, JS.replace("it(", "it.runIf(false)("), ["test-skipped:3"]],
    ["a.test.ts", JS, JS.replace("it(", "it.only("), ["test-focused:3"]],
    ["a.test.ts", JS, JS.replace("describe(", "fdescribe("), ["test-focused:2"]],
    ["a.test.ts", JS, JS.replace("    expect(add(1, 2)).toBe(3);\n", ""), ["test-emptied:3"]],
    ["a.test.ts", JS, JS.replace("expect(add(1, 2)).toBe(3)", "expect(true).toBe(true)"), ["test-emptied:3"]],
    ["a.test.ts", JS, JS.replace("expect(add(1, 2))", "// expect(add(1, 2))"), ["test-emptied:3"]],
    ["a.test.ts", JS, JS.replace(/ {2}it\([^;]*;\n {2}\}\);\n/, ""), ["test-deleted"]],
    ["a.test.ts", JS, JS.replace(/ {2}test\.each[^;]*;\n {2}\}\);\n/, ""), ["test-deleted"]],
    [
      "a.test.ts",
      JS,
      JS.replace("each(", "each<() => [a: number]>(").replace("expect(add(a, b)).toBe(sum);", ""),
      ["test-emptied:6"],
    ],
    [
      "a.test.ts",
      JS,
      JS.replace("each(", "runIf(here).each(").replace("expect(add(a, b)).toBe(sum);", ""),
      ["test-emptied:6"],
    ],
    ["a.test.ts", JS, undefined, ["test-deleted"]],
    [
      "test_a.py",
      PYTHON,
      PYTHON.replace("    def test_t", "    @pytest.mark.skip\n    def test_t"),
      ["test-skipped:4"],
    ],
    [
      "test_a.py",
      PYTHON,
      PYTHON.replace("    def test_t", "    @pytest.mark.xfail()\n    def test_t"),
      ["test-skipped:4"],
    ],
    [
      "test_a.py",
      PYTHON,
      PYTHON.replace("        assert Cart([1", "        self.skipTest('x')\n        assert Cart([1"),
      ["test-skipped:5"],
    ],
    ["test_a.py", PYTHON, PYTHON.replace("assert Cart([1, 2]).total() == 3", "pass"), ["test-emptied:4"]],
    ["test_a.py", PYTHON, PYTHON.replace("assert Cart([1, 2]).total() == 3", "assert True"), ["test-emptied:4"]],
    ["test_a.py", PYTHON, PYTHON.replace(/ {4}def test_total[^\n]*\n[^\n]*\n/, ""), ["test-deleted"]],
    ["a_test.go", GO, GO.replace("	if got", '	t.Skip("later")\n	if got'), ["test-skipped:4"]],
    ["a_test.go", GO, GO.replace(/if got[^}]*\}/, "Total(1, 2)"), ["test-emptied:3"]],
    ["a_test.go", GO, GO.replace(/func[\s\S]*/, ""), ["test-deleted"]],
    ["lib.rs", RUST, RUST.replace("#[test]", "#[test]\n    #[ignore]"), ["test-skipped:8"]],
    ["lib.rs", RUST, RUST.replace("assert_eq!(add(1, 2), 3);", "assert!(true);"), ["test-emptied:7"]],
    ["lib.rs", RUST, RUST.replace(/#\[cfg[\s\S]*/, ""), ["test-deleted"]],
    ["CartTest.java", JAVA, JAVA.replace("@Test", "@Disabled @Test"), ["test-skipped:2"]],
    ["CartTest.java", JAVA, JAVA.replace(/assertEquals[^;]*;/, ""), ["test-emptied:2"]],
    ["a.test.ts", JS.replace("(3);", "(3);\n    expect(add(2, 2)).toBe(4);"), JS, ["test-weakened:3"]],
    ["a.test.ts", JS, JS.replace("toBe(3)", "toBeDefined()"), ["test-weakened:3"]],
    ["a.test.ts", JS, JS.replace("    expect(add(1", "    return;\n    expect(add(1"), ["test-weakened:3"]],
    [
      "a.test.ts",
      JS,
      JS.replace("expect(add(1, 2)).toBe(3);", "try { expect(add(1, 2)).toBe(3); } catch {}"),
      ["test-weakened:3"],
    ],
    [
      "a.test.js",
      `it("a", () => { assert.equal(f(1), 3); });`,
      `it("a", () => { assert.ok(f(1)); });`,
      ["test-weakened:1"],
    ],
    ["test_a.py", PYTHON, PYTHON.replace("total() == 3", "total()"), ["test-weakened:4"]],
    [
      "test_a.py",
      PYTHON,
      PYTHON.replace(
        "assert Cart([1, 2]).total() == 3",
        "try:\n            assert Cart([1, 2]).total() == 3\n        except AssertionError:\n            pass",
      ),
      ["test-weakened:4"],
    ],
    [
      "lib.rs",
      RUST,
      RUST.replace("assert_eq!(add(1, 2), 3)", "assert!(add(1, 2) > 0)").replace(" > 0", ".is_positive()"),
      ["test-weakened:7"],
    ],
    [
      "a.test.js",
      `test('mul',()=>{assert.equal(mul(2,3),6)})`,
      `test('adds',()=>{assert.equal(add(1,2),3)})`,
      ["test-deleted"],
    ],
  ])("[S1-QG-17] are found in %s", (path, before, after, expected) => {
    expect(weakened(path, before, after)).toEqual(expected);
  });

  const OF_JS = "expect(add(1, 2)).toBe(3);";
  const OF_PYTHON = "assert Cart([1, 2]).total() == 3";
  it.each([
    [
      "a.test.ts",
      JS,
      OF_JS,
      "try {\n      expect(add(1, 2)).toBe(3);\n    } catch (error) {\n      console.log(error);\n    }",
    ],
    ["a.test.ts", JS, OF_JS, "if (process.env.STRICT) expect(add(1, 2)).toBe(3);"],
    ["a.test.ts", JS, OF_JS, "if (process.env.STRICT) {\n      expect(add(1, 2)).toBe(3);\n    }"],
    ["a.test.ts", JS, OF_JS, "process.env.STRICT && expect(add(1, 2)).toBe(3);"],
    ["a.test.ts", JS, OF_JS, "expect(add(1, 2)).toBe(add(1, 2));"],
    ["a.test.ts", JS, OF_JS, "expect(add(1, 2) === 3 || true).toBe(true);"],
    ["a.test.ts", 'it("a", async () => {\n  await expect(f()).rejects.toThrow();\n});\n', "await expect", "expect"],
    ["a.test.js", 'it("a", () => { assert.equal(f("1"), "3"); });', 'f("1")', '"3"'],
    [
      "test_a.py",
      PYTHON,
      OF_PYTHON,
      "try:\n            assert Cart([1, 2]).total() == 3\n        except AssertionError as error:\n            print(error)",
    ],
    ["test_a.py", PYTHON, OF_PYTHON, 'if os.environ.get("SLOW"):\n            assert Cart([1, 2]).total() == 3'],
    ["test_a.py", PYTHON, OF_PYTHON, "assert Cart([1, 2]).total() == 3 or True"],
    ["test_a.py", PYTHON, OF_PYTHON, 'assert (Cart([1, 2]).total() == 3, "no")'],
    [
      "test_a.py",
      PYTHON,
      OF_PYTHON,
      "with pytest.raises(AssertionError):\n            assert Cart([1, 2]).total() == 3",
    ],
    ["lib.rs", RUST, "#[test]", "#[test]\n    #[should_panic]"],
    ["lib.rs", RUST, "#[test]", "#[should_panic]\n    #[test]"],
    ["lib.rs", RUST, "assert_eq!(add(1, 2), 3);", "let _ = catch_unwind(|| assert_eq!(add(1, 2), 3));"],
    ["lib.rs", RUST, "assert_eq!(add(1, 2), 3);", "if cfg!(slow) { assert_eq!(add(1, 2), 3); }"],
  ])("[S1-QG-17] are found in %s where they can no longer fail", (path, before, strong, weak) => {
    expect(weakened(path, before, before.replace(strong, weak))).toEqual([
      expect.stringMatching(/^test-weakened:\d+$/),
    ]);
  });

  it.each([
    [
      "a new case",
      "a.test.ts",
      JS,
      JS.replace("describe(", 'it("is new", () => expect(1).toBe(add(0, 1)));\ndescribe('),
    ],
    ["a renamed case", "a.test.ts", JS, JS.replace("adds two numbers", "sums two numbers")],
    ["another indentation", "a.test.ts", JS, JS.replaceAll("\n  ", "\n      ")],
    ["Windows line ends", "a.test.ts", JS, JS.replaceAll("\n", "\r\n")],
    ["an added assertion", "a.test.ts", JS, JS.replace("toBe(3);", "toBe(3);\n    expect(add(2, 2)).toBe(4);")],
    ["a helper that asserts", "a.test.ts", JS, JS.replace("expect(add(1, 2)).toBe(3)", "expectSum(1, 2, 3)")],
    [
      "markers in strings",
      "a.test.ts",
      JS,
      `${JS}const text = 'it.skip("x")';\nconst more = \`\nit.only("y", () => {})\n\`;\n`,
    ],
    ["markers in comments", "a.test.ts", JS, `${JS}// it.skip("x")\n/* it.only("y") */\n`],
    ["a skip of something else", "a.test.ts", JS, JS.replace("add(1, 2)", "page({ skip: 10, only: true })")],
    ["quotes in regular expressions", "a.test.ts", JS, `const odd = [/[\`'"]/g, 4 / 2, "'"];\n${JS}// \` done\n`],
    ["a variable called fit", "a.test.ts", JS, `${JS}const cut = fit.length > 1 ? fit(1) : xit.of(2);\n`],
    ["a condition", "a.test.ts", JS, JS.replace("it(", 'it.skipIf(process.platform === "win32")(')],
    ["a skip that was there", "a.test.ts", JS.replace("it(", "it.skip("), JS.replace("it(", "  it.skip(")],
    [
      "a table of cases in the place of a test",
      "a.test.ts",
      JS,
      JS.replace(
        /it\("adds two[^;]*;\n {2}\}\);/,
        'it.each([[1, 2, 3]])("adds two numbers (%i, %i)", (a, b, sum) => {\n    expect(add(a, b)).toBe(sum);\n  });',
      ),
    ],
    [
      "parameters above a test",
      "test_a.py",
      PYTHON.replace("total() == 3", "total() == 3\n        assert Cart([2]).total() == 2"),
      PYTHON.replace(
        "    def test_total(self):\n        assert Cart([1, 2]).total() == 3",
        '    @pytest.mark.parametrize(\n        "prices,total",\n        [([1, 2], 3), ([2], 2)],\n    )\n    def test_total(self, prices, total):\n        assert Cart(prices).total() == total',
      ),
    ],
    [
      "an error that is caught and checked",
      "a.test.ts",
      JS,
      JS.replace(
        "expect(add(1, 2)).toBe(3);",
        'expect(add(1, 2)).toBe(3);\n    try {\n      add("x");\n    } catch (error) {\n      expect(error).toBeDefined();\n    }',
      ),
    ],
    [
      "an error of the clean-up that is ignored",
      "a.test.ts",
      JS,
      JS.replace("expect(add(1, 2)).toBe(3);", "expect(add(1, 2)).toBe(3);\n    try {\n      close();\n    } catch {}"),
    ],
    [
      "a failure with more to say",
      "a.test.ts",
      JS,
      JS.replace(
        "expect(add(1, 2)).toBe(3);",
        "try {\n      expect(add(1, 2)).toBe(3);\n    } catch (error) {\n      throw new Error(note, { cause: error });\n    }",
      ),
    ],
    [
      "another check under a condition",
      "a.test.ts",
      JS,
      JS.replace(
        "expect(add(1, 2)).toBe(3);",
        "expect(add(1, 2)).toBe(3);\n    if (isWindows) expect(add(2, 2)).toBe(4);",
      ),
    ],
    [
      "another way to fail in Go",
      "a_test.go",
      GO,
      GO.replace("if got := Total(1, 2); got != 3 {", "got := Total(1, 2)\n\tif got != 3 {"),
    ],
    [
      "a promise that is returned",
      "a.test.ts",
      'it("a", async () => {\n  await expect(load("x")).rejects.toThrow();\n});\n',
      'it("a", () => expect(load("x")).rejects.toThrow());\n',
    ],
    ["a skip that was removed", "a.test.ts", JS.replace("it(", "it.skip("), JS],
    ["a renamed Python test", "test_a.py", PYTHON, PYTHON.replace("test_total", "test_sum")],
    ["a renamed Go test", "a_test.go", GO, GO.replace("TestTotal", "TestSum")],
    [
      "a truth value compared otherwise",
      "a.test.ts",
      JS.replace("toBe(3)", "toBe(true)"),
      JS.replace("toBe(3)", "toBeTruthy()"),
    ],
    ["another value", "a.test.ts", JS, JS.replace("toBe(3)", "toBe(4)")],
    [
      "a value that became an error",
      "a.test.ts",
      JS,
      JS.replace("expect(add(1, 2)).toBe(3)", "expect(() => add(1, 2)).toThrow()"),
    ],
    [
      "assertions in a loop",
      "a.test.ts",
      JS.replace("(3);", "(3);\n    expect(add(2, 2)).toBe(4);"),
      JS.replace("expect(add(1, 2)).toBe(3);", "for (const [a, sum] of all) expect(add(a, a)).toBe(sum);"),
    ],
    [
      "a return in a function of the test",
      "a.test.ts",
      JS,
      JS.replace("expect(add(1, 2))", "const f = () => { return 1; };\n    expect(add(f(), 2))"),
    ],
    ["changed Rust code", "lib.rs", RUST, RUST.replace("a + b", "b + a")],
  ])("are not %s", (_, path, before, after) => {
    expect(weakened(path, before, after)).toEqual([]);
  });

  it("are not those that moved to another file, in pieces or as a whole", () => {
    const files = [
      { path: "old.test.ts", before: JS, after: undefined },
      { path: "new.test.ts", before: undefined, after: JS },
    ];
    expect(weakenedTests(files)).toEqual([]);
    expect(weakenedTests(files.slice(0, 1)).map(({ severity, blocks }) => [severity, blocks])).toEqual([
      ["high", true],
    ]);
  });

  it("do not block when the code that they test is deleted too", () => {
    const [finding] = weakenedTests([{ path: "a.test.ts", before: JS, after: undefined, codeDeleted: true }]);
    expect([finding?.severity, finding?.blocks]).toEqual(["low", false]);
  });

  it("keep their id when lines move", () => {
    const [first] = weakenedTests([{ path: "a.test.ts", before: JS, after: JS.replace("it(", "it.skip(") }]);
    const [later] = weakenedTests([{ path: "a.test.ts", before: JS, after: `\n\n${JS.replace("it(", "it.skip(")}` }]);
    expect(later?.id).toBe(first?.id);
    expect(later?.line).not.toBe(first?.line);
  });
});
