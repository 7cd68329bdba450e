/** How the test script of a package starts a runner. */
export interface ScriptCall {
  /** What it runs before, as a shell reads it; empty, or with what comes between. */
  before: string;
  /** Variables that it sets, and node with what it is given where node starts the runner. */
  variables: string;
  byNode: string | undefined;
  /** What is kept, as it is written: options, and words that name tests. */
  words: string[];
  options: string[];
  patterns: string[];
  /** What of the script is not used, and may matter. */
  leftOut: string[];
  /** Files that options name as settings of the runner, as they are written. */
  settings: string[];
}

/** What a runner makes of the words after its name. Options are in camel case, without dashes, `no-` and parts after a dot. */
interface Grammar {
  /** Words that say no more than that tests are to run. */
  commands: readonly string[];
  /** Words that make it do something else. */
  others: readonly string[];
  /** Options with a value of their own; others have one only after `=`. */
  valued: readonly string[];
  /** Set by the gate itself, or without a meaning for it. */
  replaced: readonly string[];
  /** Not used: they change files, run less than all tests, or do something beside. */
  leftOut: readonly string[];
  /** With these it runs no tests. */
  refused: readonly string[];
}

export type ScriptRunner = "vitest" | "jest" | "mocha" | "node";

const GRAMMARS: Readonly<Record<ScriptRunner, Grammar>> = {
  vitest: {
    commands: ["run", "watch", "dev"],
    others: ["bench", "related", "list", "init"],
    valued: [
      ...["c", "config", "r", "root", "dir", "t", "testNamePattern", "reporter", "outputFile", "exclude", "project"],
      ...["mode", "environment", "pool", "testTimeout", "hookTimeout", "teardownTimeout", "maxWorkers", "minWorkers"],
      ...["maxConcurrency", "retry", "shard", "configLoader", "browser", "diff", "bail", "vmMemoryLimit", "execArgv"],
    ],
    replaced: [
      "run",
      "w",
      "watch",
      "reporter",
      "outputFile",
      "configLoader",
      "color",
      "clearScreen",
      "passWithNoTests",
    ],
    leftOut: ["u", "update", "changed", "shard", "coverage", "ui", "open", "bail", "silent", "standalone", "inspect"],
    refused: ["mergeReports", "listTags", "version", "v", "help", "h"],
  },
  jest: {
    commands: [],
    others: [],
    valued: [
      ...["c", "config", "rootDir", "roots", "projects", "selectProjects", "t", "testNamePattern", "testPathPattern"],
      ...["testPathPatterns", "testMatch", "testRegex", "testTimeout", "env", "testEnvironment", "maxWorkers", "w"],
      ...["reporters", "outputFile", "cacheDirectory", "shard", "changedSince", "setupFiles", "setupFilesAfterEnv"],
      ...["testPathIgnorePatterns", "ignoreProjects", "globalSetup", "globalTeardown", "transform", "preset", "runner"],
      ...["moduleDirectories", "moduleFileExtensions", "testEnvironmentOptions", "coverageReporters", "seed"],
      ...["coverageDirectory", "collectCoverageFrom", "coverageProvider", "coverageThreshold", "testRunner", "filter"],
    ],
    replaced: ["ci", "json", "outputFile", "reporters", "cacheDirectory", "cache", "color", "colors", "verbose"],
    leftOut: [
      ...["watch", "watchAll", "coverage", "collectCoverage", "coverageReporters", "coverageDirectory", "bail", "b"],
      ...["collectCoverageFrom", "coverageProvider", "coverageThreshold", "o", "onlyChanged", "onlyFailures", "f"],
      ...["lastCommit", "changedSince", "u", "updateSnapshot", "shard", "notify", "silent", "passWithNoTests"],
    ],
    refused: ["listTests", "showConfig", "init", "version", "help", "h", "findRelatedTests", "runTestsByPath"],
  },
  mocha: {
    commands: ["run"],
    others: ["init"],
    valued: [
      ...["r", "require", "import", "loader", "config", "package", "opts", "R", "reporter", "O", "reporterOption"],
      ...["reporterOptions", "t", "timeout", "s", "slow", "u", "ui", "g", "grep", "f", "fgrep", "retries", "j", "jobs"],
      ...["extension", "ignore", "exclude", "file", "spec", "watchFiles", "watchIgnore", "nodeOption", "n", "global"],
    ],
    replaced: ["R", "reporter", "O", "reporterOption", "reporterOptions", "c", "color", "colors", "w", "watch"],
    leftOut: ["watchFiles", "watchIgnore", "b", "bail", "growl", "G", "passOnFailingTestSuite"],
    refused: ["listInterfaces", "listReporters", "dryRun", "V", "version", "h", "help"],
  },
  node: {
    commands: [],
    others: [],
    valued: [
      ...["import", "r", "require", "loader", "experimentalLoader", "C", "conditions", "envFile", "envFileIfExists"],
      ...["testReporter", "testReporterDestination", "testNamePattern", "testSkipPattern", "testConcurrency"],
      ...["testTimeout", "testShard", "testGlobalSetup", "testIsolation", "stackTraceLimit", "testCoverageInclude"],
      ...[
        "testCoverageExclude",
        "testCoverageLines",
        "testCoverageBranches",
        "testCoverageFunctions",
        "testRandomSeed",
      ],
    ],
    replaced: ["test", "testReporter", "testReporterDestination"],
    leftOut: [
      ...["watch", "watchPath", "testOnly", "testUpdateSnapshots", "testShard", "experimentalTestCoverage"],
      ...["testCoverageInclude", "testCoverageExclude", "testCoverageLines", "testCoverageBranches"],
      ...["testCoverageFunctions"],
    ],
    refused: ["v", "version", "h", "help", "e", "eval", "p", "print", "c", "check"],
  },
};

