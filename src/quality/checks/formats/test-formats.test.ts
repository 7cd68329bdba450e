import { describe, expect, it } from "vitest";
import { parseCargoMessages, parseCargoTest } from "./cargo.ts";
import { parseGoVet, parseMypy, parseOwnErrors, parsePyright, parseTsc } from "./compilers.ts";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import { isGoJson, parseGoJson } from "./go-json.ts";
import { parseJestJson } from "./jest-json.ts";
import { parseJunit } from "./junit.ts";
import { parseMochaJson } from "./mocha-json.ts";
import { parseOwnLines } from "./own-lines.ts";
import { repositoryPath } from "./parsed.ts";
import { isTap, parseTap } from "./tap.ts";

const place = { root: "/box/tree", folder: "" };
const short = ({ tests }: ReturnType<typeof parseTap>) =>
  tests.map(({ name, file, line, status, failure }) => [name, file, line, status, failure]);

describe("reports of test runners", () => {
  it("reads the JSON of vitest and jest", () => {
    const report = {
      numTotalTests: 4,
      success: false,
      testResults: [
        {
          name: "/box/tree/src/a.test.ts",
          status: "failed",
          message: "",
          assertionResults: [
            { ancestorTitles: ["sum"], fullName: "sum adds", title: "adds", status: "passed", failureMessages: [] },
            {
              ancestorTitles: [],
              fullName: "fails",
              title: "fails",
              status: "failed",
              failureMessages: ["AssertionError: expected 1 to be 2\n    at /box/tree/src/a.test.ts:12:13"],
            },
            { ancestorTitles: [], fullName: "later", title: "later", status: "pending", failureMessages: [] },
            {
              ancestorTitles: [],
              title: "crashes",
              status: "failed",
              failureMessages: ["TypeError: api.pay is not a function"],
              location: { line: 30, column: 1 },
            },
          ],
        },
        {
          name: "/box/tree/src/b.test.ts",
          status: "failed",
          message: 'Failed to resolve import "./b.ts" from "src/b.test.ts". Does the file exist?',
          assertionResults: [],
        },
        { name: "/box/tree/src/c.test.ts", status: "failed", message: "Unexpected token", assertionResults: [] },
      ],
    };
    expect(short(parseJestJson(JSON.stringify(report), place))).toEqual([
      ["sum adds", "src/a.test.ts", undefined, "passed", undefined],
      ["fails", "src/a.test.ts", 12, "failed", "assertion"],
      ["later", "src/a.test.ts", undefined, "skipped", undefined],
      ["crashes", "src/a.test.ts", 30, "failed", "missing"],
      ["(file)", "src/b.test.ts", undefined, "failed", "missing"],
      ["(file)", "src/c.test.ts", undefined, "failed", "other"],
    ]);
  });

  it("reads the JSON of mocha, hooks included", () => {
    const entry = (title: string, err: object = {}) => ({
      title,
      fullTitle: `cart ${title}`,
      file: "/box/tree/test/cart.js",
      err,
    });
    const failed = entry("adds", {
      message: "expected 1 to equal 2",
      stack: "AssertionError: …\n at /box/tree/test/cart.js:7:9",
      code: "ERR_ASSERTION",
    });
    const hook = entry('"before each" hook for "pays"', { message: "no server", stack: "Error: no server" });
    const report = {
      stats: { tests: 3 },
      tests: [failed, entry("is empty"), entry("later")],
      pending: [entry("later")],
      failures: [failed, hook],
      passes: [],
    };
    expect(short(parseMochaJson(JSON.stringify(report), place))).toEqual([
      ["cart adds", "test/cart.js", 7, "failed", "assertion"],
      ["cart is empty", "test/cart.js", undefined, "passed", undefined],
      ["cart later", "test/cart.js", undefined, "skipped", undefined],
      ['cart "before each" hook for "pays"', "test/cart.js", undefined, "failed", "other"],
    ]);
  });

  it("takes the file of a test from its class, where a runner of JavaScript puts it", () => {
    const source = `<testsuites><testsuite name="a"><testcase classname="src/a.test.ts" name="adds &gt; two"/><testcase classname="com.x.Y" name="z"/></testsuite></testsuites>`;
    const { tests } = parseJunit(source, place);
    expect(tests.map(({ file, name }) => [file, name])).toEqual([
      ["src/a.test.ts", "adds > two"],
      [undefined, "com.x.Y z"],
    ]);
  });

  it("reads JUnit XML as pytest writes it", () => {
    const source = `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
<testcase classname="tests.test_a" name="test_ok" file="tests/test_a.py" line="0" time="0.1" />
<testcase classname="tests.test_a" name="test_bad[&lt;1&gt;]" file="tests/test_a.py" line="4"><failure message="assert 1 == 2">def test_bad():
&gt;       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:6: AssertionError</failure></testcase>
<testcase classname="tests.test_a" name="test_later" file="tests/test_a.py" line="8"><skipped type="pytest.skip" message="later">x</skipped></testcase>
<testcase classname="" name="tests.test_b"><error message="collection failure">E   ModuleNotFoundError: No module named 'pay'</error></testcase>
</testsuite></testsuites>`;
    expect(short(parseJunit(source, { ...place, folder: "svc", firstLine: 0 }))).toEqual([
      ["tests.test_a test_ok", "svc/tests/test_a.py", 1, "passed", undefined],
      ["tests.test_a test_bad[<1>]", "svc/tests/test_a.py", 5, "failed", "assertion"],
      ["tests.test_a test_later", "svc/tests/test_a.py", 9, "skipped", undefined],
      ["tests.test_b", undefined, undefined, "failed", "missing"],
    ]);
  });

  it("reads go test -json: tests, subtests, and packages that do not build", () => {
    const lines = [
      { Action: "start", Package: "example.org/shop/cart" },
      { Action: "run", Package: "example.org/shop/cart", Test: "TestAdd" },
      { Action: "run", Package: "example.org/shop/cart", Test: "TestAdd/two" },
      {
        Action: "output",
        Package: "example.org/shop/cart",
        Test: "TestAdd/two",
        Output: "    cart_test.go:12: got 1\n",
      },
      { Action: "fail", Package: "example.org/shop/cart", Test: "TestAdd/two", Elapsed: 0 },
      { Action: "fail", Package: "example.org/shop/cart", Test: "TestAdd", Elapsed: 0 },
      { Action: "pass", Package: "example.org/shop/cart", Test: "TestOk", Elapsed: 0 },
      { Action: "skip", Package: "example.org/shop/cart", Test: "TestLater", Elapsed: 0 },
      { Action: "fail", Package: "example.org/shop/cart", Elapsed: 0.1 },
      {
        ImportPath: "example.org/shop/pay",
        Action: "build-output",
        Output: "pay/pay_test.go:9:2: undefined: Refund\n",
      },
      { Action: "fail", Package: "example.org/shop/pay", Elapsed: 0, FailedBuild: "example.org/shop/pay" },
    ];
    const source = lines.map((line) => JSON.stringify(line)).join("\n");
    expect(isGoJson(source)).toBe(true);
    expect(short(parseGoJson(source, { module: "example.org/shop", folder: "go" }))).toEqual([
      ["example.org/shop/cart TestAdd/two", "go/cart/cart_test.go", 12, "failed", "assertion"],
      ["example.org/shop/cart TestOk", undefined, undefined, "passed", undefined],
      ["example.org/shop/cart TestLater", undefined, undefined, "skipped", undefined],
      ["example.org/shop/pay", "go/pay/pay_test.go", 9, "failed", "missing"],
    ]);
  });

  it("reads what go before 1.24 prints of packages that do not build", () => {
    const source = [
      "# example.org/shop/pay [example.org/shop/pay.test]",
      "pay/pay_test.go:9:2: undefined: Refund",
      "# example.org/shop/tax",
      "tax/tax.go:3:1: syntax error",
      "FAIL\texample.org/shop/pay [build failed]",
      JSON.stringify({ Action: "pass", Package: "example.org/shop/cart", Test: "TestOk" }),
      JSON.stringify({ Action: "pass", Package: "example.org/shop/cart" }),
      "FAIL\texample.org/shop/tax [build failed]",
    ].join("\n");
    expect(short(parseGoJson(source, { module: "example.org/shop", folder: "" }))).toEqual([
      ["example.org/shop/pay", "pay/pay_test.go", 9, "failed", "missing"],
      ["example.org/shop/cart TestOk", undefined, undefined, "passed", undefined],
      ["example.org/shop/tax", "tax/tax.go", 3, "failed", "other"],
    ]);
  });

  it("reads what libtest prints, with the place of a panic", () => {
    const source = `   Compiling calc v0.1.0 (/box/tree)
{"reason":"build-finished","success":true}
     Running unittests src/lib.rs (target/debug/deps/calc-1)

running 2 tests
test tests::adds ... FAILED
test tests::later ... ignored, not yet

failures:

---- tests::adds stdout ----

thread 'tests::adds' panicked at src/lib.rs:10:9:
assertion \`left == right\` failed

failures:
    tests::adds

test result: FAILED. 0 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out

   Doc-tests calc

running 1 test
test src/lib.rs - add (line 3) ... ok

test result: ok. 1 passed
`;
    expect(short(parseCargoTest(source, "core"))).toEqual([
      ["src/lib.rs tests::adds", "core/src/lib.rs", 10, "failed", "assertion"],
      ["src/lib.rs tests::later", undefined, undefined, "skipped", undefined],
      ["doc calc src/lib.rs - add (line 3)", undefined, undefined, "passed", undefined],
    ]);
  });

  it("gives a test of Rust the same id whether it fails or passes, though only a failure names its file", () => {
    const output = (result: string, rest: string) =>
      `     Running unittests src/lib.rs (target/debug/deps/calc-1)\n\ntest tests::adds ... ${result}\n${rest}\ntest result: x\n`;
    const panic =
      "\n---- tests::adds stdout ----\nthread 'tests::adds' panicked at src/lib.rs:10:9:\nassertion failed\n";
    const [failed] = parseCargoTest(output("FAILED", panic), "").tests;
    const [passed] = parseCargoTest(output("ok", ""), "").tests;
    expect(failed).toMatchObject({ status: "failed", file: "src/lib.rs", line: 10 });
    expect(passed).toMatchObject({ status: "passed", id: failed?.id });
  });

  it("gives a test of Go the same id whether it fails or passes", () => {
    const run = (action: string) =>
      [
        { Action: "output", Package: "calc", Test: "TestAdd", Output: "    add_test.go:7: got 1\n" },
        { Action: action, Package: "calc", Test: "TestAdd" },
        { Action: action, Package: "calc" },
      ]
        .map((event) => JSON.stringify(event))
        .join("\n");
    const [failed] = parseGoJson(run("fail"), { module: "calc", folder: "" }).tests;
    const [passed] = parseGoJson(run("pass"), { module: "calc", folder: "" }).tests;
    expect(failed).toMatchObject({ status: "failed", file: "add_test.go", line: 7 });
    expect(passed).toMatchObject({ status: "passed", id: failed?.id });
  });

  it("reads what cargo refuses to compile", () => {
    const message = {
      reason: "compiler-message",
      message: {
        level: "error",
        message: "cannot find function `gone` in this scope",
        code: { code: "E0425" },
        spans: [{ file_name: "src/lib.rs", line_start: 2, is_primary: true }],
      },
    };
    const source = `${JSON.stringify(message)}\n{"reason":"build-finished","success":false}\n`;
    expect(parseCargoMessages(source, "")).toEqual({
      errors: [{ file: "src/lib.rs", line: 2, message: "error[E0425]: cannot find function `gone` in this scope" }],
    });
    expect(short(parseCargoTest(source, ""))).toEqual([["(build)", "src/lib.rs", 2, "failed", "missing"]]);
  });

  it("reads TAP with subtests, skips and diagnostics", () => {
    const source = `TAP version 13
# Subtest: cart
    ok 1 - adds
    not ok 2 - pays
      ---
      error: 'AssertionError: 1 == 2'
      ...
    1..2
not ok 1 - cart
ok 2 - later # SKIP not yet
not ok 3 - someday # TODO
1..3
`;
    expect(isTap(source)).toBe(true);
    expect(short(parseTap(source))).toEqual([
      ["adds", undefined, undefined, "passed", undefined],
      ["pays", undefined, undefined, "failed", "assertion"],
      ["later", undefined, undefined, "skipped", undefined],
      ["someday", undefined, undefined, "skipped", undefined],
    ]);
  });

  it("reads the lines of its own reporters", () => {
    const lines = [
      { name: "adds", file: "/box/tree/a.test.js", line: 3, status: "passed" },
      {
        name: "(file)",
        file: "/box/tree/b.test.js",
        status: "failed",
        phase: "load",
        error: "Error ERR_MODULE_NOT_FOUND",
        message: "x",
      },
      { end: true },
    ];
    expect(short(parseOwnLines(lines.map((line) => JSON.stringify(line)).join("\n"), place))).toEqual([
      ["adds", "a.test.js", 3, "passed", undefined],
      ["(file)", "b.test.js", undefined, "failed", "missing"],
    ]);
  });

  it("gives the same test the same id in another tree, and tests of one name ids of their own", () => {
    const source = (root: string) =>
      JSON.stringify({
        success: true,
        testResults: [
          {
            name: `${root}/a.test.ts`,
            status: "passed",
            assertionResults: ["x", "x"].map((title) => ({ title, fullName: title, status: "passed" })),
          },
        ],
      });
    const ids = parseJestJson(source("/one"), { root: "/one", folder: "" }).tests.map(({ id }) => id);
    expect(ids).toEqual(["a.test.ts > x", "a.test.ts > x #2"]);
    expect(parseJestJson(source("/two"), { root: "/two", folder: "" }).tests.map(({ id }) => id)).toEqual(ids);
  });
});

