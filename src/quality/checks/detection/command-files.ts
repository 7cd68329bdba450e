import { dirname, normalize } from "node:path/posix";
import { isTestPath, recordOf } from "../check-settings.ts";
import { parsedJson } from "../formats/parsed.ts";
import { type BaseTree, inFolder } from "./plan.ts";

/** What these programs read to know what to do. */
const RECIPES = new Map<string, readonly string[]>(
  Object.entries({
    make: ["Makefile", "makefile", "GNUmakefile"],
    gmake: ["Makefile", "makefile", "GNUmakefile"],
    just: ["justfile", "Justfile", ".justfile"],
    task: ["Taskfile.yml", "Taskfile.yaml"],
    rake: ["Rakefile"],
    mage: ["magefile.go"],
    gradle: ["build.gradle", "build.gradle.kts"],
    gradlew: ["build.gradle", "build.gradle.kts"],
    mvn: ["pom.xml"],
  }),
);
const PACKAGE_RUNNERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const MOST_CALLS = 4;
const MOST_TEXT = 10_000;
const MOST_SETTINGS = 100_000;
/** Programs that only look at what they are given: what `grep` searches is what is judged, and decides nothing. */
const READERS =
  /^\s*(?:!\s*)?(?:\w+=\S*\s+)*(?:[\w/]*\/)?(?:grep|egrep|fgrep|rg|test|\[{1,2}|cat|head|tail|wc|ls|stat|file|diff|cmp|find|sort|uniq|cut|tr|jq|echo|printf)(?=\s|$)/;
const WORDS = /[^\s"'`;|&()<>=]+/g;

/**
 * The files that decide what a command does: those that it names, and what `make` and the like read. Tests are none of them,
 * as they may change. Relative to the root of the repository.
 */
export async function filesOfCommand(base: BaseTree, folder: string, command: string, depth = 0): Promise<string[]> {
  const steps = command.slice(0, MOST_TEXT).split(/&&|\|\||[;|\n]/);
  const words = steps.flatMap((step) => step.match(WORDS) ?? []);
  const named = steps.flatMap(decidingWords);
  const files = named
    .map((word) => normalize(inFolder(folder, word)))
    .filter((path) => base.paths.has(path) && !isTestPath(path) && !isNamedAsTests(path));
  const isPackage = words.some((word) => PACKAGE_RUNNERS.has(word));
  const called = isPackage && depth < MOST_CALLS ? await scriptsOf(base, folder, words) : [];
  const inner = await Promise.all(called.map((script) => filesOfCommand(base, folder, script, depth + 1)));
  return [...new Set([...files, ...inner.flat()])];
}

/** What a runner is given without an option names tests. */
function decidingWords(step: string): string[] {
  if (READERS.test(step)) return [];
  const words = step.match(WORDS) ?? [];
  const given = RUNNER.test(step) ? words.filter((_, at) => isOption(words[at - 1])) : words;
  return given.flatMap((word) => [word, ...(RECIPES.get(word.slice(word.lastIndexOf("/") + 1)) ?? [])]);
}

const isOption = (word = "") => word.startsWith("-") && word !== "--test";
const RUNNER = /(?:^|[\s/])(?:vitest|jest|mocha|ava|tap|pytest|unittest)\b|(?:^|\s)node\s.*--test\b/;

/** `check.mjs`, `tests.py`: a program that is a test itself, and no script that runs some. */
function isNamedAsTests(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /(?:^|[._-])(?:tests?|specs?|checks?)[._-].*(?:[jt]sx?|py|rb)$/.test(name) && !/run/.test(name);
}

/** The scripts of a package that a command calls. */
async function scriptsOf(base: BaseTree, folder: string, words: readonly string[]): Promise<string[]> {
  const manifest = recordOf(parsedJson((await base.text(inFolder(folder, "package.json"))) ?? "{}"));
  const scripts = recordOf(manifest?.scripts) ?? {};
  const names = words.map((word) => (word === "t" ? "test" : word));
  return names.flatMap((name) => {
    const texts = [`pre${name}`, name, `post${name}`].map((key) => scripts[key]);
    return texts.filter((text) => typeof text === "string");
  });
}

/** How settings name what a runner loads beside the tests, and other settings. */
const LOADED =
  /\b(?:setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|require|import|from|extends|preset|transform|reporters|plugins|testEnvironment|testRunner|resolver)\b["']?\s*[:=(]?\s*(\[[^\]]{0,2000}\]|[^\n]*(?:\n\s+-[^\n]*)*)/g;
const NAMES = /[^\s"'`,;[\](){}]+/g;
const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];
const MOST_DEPTH = 3;

/** The files that a text of settings takes in, and those that they take in: they steer the runner as much as it does. */
export async function filesOfSettings(base: BaseTree, folder: string, text: string, depth = 0): Promise<string[]> {
  const lists = [...text.slice(0, MOST_SETTINGS).matchAll(LOADED)].flatMap(([, list = ""]) => list.match(NAMES) ?? []);
  const files = lists.flatMap((name) => {
    const at = normalize(inFolder(folder, name.replace("<rootDir>/", "./")));
    const isRelative = name.startsWith(".") || name.startsWith("<rootDir>/");
    const file = ["", ...(isRelative ? ENDINGS : [])].map((end) => `${at}${end}`).find((one) => base.paths.has(one));
    return file === undefined || isTestPath(file) ? [] : [file];
  });
  if (depth >= MOST_DEPTH) return files;
  const inner = await Promise.all(
    files.map(async (file) => filesOfSettings(base, dirname(file), (await base.text(file)) ?? "", depth + 1)),
  );
  return [...new Set([...files, ...inner.flat()])];
}
