import { describe, expect, it } from "vitest";
import { QualityGates } from "../../../contract/documents/quality/quality-gates.ts";
import { detectPlans } from "./detect.ts";
import type { Installed, Selection } from "./plan.ts";
import { callOf, type ScriptRunner } from "./test-script.ts";

const read = (runner: ScriptRunner, test: string, others: Record<string, string> = {}) => {
  const call = callOf({ test, ...others }, runner);
  return typeof call === "object" ? [call.words.join(" "), call.leftOut.join("; ")] : call;
};

describe("a test script", () => {
  it.each<[ScriptRunner, string, string, string]>([
    ["vitest", "vitest run --config unit.config.mjs", "--config unit.config.mjs", ""],
    ["vitest", "vitest -c x --project units src/unit", "-c x --project units src/unit", ""],
    ["vitest", "vitest run --reporter verbose --outputFile=a.json --watch=false", "", ""],
    ["vitest", "vitest run --coverage --coverage.reporter=text -u", "", "--coverage; --coverage.reporter=text; -u"],
    [
      "vitest",
      "vitest run --testNamePattern='a|b; c' --dir \"my tests\"",
      "--testNamePattern='a|b; c' --dir \"my tests\"",
      "",
    ],
    ["vitest", "vitest run --shard 1/2 --bail 1", "", "--shard 1/2; --bail 1"],
    ["vitest", "vitest run 2>&1 | tee log", "", "tee log"],
    ["jest", "jest --config jest/unit.js --runInBand", "--config jest/unit.js --runInBand", ""],
    ["jest", "jest --projects packages/a packages/b", "--projects packages/a packages/b", ""],
    ["jest", "jest --ci --coverage --maxWorkers=2", "--maxWorkers=2", "--coverage"],
    ["jest", "jest -o --changedSince main", "", "-o; --changedSince main"],
    ["mocha", "mocha -r ./setup.js 'src/**/*.spec.js'", "-r ./setup.js 'src/**/*.spec.js'", ""],
    ["mocha", "nyc --reporter=lcov mocha --recursive -R dot", "--recursive", "nyc --reporter=lcov"],
    ["mocha", "eslint . && mocha && echo done", "", "eslint .; echo done"],
    ["node", "node --test --import ./setup.js", "--import ./setup.js", ""],
    [
      "node",
      "node --import tsx --test --test-reporter spec --test-only 'test/**/*.ts'",
      "--import tsx 'test/**/*.ts'",
      "--test-only",
    ],
  ])("of %s keeps what it says: %s", (runner, script, words, leftOut) => {
    expect(read(runner, script)).toEqual([words, leftOut]);
  });

  it("is followed into scripts that it calls, and runs what prepares the tests", () => {
    const scripts = {
      unit: "npm run build && vitest run -c unit.ts",
      build: "node build.js",
      pretest: "npm run lint",
      lint: "eslint .",
    };
    expect(callOf({ test: "npm run unit", ...scripts }, "vitest")).toMatchObject({
      ...{ before: "node build.js && ", words: ["-c unit.ts"], leftOut: ["eslint ."], settings: ["unit.ts"] },
    });
  });

  it.each<[ScriptRunner, string, string | undefined]>([
    ["vitest", "vitest bench", "no-tests"],
    ["vitest", "vitest list", "no-tests"],
    ["jest", "jest --listTests", "no-tests"],
    ["mocha", "mocha --dry-run", "no-tests"],
    ["vitest", "vitest run -c a && vitest run -c b", "unreadable"],
    ["vitest", "vitest run && jest", "unreadable"],
    ["vitest", "vitest run $(cat list)", "unreadable"],
    ["jest", "check-first || jest", "unreadable"],
    ["jest", "tape test.js", undefined],
    ["node", "node build.js", undefined],
  ])("of %s that does something else says so: %s", (runner, script, expected) => {
    expect(read(runner, script)).toBe(expected);
  });
});

describe("a plan", () => {
  const installed: Installed = {
    home: "/home/pat",
    program: (name) => `/usr/bin/${name}`,
    nodeProgram: (_, name) => ({ path: `./node_modules/.bin/${name}`, witnesses: [] }),
    python: () => undefined,
    hasPythonModule: async () => false,
  };
  const planOf = async (test: string, folder = "") => {
    const path = `${folder === "" ? "" : `${folder}/`}package.json`;
    const text = JSON.stringify({ scripts: { test } });
    const base = { paths: new Set([path]), text: async () => text };
    const plans = await detectPlans(base, installed, QualityGates.parse({}));
    return plans.find(({ check }) => check === "tests");
  };
  const selection = (part: Partial<Selection>): Selection => ({
    ...{ changed: ["a.js"], scope: "affected", report: "r", reporter: (name) => name },
    ...part,
  });

  it("has the options of the script in every way to run it", async () => {
    const vitest = await planOf("vitest run --config unit.mjs");
    expect(vitest?.build(selection({}))?.command).toContain("related 'a.js' --config unit.mjs --run");
    expect(vitest?.build(selection({ only: ["b.test.js"] }))?.command).toContain("run 'b.test.js' --config unit.mjs");
    expect(vitest?.build(selection({ scope: "full" }))?.command).toContain("run --config unit.mjs");
    const jest = await planOf("jest --config unit.json");
    expect(jest?.build(selection({}))?.command).toContain("--config unit.json --ci");
    expect(jest?.build(selection({ scope: "full" }))?.command).toMatch(/ --config unit.json$/);
    const mocha = await planOf("mocha -r setup 'src/*.js'");
    expect(mocha?.build(selection({}))?.command).toMatch(/ -r setup 'src\/\*.js'$/);
    expect(mocha?.build(selection({ only: ["b.js"] }))?.command).toMatch(/ -r setup 'b.js'$/);
    const node = await planOf("node --test --import ./setup.js");
    expect(node?.build(selection({ only: ["b.js"] }))?.command).toMatch(/ --import .\/setup.js 'b.js'$/);
  });

  it("runs the whole suite where the script names its tests, and says so", async () => {
    const plan = await planOf("vitest run src/unit");
    expect(plan?.build(selection({}))).toMatchObject({
      ...{ scope: "full", fallback: "the test script names its tests itself" },
      command: expect.stringContaining("run src/unit --reporter=json"),
    });
  });

  it("names what it leaves out, and the settings that the script names", async () => {
    const plan = await planOf("jest --config ./unit.json --coverage", "packages/api");
    expect(plan?.notes).toEqual(["Not used of the test script: --coverage."]);
    expect(plan?.settings).toEqual(["packages/api/unit.json"]);
  });

  it("is the script itself where it can't be read, and can't be run where that runs no tests", async () => {
    expect(await planOf("vitest run -c a && vitest run -c b")).toMatchObject({ tool: "npm test" });
    expect(await planOf("vitest list")).toMatchObject({ missing: expect.stringContaining("runs no tests") });
  });
});