describe("what compilers print", () => {
  it("is read with file, line and code", () => {
    expect(
      parseTsc(
        "src/a.ts(3,7): error TS2322: Type 'string'.\n  Types of property.\r\nerror TS18003: No inputs.\n",
        place,
      ).errors,
    ).toEqual([{ file: "src/a.ts", line: 3, message: "TS2322: Type 'string'." }, { message: "TS18003: No inputs." }]);
    expect(parseGoVet("# example.org/x\nvet: cart/a.go:3:9: undefined: y\n./b.go:4:2: x\n", place).errors).toEqual([
      { file: "cart/a.go", line: 3, message: "undefined: y" },
      { file: "b.go", line: 4, message: "x" },
    ]);
    expect(parseMypy("a.py:3: error: Bad  [arg-type]\na.py:3: note: See\n", place).errors).toEqual([
      { file: "a.py", line: 3, message: "Bad  [arg-type]" },
    ]);
    const pyright = {
      generalDiagnostics: [
        { file: "/box/tree/a.py", severity: "error", message: "Bad", range: { start: { line: 4, character: 0 } } },
        { file: "/x", severity: "warning", message: "w" },
      ],
    };
    expect(parsePyright(JSON.stringify(pyright), place).errors).toEqual([{ file: "a.py", line: 5, message: "Bad" }]);
    expect(parseOwnErrors('{"errors":[{"file":"a.js","line":2,"message":"SyntaxError: x"}]}\n', place).errors).toEqual([
      { file: "a.js", line: 2, message: "SyntaxError: x" },
    ]);
  });

  it.each([
    ["/box/tree/a.ts", "a.ts"],
    ["file:///box/tree/a/b.ts", "a/b.ts"],
    ["../shared/a.ts", "shared/a.ts"],
    ["../../../etc/passwd", undefined],
    ["/etc/passwd", undefined],
    ["./a.ts", "pkg/a.ts"],
  ])("leads %s to %s in the repository", (path, expected) => {
    expect(repositoryPath(path, { root: "/box/tree", folder: "pkg" })).toBe(expected);
  });
});

