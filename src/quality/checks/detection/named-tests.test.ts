import { expect, it } from "vitest";
import { namedTests } from "./named-tests.ts";

it.each<[string, string[], string[], string[]]>([
  [
    "vitest",
    ['test: { include: ["src/**/*.check.ts", "**/*-probe.{ts,tsx}"] }'],
    ["src/a.check.ts", "b-probe.tsx"],
    ["src/a.ts"],
  ],
  ["jest", ['{"jest": {"testMatch": ["**/*.check.?(c|m)[jt]s"]}}'], ["a.check.mjs"], ["check.mjs", "recheck.js"]],
  ["a regular expression", ["testRegex: '\\\\.check\\\\.js$'"], ["lib/a.check.js"], ["lib/check.js"]],
  ["mocha", ["spec: 'lib/**/*_check.js'\n"], ["lib/a_check.js"], ["lib/a.js"]],
  [
    "pytest",
    ["[pytest]\npython_files = check_*.py *_probe.py\n"],
    ["check_a.py", "x/a_probe.py"],
    ["a.py", "recheck_a.py"],
  ],
])("knows the tests that settings of %s name", (_, settings, tests, others) => {
  const pattern = namedTests(settings, []);
  expect(tests.map((path) => pattern?.test(path))).toEqual(tests.map(() => true));
  expect(others.map((path) => pattern?.test(path))).toEqual(others.map(() => false));
});

it("takes nothing for a test that is only left out, covered, typed or a plain ending", () => {
  for (const text of [
    'exclude: ["**/*.slow.ts"]',
    'include: ["src/**/*.ts", "src/**", "*.js"]',
    'coverage: { include: ["src/*.ts"], exclude: ["**/*.generated.ts"] }',
    'include: ["**/*.d.ts", "**/*.stories.tsx"]',
    'includeSource: ["src/**/*.unit.ts"]',
  ])
    expect([text, namedTests([text], [])]).toEqual([text, undefined]);
});

it("knows what a script names", () => {
  expect(namedTests([], ["node --test 'src/**/*.check.js'"])?.test("src/a.check.js")).toBe(true);
});
