import { quoted } from "../../../agent/sandbox/sandbox.ts";
import { sectionsOf } from "../check-settings.ts";
import { selected } from "./javascript.ts";
import { namedTests } from "./named-tests.ts";
import { type BaseTree, type Installed, inFolder, type Plan, type Selection, words } from "./plan.ts";

const SOURCES = /\.pyi?$/;
/** Which packages there are decides as much as the code. */
const TESTED = /\.pyi?$|(?:^|\/)(?:pyproject\.toml|requirements[^/]*\.txt|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?)$/;
const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** Test files that are read to see how they are written. */
const MOST_READ = 10;

interface Place {
  base: BaseTree;
  installed: Installed;
  folder: string;
}

export async function pythonPlans(base: BaseTree, installed: Installed, folder: string): Promise<Plan[]> {
  const place = { base, installed, folder };
  const tests = await testPlan(place);
  const settings = ["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"].map((name) => inFolder(folder, name));
  const texts = await Promise.all(settings.map((path) => base.text(path)));
  const named = namedTests(
    texts.map((text) => text ?? ""),
    [],
  );
  return [await syntaxPlan(place), ...(tests === undefined ? [] : [{ ...tests, ...(named && { tests: named }) }])];
}

async function syntaxPlan(place: Place): Promise<Plan> {
  const { base, folder } = place;
  const has = (name: string) => base.paths.has(inFolder(folder, name));
  const sections = await sectionTitles(place, ["pyproject.toml", "setup.cfg"]);
  if (has("mypy.ini") || has(".mypy.ini") || hasSection(sections, /^(?:tool\.)?mypy\b/)) return mypy(place, sections);
  if (has("pyrightconfig.json") || hasSection(sections, /^tool\.pyright\b/)) return pyright(place);
  return {
    ...common(place, "syntax"),
    tool: "parser",
    command: "parse the changed files",
    format: { of: "errors", by: "own" },
    build: ({ changed, reporter }) => {
      const files = changed.filter((path) => path.endsWith(".py"));
      if (files.length === 0) return undefined;
      return {
        command: `${pythonOf(place)} -I ${quoted(reporter("parse-python.py"))} ${words(files)}`,
        scope: "affected",
      };
    },
  };
}

async function mypy(place: Place, sections: ReadonlyMap<string, string>): Promise<Plan> {
  const own = [...sections].filter(([title]) => /^(?:tool\.)?mypy$/.test(title)).map(([, body]) => body);
  const ini = (await place.base.text(inFolder(place.folder, "mypy.ini"))) ?? "";
  const isScoped = [...own, ini].some((body) => /^\s*(?:files|packages|modules)\s*=/m.test(body));
  return {
    ...(await withModule(place, "mypy", common(place, "syntax"))),
    tool: "mypy",
    command: "mypy",
    format: { of: "errors", by: "mypy" },
    exits: { 2: "config-error" },
    build: ({ reporter }) => ({
      command: `${moduleOf(place, "mypy", reporter)} --no-error-summary --no-color-output --no-pretty --cache-dir=/tmp/mypy${isScoped ? "" : " ."}`,
      scope: "full",
    }),
  };
}

function pyright(place: Place): Plan {
  const found = place.installed.nodeProgram(place.folder, "pyright")?.path ?? place.installed.program("pyright");
  return {
    ...common(place, "syntax"),
    tool: "pyright",
    command: "pyright",
    ...(found === undefined ? { missing: "pyright is not installed." } : {}),
    format: { of: "errors", by: "pyright" },
    exits: { 2: "config-error", 3: "config-error", 4: "config-error" },
    build: () => ({ command: `${quoted(found ?? "pyright")} --outputjson`, scope: "full" }),
  };
}

async function testPlan(place: Place): Promise<Plan | undefined> {
  const { base, folder } = place;
  const prefix = folder === "" ? "" : `${folder}/`;
  const tests = [...base.paths].filter((path) => path.startsWith(prefix) && TEST_FILE.test(path));
  const from = await pytestSetting(place);
  if (tests.length === 0 && from === undefined) return undefined;
  if (from !== undefined || !(await areUnittests(base, tests))) return pytest(place, from ?? tests[0] ?? "");
  return {
    ...common(place, "tests"),
    tool: "unittest",
    command: "python -m unittest",
    from: tests[0] ?? "",
    format: { of: "tests", by: "own-lines", in: "report" },
    build: (selection) => {
      const run = (report: string) =>
        `${QUIET}${pythonOf(place)} ${quoted(selection.reporter("unittest-reporter.py"))} ${quoted(report)}`;
      return selected(selection, {
        tool: "unittest",
        full: run,
        only: (files, report) => `${run(report)} ${words(files)}`,
      });
    },
  };
}