describe("why a test failed", () => {
  it.each([
    ["AssertionError [ERR_ASSERTION]: 1 == 2", "assertion"],
    ["Error: expect(received).toBe(expected)", "assertion"],
    ["TypeError: Cannot read properties of undefined (reading 'id')", "assertion"],
    ["AttributeError: 'NoneType' object has no attribute 'id'", "assertion"],
    ["TypeError: shop.refund is not a function", "missing"],
    ["ReferenceError: refund is not defined", "missing"],
    ["AttributeError: module 'shop' has no attribute 'refund'", "missing"],
    ["TypeError: refund() got an unexpected keyword argument 'reason'", "missing"],
    ["NameError: name 'refund' is not defined", "missing"],
  ])("in its body, from %s, is told as %s", (text, kind) => {
    expect(bodyFailure(text)).toBe(kind);
  });

  it.each([
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find module './refund.js'", "missing"],
    ["SyntaxError: The requested module './a.js' does not provide an export named 'b'", "missing"],
    ["ImportError: cannot import name 'refund' from 'shop'", "missing"],
    ["SyntaxError: Unexpected token '}'", "other"],
    ["RuntimeError: fixture failed", "other"],
  ])("before it ran, from %s, is told as %s", (text, kind) => {
    expect(loadFailure(text)).toBe(kind);
  });
});