/** Of these the value is a file that steers the runner. */
const SETTINGS = new Set(["config", "opts", "package", "testGlobalSetup"]);
const SHORT_SETTINGS: Readonly<Partial<Record<ScriptRunner, string>>> = { vitest: "c", jest: "c" };

const VARIABLES = /^(?:cross-env\s+)?((?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)*)(.*)$/s;
const QUOTED = `"(?:[^"\\\\]|\\\\.)*"|'[^']*'|\\\\.`;
const WORD = new RegExp(`(?:${QUOTED}|[^\\s"'\\\\])+`, "g");
const PIECE = new RegExp(`((?:${QUOTED}|[^"'\\\\;|&\\n])+)|(&&|\\|\\||[;|&\\n])`, "g");
const REDIRECTION = /\s\d?>{1,2}\s*(?:&\d|[^\s;|&<>]+)/g;
/** What only a shell can carry out. */
const SHELL = /[<>`()]/;
const STARTERS = new Set([
  "npx",
  "yarn",
  "pnpm",
  "bunx",
  "npm",
  "exec",
  "dlx",
  "--no-install",
  "--no",
  "--yes",
  "-y",
  "--",
]);
/** They look at the code, and no test needs them. */
const LINTER =
  /^(?:npx\s+)?(?:(?:eslint|biome|prettier|oxlint|xo|standard|stylelint|tslint|dprint|knip|publint|cspell|markdownlint\S*)\b|(?:vue-)?tsc\b.*\s-{1,2}noEmit\b)/;
const MOST_CALLS = 3;

/**
 * Reads how a script calls a runner. Undefined where it does not; `unreadable` where only a shell can tell what it does, or
 * where it calls several; `no-tests` where it runs none.
 */
export function callOf(
  scripts: Readonly<Record<string, unknown>>,
  runner: ScriptRunner,
): ScriptCall | "unreadable" | "no-tests" | undefined {
  const steps = [...stepsOf(scripts, "pretest", 0), ...stepsOf(scripts, "test", 0)];
  const at = steps.findIndex(({ text }) => stepOf(text, runner) !== undefined);
  const step = stepOf(steps[at]?.text ?? "", runner);
  if (step === undefined) return undefined;
  const [before, after] = [steps.slice(0, at), steps.slice(at + 1)];
  const isShell = SHELL.test(step.words.join(" ").replaceAll(new RegExp(QUOTED, "g"), ""));
  const isChain = before.every(({ end }) => end === "&&" || end === ";" || end === "\n");
  if (isShell || !isChain || [...before, ...after].some(({ text }) => isOtherRunner(text))) return "unreadable";
  const parsed = parsedWords(step, GRAMMARS[runner], SHORT_SETTINGS[runner]);
  if (parsed === "no-tests") return parsed;
  const isSkipped = ({ text }: Piece) => LINTER.test(text);
  const leftOut = [...before.filter(isSkipped), ...after].map(({ text }) => text);
  const kept = before.filter((one) => !isSkipped(one)).map(({ text, end }) => `${text} ${end} `);
  return { ...parsed, before: kept.join(""), leftOut: [...leftOut, ...parsed.leftOut] };
}

interface Piece {
  text: string;
  /** What comes after it. */
  end: string;
}

/** The commands of a script, one after the other; scripts that it calls are taken in. */
function stepsOf(scripts: Readonly<Record<string, unknown>>, name: string, depth: number): Piece[] {
  const script = scripts[name];
  if (typeof script !== "string") return [];
  const pieces: Piece[] = [];
  for (const [, text, end] of script.replaceAll(REDIRECTION, "").matchAll(PIECE)) {
    const last = pieces.at(-1);
    if (text !== undefined && text.trim() !== "") pieces.push({ text: text.trim(), end: "&&" });
    else if (end !== undefined && last !== undefined) last.end = end;
  }
  return pieces.flatMap((piece) => {
    const called = CALLED.exec(piece.text)?.[1];
    const inner = called === undefined || depth >= MOST_CALLS ? [] : stepsOf(scripts, called, depth + 1);
    const last = inner.at(-1);
    return last === undefined ? [piece] : [...inner.slice(0, -1), { ...last, end: piece.end }];
  });
}

const CALLED = /^(?:(?:npm|pnpm|yarn|bun)\s+run(?:-script)?|yarn|pnpm)\s+(?:-s\s+|--silent\s+)?([\w:.-]+)$/;

function isOtherRunner(text: string): boolean {
  return (Object.keys(GRAMMARS) as ScriptRunner[]).some((runner) => stepOf(text, runner) !== undefined);
}

interface Step {
  variables: string;
  byNode: string | undefined;
  /** Programs around the runner, such as one for coverage. */
  around: string[];
  words: string[];
}

/** A command that calls the runner. */
function stepOf(text: string, runner: ScriptRunner): Step | undefined {
  const [, variables = "", rest = ""] = VARIABLES.exec(text) ?? [];
  const words: string[] = rest.match(WORD) ?? [];
  const at = words.findIndex((word) => isRunner(word, runner));
  if (at === -1) return undefined;
  const before = words.slice(0, at);
  if (runner === "node")
    return words.includes("--test", at)
      ? { variables, byNode: undefined, around: before, words: words.slice(at + 1) }
      : undefined;
  const node = before.indexOf("node");
  const around = before.slice(0, node === -1 ? at : node).filter((word) => !STARTERS.has(word));
  const byNode = node === -1 ? undefined : words.slice(node, at + 1).join(" ");
  return { variables, byNode, around, words: words.slice(at + 1) };
}

function isRunner(word: string, runner: ScriptRunner): boolean {
  if (runner === "node") return word === "node";
  const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");
  return name === runner || name === `_${runner}`;
}

function parsedWords({ variables, byNode, around, words }: Step, grammar: Grammar, short: string | undefined) {
  const call: ScriptCall = {
    ...{ before: "", variables, byNode, words: [], options: [], patterns: [] },
    ...{ leftOut: around.length === 0 ? [] : [around.join(" ")], settings: [] },
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") || word === "--") {
      const isFirst = call.patterns.length === 0;
      if (isFirst && grammar.others.includes(word)) return "no-tests" as const;
      const isCommand = isFirst && grammar.commands.includes(word);
      if (isCommand || word === "--") continue;
      call.patterns.push(word);
      call.words.push(word);
      continue;
    }
    const name = nameOf(word);
    const hasValue = !word.includes("=") && grammar.valued.includes(name) && at + 1 < words.length;
    const value = hasValue ? words[++at] : undefined;
    const option = value === undefined ? word : `${word} ${value}`;
    if (grammar.refused.includes(name)) return "no-tests" as const;
    if (grammar.replaced.includes(name)) continue;
    if (grammar.leftOut.includes(name)) {
      call.leftOut.push(option);
      continue;
    }
    call.options.push(option);
    call.words.push(option);
    if (SETTINGS.has(name) || name === short) call.settings.push(unquoted(value ?? word.slice(word.indexOf("=") + 1)));
  }
  return call;
}

/** `--no-output-file.json=x` is `outputFile`. */
function nameOf(word: string): string {
  const [name = ""] = word.replace(/^--?(?:no-)?/, "").split(/[=.]/);
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function unquoted(word: string): string {
  return word.replaceAll(/["']/g, "");
}
