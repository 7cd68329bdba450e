import { dirname, normalize } from "node:path/posix";
import { quoted } from "../../../agent/sandbox/sandbox.ts";
import { recordOf } from "../check-settings.ts";
import { isDocument } from "../document-paths.ts";
import { parsedJson } from "../formats/parsed.ts";
import { filesOfCommand, filesOfSettings } from "./command-files.ts";
import { namedTests } from "./named-tests.ts";
import {
  type BaseTree,
  type Built,
  type Installed,
  inFolder,
  NO_SELECTION,
  type Plan,
  type Selection,
  words,
} from "./plan.ts";
import { callOf, type ScriptCall } from "./test-script.ts";

const SOURCES = /\.[cm]?[jt]sx?$|\.json$|\.vue$|\.svelte$/;
const PARSED = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const UNTYPED = /\.(?:[cm]?js|jsx)$/;
/** Which packages there are decides as much as the code. */
const TESTED = new RegExp(`${SOURCES.source}|(?:^|/)(?:yarn\\.lock|pnpm-lock\\.yaml|bun\\.lockb?)$`);
const INSTALL = "Install the project's packages there; a link to another folder is not followed.";
/** What npm writes into a new package, and what people write there: `exit 0`, `echo none yet`. */
const NO_TEST = /no test specified|^(?:\s*(?:echo|printf|true|exit|:)(?=\s|$)[^`$;&|<>]*(?:[;&|\n]+|$))+$/;

interface Manifest {
  name: string | undefined;
  scripts: Readonly<Record<string, unknown>>;
  packages: ReadonlySet<string>;
  keys: ReadonlySet<string>;
}

interface Place {
  base: BaseTree;
  installed: Installed;
  folder: string;
  manifest: Manifest;
}

export async function javascriptPlans(base: BaseTree, installed: Installed, folder: string): Promise<Plan[]> {
  const text = await base.text(inFolder(folder, "package.json"));
  const place = { base, installed, folder, manifest: manifestOf(text) };
  const tests = testPlan(place);
  const named = tests && (await testsNamed(place, text ?? ""));
  const plans = [
    ...(await typePlans(place)),
    ...(tests === undefined ? [] : [{ ...tests, ...(named && { tests: named }) }]),
  ];
  const taken = await settingsTaken(place, text ?? "", plans);
  const { name, packages: uses } = place.manifest;
  const unit = name === undefined ? {} : { unit: { name, uses } };
  return plans.map((plan) => ({ ...plan, ...unit, settings: [...(plan.settings ?? []), ...taken] }));
}

/** What the settings of compilers and runners take in, and what the scripts run beside the runner. */
async function settingsTaken(
  { base, folder, manifest }: Place,
  text: string,
  plans: readonly Plan[],
): Promise<string[]> {
  const own = [...Object.values(CONFIGS).flat(), ...configs("vite"), ...configs("babel"), "tsconfig.json", ".babelrc"];
  const named = plans.flatMap(({ settings = [] }) => settings);
  const files = [...own.map((name) => inFolder(folder, name)), ...named].filter((path) => base.paths.has(path));
  const ofFiles = files.map(async (path) => filesOfSettings(base, dirname(path), (await base.text(path)) ?? ""));
  const sections = JSON.stringify(RUNNER_KEYS.map((key) => recordOf(parsedJson(text))?.[key] ?? {}));
  const scripts = ["pretest", "test"].map((name) => manifest.scripts[name]).filter((one) => typeof one === "string");
  const ofScripts = scripts.map((script) => filesOfCommand(base, folder, script));
  return [...new Set((await Promise.all([...ofFiles, ...ofScripts, filesOfSettings(base, folder, sections)])).flat())];
}

const RUNNER_KEYS = ["jest", "mocha", "babel", "vitest"];

/** By the settings of whichever runner it has. */
async function testsNamed({ base, folder, manifest }: Place, text: string): Promise<RegExp | undefined> {
  const files = [...Object.values(CONFIGS).flat(), ...configs("vite")].map((name) => inFolder(folder, name));
  const settings = await Promise.all(files.filter((path) => base.paths.has(path)).map((path) => base.text(path)));
  const scripts = Object.entries(manifest.scripts).flatMap(([name, script]) =>
    name.startsWith("test") && typeof script === "string" ? [script] : [],
  );
  return namedTests([text, ...settings.map((one) => one ?? "")], scripts);
}

function manifestOf(text: string | undefined): Manifest {
  const value = recordOf(parsedJson(text ?? "")) ?? {};
  const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return {
    name: typeof value.name === "string" ? value.name : undefined,
    scripts: recordOf(value.scripts) ?? {},
    packages: new Set(lists.flatMap((key) => Object.keys(recordOf(value[key]) ?? {}))),
    keys: new Set(Object.keys(value)),
  };
}

/** tsc where there is a tsconfig.json, and a parser for the files that it does not look at. */
async function typePlans({ base, installed, folder }: Place): Promise<Plan[]> {
  const config = inFolder(folder, "tsconfig.json");
  const isTyped = base.paths.has(config);
  const tool = isTyped ? installed.nodeProgram(folder, "tsc") : undefined;
  const projects = isTyped ? projectsIn((await base.text(config)) ?? "") : [];
  const each = (path: string) =>
    projects.map((project) => `${quoted(path)} --noEmit --pretty false -p ${quoted(project)} || code=1`);
  const typed: Plan = {
    check: "syntax",
    language: "typescript",
    tool: "tsc",
    command: "tsc --noEmit",
    folder,
    from: config,
    ...(tool === undefined ? { missing: `TypeScript is not installed in node_modules. ${INSTALL}` } : {}),
    format: { of: "errors", by: "tsc" },
    covers: SOURCES,
    witnesses: tool?.witnesses ?? [],
    build: () => ({ command: [`code=0`, ...each(tool?.path ?? "tsc"), "exit $code"].join("; "), scope: "full" }),
  };
  return isTyped
    ? [typed, parsePlan(folder, UNTYPED, config)]
    : [parsePlan(folder, PARSED, inFolder(folder, "package.json"))];
}

/** A solution names other projects and has no files of its own. */
function projectsIn(text: string): string[] {
  const plain = text.replace(/^\s*\/\/.*$/gm, "").replace(/,(\s*[\]}])/g, "$1");
  const value = recordOf(parsedJson(plain));
  const references = Array.isArray(value?.references) ? value.references : [];
  const paths = references.map((one) => recordOf(one)?.path).filter((path) => typeof path === "string");
  const isSolution = paths.length > 0 && Array.isArray(value?.files) && value.files.length === 0;
  return isSolution ? paths : ["."];
}

function parsePlan(folder: string, covers: RegExp, from: string): Plan {
  return {
    check: "syntax",
    language: "javascript",
    tool: "parser",
    command: "parse the changed files",
    folder,
    from,
    format: { of: "errors", by: "own" },
    covers,
    witnesses: [process.execPath],
    build: ({ changed, reporter }) => {
      const files = changed.filter((path) => covers.test(path));
      if (files.length === 0) return undefined;
      const command = `${quoted(process.execPath)} --no-warnings --experimental-vm-modules ${quoted(reporter("parse-javascript.mjs"))} ${words(files)}`;
      return { command, scope: "affected" };
    },
  };
}

function testPlan(place: Place): Plan | undefined {
  const { base, folder, manifest } = place;
  const script = typeof manifest.scripts.test === "string" ? manifest.scripts.test : "";
  const has = (name: string) => base.paths.has(inFolder(folder, name));
  const from = (runner: Runner) => inFolder(folder, CONFIGS[runner].find(has) ?? "package.json");
  for (const runner of RUNNERS) {
    const call = callOf(manifest.scripts, runner);
    if (call === "unreadable") return runner === "node" ? nodeScript(place, script) : scriptPlan(place, script);
    if (call === "no-tests")
      return { ...scriptPlan(place, script), missing: `The test script runs no tests: ${script}. ${NAME_COMMAND}` };
    if (call !== undefined) return PLANS[runner](place, from(runner), call);
  }
  const isUsed = (runner: Runner) => manifest.packages.has(runner) || CONFIGS[runner].some(has);
  const used = RUNNERS.find((runner) => runner !== "node" && (isUsed(runner) || manifest.keys.has(runner)));
  if (used !== undefined) return PLANS[used](place, from(used), PLAIN_CALL);
  return script === "" || NO_TEST.test(script) ? undefined : scriptPlan(place, script);
}

const RUNNERS = ["vitest", "jest", "mocha", "node"] as const;
type Runner = (typeof RUNNERS)[number];

const configs = (name: string) => ["ts", "mts", "cts", "js", "mjs", "cjs"].map((end) => `${name}.config.${end}`);
const CONFIGS: Readonly<Record<Runner, readonly string[]>> = {
  vitest: configs("vitest"),
  jest: configs("jest"),
  mocha: [".mocharc.json", ".mocharc.js", ".mocharc.cjs", ".mocharc.yml", ".mocharc.yaml", ".mocharc.jsonc"],
  node: [],
};
const PLANS: Readonly<Record<Runner, (place: Place, from: string, call: ScriptCall) => Plan>> = {
  vitest,
  jest,
  mocha,
  node: nodeTest,
};
const PLAIN_CALL: ScriptCall = {
  ...{ before: "", variables: "", byNode: undefined, words: [], options: [], patterns: [], leftOut: [], settings: [] },
};
const NAME_COMMAND = "Set qualityGates.commands.tests.";

interface Found {
  tool: string;
  from: string;
  call?: ScriptCall;
}

function nodePlan(
  { folder, installed }: Place,
  { tool, from, call = PLAIN_CALL }: Found,
): Omit<Plan, "format" | "build" | "command"> & { path: string } {
  const found = installed.nodeProgram(folder, tool);
  const { before, variables, byNode, leftOut, settings } = call;
  return {
    check: "tests",
    language: "javascript",
    tool,
    folder,
    from,
    ...(found === undefined ? { missing: `${tool} is not installed in node_modules. ${INSTALL}` } : {}),
    covers: TESTED,
    witnesses: [installed.program("node") ?? process.execPath, ...(found?.witnesses ?? [])],
    ...(leftOut.length === 0 ? {} : { notes: [`Not used of the test script: ${leftOut.join("; ")}.`] }),
    ...(settings.length === 0 ? {} : { settings: settings.map((path) => normalize(inFolder(folder, path))) }),
    path: `${before === "" ? "" : `${BIN_PATH}${before}`}${variables}${byNode ?? quoted(found?.path ?? tool)}`,
  };
}

/** Of the words that a script has, each after a space. */
function spaced(kept: readonly string[]): string {
  return kept.map((word) => ` ${word}`).join("");
}

const SCRIPT_SELECTS = "the test script names its tests itself";

function vitest(place: Place, from: string, call: ScriptCall): Plan {
  const { path, ...plan } = nodePlan(place, { tool: "vitest", from, call });
  const { version = "" } = place.installed.nodeProgram(place.folder, "vitest") ?? {};
  const [major = 0, minor = 0] = version.split(".").map(Number);
  // A configuration in TypeScript would be bundled into node_modules, which is read-only here; older ones can't do without.
  const loader = major > 3 || (major === 3 && minor >= 1) ? " --configLoader=runner" : "";
  const fixed = (report: string) => `--reporter=json --outputFile=${quoted(report)}${loader}`;
  const kept = spaced(call.options);
  return {
    ...plan,
    command: `vitest run${spaced(call.words)}`,
    format: { of: "tests", by: "jest-json", in: "report" },
    build: (selection) =>
      selected(selection, {
        full: (report) => `${path} run${spaced(call.words)} ${fixed(report)}`,
        only: (files, report) => `${path} run ${words(files)}${kept} ${fixed(report)}`,
        ...(call.patterns.length > 0
          ? { why: SCRIPT_SELECTS }
          : {
              related: (files, report) =>
                `${path} related ${words(files)}${kept} --run --passWithNoTests ${fixed(report)}`,
            }),
      }),
  };
}

function jest(place: Place, from: string, call: ScriptCall): Plan {
  const { path, ...plan } = nodePlan(place, { tool: "jest", from, call });
  const fixed = (report: string) => `--ci --json --outputFile=${quoted(report)} --cacheDirectory=/tmp/jest`;
  const kept = spaced(call.options);
  return {
    ...plan,
    command: `jest --ci${spaced(call.words)}`,
    format: { of: "tests", by: "jest-json", in: "report" },
    build: (selection) =>
      selected(selection, {
        full: (report) => `${path} ${fixed(report)}${spaced(call.words)}`,
        only: (files, report) => `${path}${kept} ${fixed(report)} --runTestsByPath ${words(files)}`,
        ...(call.patterns.length > 0
          ? { why: SCRIPT_SELECTS }
          : {
              related: (files, report) =>
                `${path}${kept} ${fixed(report)} --passWithNoTests --findRelatedTests ${words(files)}`,
            }),
      }),
  };
}

function mocha(place: Place, from: string, call: ScriptCall): Plan {
  const { path, ...plan } = nodePlan(place, { tool: "mocha", from, call });
  const fixed = (report: string) => `--reporter json --reporter-option output=${quoted(report)}`;
  return {
    ...plan,
    command: `mocha${spaced(call.words)}`,
    format: { of: "tests", by: "mocha-json", in: "report" },
    crashesOnLoad: true,
    build: (selection) =>
      selected(selection, {
        tool: "mocha",
        full: (report) => `${path} ${fixed(report)}${spaced(call.words)}`,
        only: (files, report) => `${path} ${fixed(report)}${spaced(call.options)} ${words(files)}`,
      }),
  };
}

const nodeReporter = ({ report, reporter }: Pick<Selection, "report" | "reporter">) =>
  `--test --test-reporter=${quoted(reporter("node-reporter.mjs"))} --test-reporter-destination=${quoted(report)}`;

/** As the script calls it, with a reporter. */
function nodeTest(place: Place, from: string, call: ScriptCall): Plan {
  const { path: _, missing: __, ...plan } = nodePlan(place, { tool: "node", from, call });
  const start = (selection: Selection) => `${BIN_PATH}${call.before}${call.variables}node ${nodeReporter(selection)}`;
  return {
    ...plan,
    tool: "node --test",
    command: `${call.variables}node --test${spaced(call.words)}`,
    format: { of: "tests", by: "own-lines", in: "report" },
    build: (selection) =>
      selected(selection, {
        tool: "node --test",
        full: () => `${start(selection)}${spaced(call.words)}`,
        only: (files) => `${start(selection)}${spaced(call.options)} ${words(files)}`,
      }),
  };
}

/** A script that only a shell can read, as it is, with a reporter. */
function nodeScript(place: Place, script: string): Plan {
  const format = { of: "tests", by: "own-lines", in: "report" } as const;
  const withReporter = (selection: Selection) => script.replace(/(?<=\s)--test(?=\s|$)/, () => nodeReporter(selection));
  return {
    ...scriptPlan(place, script),
    ...{ tool: "node --test", format },
    build: (selection) =>
      selected(selection, { tool: "node --test", full: () => `${BIN_PATH}${withReporter(selection)}` }),
  };
}

/** A script that calls something else: nothing but its exit code, or TAP, tells what came of it. */
function scriptPlan(place: Place, script: string): Plan {
  const {
    path: _,
    missing: __,
    ...plan
  } = nodePlan(place, {
    tool: "npm",
    from: inFolder(place.folder, "package.json"),
  });
  return {
    ...plan,
    tool: "npm test",
    command: script,
    format: { of: "tests", by: "any", in: "output" },
    build: (selection) => selected(selection, { tool: "npm test", full: () => `${BIN_PATH}${script}` }),
  };
}

const BIN_PATH = 'export PATH="$PWD/node_modules/.bin:$PATH"; ';

interface Ways {
  tool?: string;
  full: (report: string) => string;
  only?: (files: readonly string[], report: string) => string;
  related?: (files: readonly string[], report: string) => string;
  /** Why there is no way to run related tests, where the runner has one. */
  why?: string;
}

/** What a runner finds by the imports of tests. */
const IMPORTED = /\.[cm]?[jt]sx?$|\.vue$|\.svelte$/;

/** The narrowest way that a runner has. */
export function selected(selection: Selection, ways: Ways): Built {
  const { only, changed, scope, report } = selection;
  if (only !== undefined && ways.only !== undefined) return { command: ways.only(only, report), scope: "affected" };
  if (scope === "full" && only === undefined) return { command: ways.full(report), scope: "full" };
  const files = changed.filter((path) => SOURCES.test(path));
  const unseen = unseenIn(selection);
  if (ways.related !== undefined && files.length > 0 && unseen === undefined)
    return { command: ways.related(files, report), scope: "affected" };
  const fallback = unseen ?? "No changed file is one that tests import.";
  return {
    command: ways.full(report),
    scope: "full",
    fallback: ways.related === undefined ? (ways.why ?? NO_SELECTION(ways.tool ?? "the runner")) : fallback,
  };
}

/** Why tests that the change affects can't be found by what they import. */
function unseenIn({ changed, removed, isRough }: Selection): string | undefined {
  if (isRough === true) return undefined;
  if (removed !== undefined) return `Tests may have used ${removed}, which was removed.`;
  const read = changed.find((path) => !IMPORTED.test(path) && !isDocument(path));
  return read === undefined ? undefined : `Tests may read ${read} without importing it.`;
}