describe("hostile reports", () => {
  const parsers = {
    jest: (text: string) => parseJestJson(text, place),
    mocha: (text: string) => parseMochaJson(text, place),
    junit: (text: string) => parseJunit(text, place),
    go: (text: string) => parseGoJson(text, { module: "m", folder: "" }),
    cargo: (text: string) => parseCargoTest(text, ""),
    tap: (text: string) => parseTap(text),
    own: (text: string) => parseOwnLines(text, place),
  };
  const deep = 100_000;
  const inputs: Record<string, string> = {
    empty: "",
    text: "All tests passed!",
    null: "null",
    "an array": "[]",
    "nested arrays": `${"[".repeat(deep)}${"]".repeat(deep)}`,
    "nested objects": `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`,
    "nested elements": `<testsuites>${"<testsuite>".repeat(deep)}`,
    "a cut report": '<testsuites><testsuite><testcase name="a"/><testcase name="b"',
    "cut JSON": '{"success":true,"testResults":[{"name":"a"',
    "numbers for names": '{"success":true,"testResults":[{"name":1,"status":2,"assertionResults":{}}]}',
    NULs: "\0".repeat(10_000),
    "lone quotes": '<testsuite a="'.repeat(20_000),
    "angle brackets": "<".repeat(200_000),
    ampersands: `<testsuite>${"&".repeat(500_000)}`,
  };

  it.each(Object.keys(parsers).flatMap((parser) => Object.keys(inputs).map((input) => [parser, input] as const)))(
    "%s takes %s for no report, in no time",
    (parser, input) => {
      const begun = process.cpuUsage();
      expect(parsers[parser as keyof typeof parsers](inputs[input] ?? "")).toMatchObject({
        tests: [],
        isUnreadable: true,
      });
      expect(process.cpuUsage(begun).user).toBeLessThan(3_000_000);
    },
  );

  it("does not expand entities that a document declares", () => {
    const declared = Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join(
      "\n",
    );
    const source = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "lol">${declared}]><testsuite><testcase name="&a20;"><failure message="&a20;"/></testcase></testsuite>`;
    const { tests } = parseJunit(source, place);
    expect(tests[0]?.name ?? "").not.toContain("lol");
    expect(JSON.stringify(tests).length).toBeLessThan(1_000);
  });

  it("reads 300,000 results, keeps 200,000, and cuts long messages and names", { timeout: 120_000 }, () => {
    const one = `<testcase name="${"n".repeat(20)}"/>`;
    const { tests } = parseJunit(`<testsuite>${one.repeat(300_000)}</testsuite>`, place);
    expect(tests.length).toBe(200_000);
    const long = parseJunit(
      `<testsuite><testcase name="${"n".repeat(5_000)}"><failure>${"m".repeat(10_000_000)}</failure></testcase></testsuite>`,
      place,
    );
    expect(long.tests[0]?.name.length).toBe(1_000);
    expect(long.tests[0]?.message?.length).toBeLessThan(5_000);
  });

  it("reads 100 MB of lines that are nothing", { timeout: 180_000 }, () => {
    const noise = `${"ok then ".repeat(12)}\n`.repeat(1_000_000);
    expect(parseGoJson(noise, { module: "m", folder: "" })).toMatchObject({ isUnreadable: true });
    expect(parseCargoTest(noise, "")).toMatchObject({ isUnreadable: true });
  });
});
