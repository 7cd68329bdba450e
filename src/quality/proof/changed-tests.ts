import { basename } from "node:path/posix";
import type { GateSubject } from "../gates/subject.ts";
import type { Overlay, TreeChange } from "../trees/tree-source.ts";
import { hasInlineTests, splitInlineTests } from "./inline-tests.ts";
import { isCodeFile, languageOf } from "./languages.ts";
import { readTests } from "./test-cases.ts";
import type { ChangedTestFile } from "./weakened-tests.ts";

/** A change, divided into tests and code. */
export interface DividedChange {
  /** Files of tests that are there after the change. */
  tests: TreeChange[];
  /** What tests need: fixtures, helpers, snapshots. */
  support: TreeChange[];
  /** Whether any of them says something else than before, formatting and comments aside. */
  altersTests: boolean;
  code: TreeChange[];
  /** Code whose own tests the change adds or alters. */
  inline: InlineTests[];
  /** Every file with tests that is there before or after the change, with its content. */
  contents: ChangedTestFile[];
}

interface InlineTests {
  path: string;
  /** The old code with the new tests; undefined for a new file. */
  content: Buffer | undefined;
}

const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|__fixtures__|__mocks__|__snapshots__|testdata|test[-_](?:helpers?|utils?|support|data))\//i;
const TEST_HELPERS = new Set(["conftest.py", "test_helper.rb", "spec_helper.rb"]);

export async function divideChange(subject: GateSubject): Promise<DividedChange> {
  const { changes, checks } = subject;
  const isTest = ({ path, from }: TreeChange) => checks.isTest(path) || (from !== undefined && checks.isTest(from));
  const isSupport = ({ path }: TreeChange) => TEST_FOLDER.test(path) || TEST_HELPERS.has(basename(path));
  const ofTests = changes.filter(isTest);
  const others = changes.filter((change) => !isTest(change) && !checks.isCheckSetting(change.path));
  const code = others.filter((change) => !isSupport(change) && isCodeFile(change.path));
  const deleted = new Set(code.flatMap(({ status, path }) => (status === "deleted" ? [stemOf(path)] : [])));
  const contents = await Promise.all(
    ofTests.map(async (change) => ({
      ...(await contentsOf(subject, change)),
      codeDeleted: change.status === "deleted" && deleted.has(stemOf(change.path)),
    })),
  );
  const own = await Promise.all(
    code.filter(({ path }) => hasInlineTests(path)).map(async (change) => inlineOf(await contentsOf(subject, change))),
  );
  const { tests, helpers } = withCases(
    ofTests.filter(({ status }) => status !== "deleted"),
    contents,
  );
  const support = [...helpers, ...others.filter((change) => isSupport(change) && change.status !== "deleted")];
  return {
    tests,
    support,
    altersTests: support.length > 0 || contents.some(isAltered),
    code,
    inline: own.flatMap(({ altered }) => altered ?? []),
    contents: [...contents, ...own.map(({ file }) => file)],
  };
}

/** Not everything in a folder of tests is a test; where nothing there can be read as one, all of it may be. */
function withCases(changes: TreeChange[], contents: readonly ChangedTestFile[]) {
  const empty = new Set(contents.filter((file) => !mayHaveCases(file)).map(({ path }) => path));
  const tests = changes.filter(({ path }) => !empty.has(path));
  return tests.length === 0
    ? { tests: changes, helpers: [] }
    : { tests, helpers: changes.filter(({ path }) => empty.has(path)) };
}

/** Tests that can't be read may say anything. */
function isAltered({ path, before, after }: ChangedTestFile): boolean {
  return languageOf(path) === undefined || meaningOf(before) !== meaningOf(after);
}

/** Without what a formatter changes. */
function meaningOf(text: string | undefined): string | undefined {
  return text?.replaceAll(/^\s*(?:\/\/|#(?!\[)).*$/gm, "").replaceAll(/[\s,;"'`()]/g, "");
}

function mayHaveCases({ path, after = "" }: ChangedTestFile): boolean {
  const language = languageOf(path);
  return language === undefined || readTests(after, language).cases.length > 0;
}

/** `cart.test.ts`, `test_cart.py` and `cart_test.go` are of `cart`. */
function stemOf(path: string): string {
  return basename(path)
    .replace(/\.(?:test|spec)\.\w+$|\.\w+$/, "")
    .replace(/^test_|_test$/, "");
}

async function contentsOf({ trees, baseTree, tree }: GateSubject, change: TreeChange): Promise<ChangedTestFile> {
  const { path, from, status } = change;
  // What cannot be read as tests is compared by its path alone.
  const isText = !change.binary && languageOf(path) !== undefined;
  const text = async (of: string, at: string) => (isText ? ((await trees.read(of, at))?.toString("utf8") ?? "") : "");
  return {
    path,
    from,
    before: status === "added" ? undefined : await text(baseTree, from ?? path),
    after: status === "deleted" ? undefined : await text(tree, path),
  };
}

function inlineOf({ path, before, after }: ChangedTestFile): { file: ChangedTestFile; altered?: InlineTests } {
  const was = splitInlineTests(before ?? "");
  const is = splitInlineTests(after ?? "");
  const file = {
    path,
    before: before === undefined || was.tests === "" ? undefined : before,
    // A file without a test module still stands: its tests are gone one by one.
    after: after ?? (was.tests === "" ? undefined : ""),
  };
  if (is.tests === "" || is.tests === was.tests) return { file };
  const content = before === undefined ? undefined : Buffer.from(`${was.code}${is.tests}`);
  return { file, altered: { path, content } };
}

/** The base with only the tests of the change. */
export function testsOnly({ tests, support, inline }: DividedChange, tree: string): Overlay[] {
  return [
    ...[...tests, ...support].flatMap(({ path, from }): Overlay[] => [
      ...(from === undefined ? [] : [{ path: from, remove: true } as const]),
      { path, from: tree },
    ]),
    ...inline.flatMap(({ path, content }): Overlay[] => (content === undefined ? [] : [{ path, content }])),
  ];
}