const QUIET = "export PYTHONDONTWRITEBYTECODE=1; ";

async function pytest(place: Place, from: string): Promise<Plan> {
  const run = ({ report, reporter }: Selection) =>
    `${QUIET}${moduleOf(place, "pytest", reporter)} -q --continue-on-collection-errors -p no:cacheprovider -o junit_family=xunit1 --junitxml=${quoted(report)}`;
  return {
    ...(await withModule(place, "pytest", common(place, "tests"))),
    tool: "pytest",
    command: "pytest",
    from,
    format: { of: "tests", by: "junit", in: "report", firstLine: 0 },
    exits: { 3: "infra-failure", 4: "config-error", 5: "no-tests" },
    build: (selection) =>
      selected(selection, {
        tool: "pytest",
        full: () => run(selection),
        only: (files) => `${run(selection)} ${words(files)}`,
      }),
  };
}

/** The file that says that the tests are pytest's. */
async function pytestSetting(place: Place): Promise<string | undefined> {
  const { base, folder } = place;
  const named = ["pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"].find((name) =>
    base.paths.has(inFolder(folder, name)),
  );
  if (named !== undefined) return inFolder(folder, named);
  for (const name of ["pyproject.toml", "setup.cfg", "tox.ini"]) {
    const text = (await base.text(inFolder(folder, name))) ?? "";
    if (sectionsOf(text).some(({ title }) => /^(?:tool[:.])?pytest\b/.test(title))) return inFolder(folder, name);
  }
  const lists = [
    "pyproject.toml",
    "requirements.txt",
    "requirements-dev.txt",
    "dev-requirements.txt",
    "requirements/dev.txt",
    "Pipfile",
    "setup.py",
    "setup.cfg",
  ];
  for (const name of lists)
    if (/\bpytest\b/.test((await base.text(inFolder(folder, name))) ?? "")) return inFolder(folder, name);
  return undefined;
}

async function areUnittests(base: BaseTree, tests: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(tests.slice(0, MOST_READ).map(async (path) => (await base.text(path)) ?? ""));
  if (texts.some((text) => /^\s*(?:import|from) pytest\b/m.test(text))) return false;
  return texts.some((text) => /^\s*(?:import|from) unittest\b/m.test(text));
}

function common({ folder, installed }: Place, check: Plan["check"]) {
  const found = installed.python(folder);
  return {
    check,
    language: "python" as const,
    folder,
    from: inFolder(folder, "pyproject.toml"),
    ...(found === undefined ? { missing: "Python is not installed." } : {}),
    covers: check === "tests" ? TESTED : SOURCES,
    witnesses: found?.witnesses ?? [],
  };
}

async function withModule<Of extends { missing?: string }>(
  place: Place,
  module: string,
  plan: Of,
): Promise<Of & { missing?: string }> {
  const found = place.installed.python(place.folder);
  if (found === undefined || (await place.installed.hasPythonModule(found.path, module))) return plan;
  return { ...plan, missing: `${module} is not installed for ${found.path}.` };
}

function pythonOf({ folder, installed }: Place): string {
  return quoted(installed.python(folder)?.path ?? "python3");
}

/** As `python -m` would run it. */
function moduleOf(place: Place, module: string, reporter: Selection["reporter"]): string {
  return `${pythonOf(place)} ${quoted(reporter("python-module.py"))} ${module}`;
}

async function sectionTitles({ base, folder }: Place, names: readonly string[]): Promise<Map<string, string>> {
  const texts = await Promise.all(names.map(async (name) => (await base.text(inFolder(folder, name))) ?? ""));
  return new Map(texts.flatMap((text) => sectionsOf(text).map(({ title, body }) => [title, body] as const)));
}

function hasSection(sections: ReadonlyMap<string, string>, pattern: RegExp): boolean {
  return [...sections.keys()].some((title) => pattern.test(title));
}
