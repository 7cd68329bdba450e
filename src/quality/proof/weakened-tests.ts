import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import { found } from "./found.ts";
import { languageOf } from "./languages.ts";
import { readTests, type WrittenCase, type WrittenTests } from "./test-cases.ts";
import { isRepeated, weakenedBy } from "./weaker-case.ts";

/** A file with tests, before and after the change. */
export interface ChangedTestFile {
  path: string;
  /** Where it was before, if elsewhere. */
  from?: string | undefined;
  before: string | undefined;
  after: string | undefined;
  /** Whether the code of the same name was deleted too. */
  codeDeleted?: boolean | undefined;
}

interface Compared extends ChangedTestFile {
  was: WrittenTests;
  is: WrittenTests;
}

interface PlacedCase extends WrittenCase {
  file: Compared;
}

const NONE: WrittenTests = { cases: [], markers: [] };

/** Tests that are there less than before: deleted, skipped, focused, emptied or weakened. One that was renamed or moved is not. */
export function weakenedTests(files: readonly ChangedTestFile[]): GateFinding[] {
  const compared = files.map(
    (file): Compared => ({ ...file, was: testsIn(file, file.before), is: testsIn(file, file.after) }),
  );
  const gone = withoutMoved(compared);
  return [
    ...compared.flatMap((file) =>
      deletions(
        file,
        gone.filter((one) => one.file === file),
      ),
    ),
    ...addedMarkers(compared),
    ...compared.flatMap(emptied),
    ...compared.flatMap(weaker),
  ];
}

function testsIn({ path }: ChangedTestFile, text: string | undefined): WrittenTests {
  const language = languageOf(path);
  return text === undefined || language === undefined ? NONE : readTests(text, language);
}

/** Cases of the old files that no new file has, under this name or with this content. */
function withoutMoved(files: readonly Compared[]): PlacedCase[] {
  const gone = files.flatMap((file) => missingFrom(file.was.cases, file.is.cases).map((one) => ({ ...one, file })));
  const fresh = files.flatMap((file) => missingFrom(file.is.cases, file.was.cases));
  return gone.filter((one) => {
    const at = fresh.findIndex((other) => isSameCase(other, one));
    if (at !== -1) fresh.splice(at, 1);
    return at === -1;
  });
}

/** The same test moved, under a new name, or as rows of a table: 'adds' is now 'adds %i and %i'. */
function isSameCase(fresh: WrittenCase, gone: WrittenCase): boolean {
  const isRow = fresh.name.startsWith(`${gone.name} `) && isRepeated(fresh.masked, gone.masked) && fresh.asserts;
  return isRow || fresh.name === gone.name || isSameBody(fresh.body, gone.body);
}

/** As many of each name as there are. */
function missingFrom(cases: readonly WrittenCase[], others: readonly WrittenCase[]): WrittenCase[] {
  const left = others.map(({ name }) => name);
  return cases.filter(({ name }) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** Below this, two tests of the same shape are easily two tests. */
const LEAST_WORDS = 12;
const SIMILAR = 0.8;

/** Whether a case is the other one under a new name. */
function isSameBody(left: string, right: string): boolean {
  const [all, others] = [partsOf(left), partsOf(right)];
  if (all.length === 0 || others.length === 0) return false;
  // Brackets and dots are alike in all tests.
  const [ours, theirs] = [all.filter(isWord), others.filter(isWord)];
  if (Math.min(ours.length, theirs.length) < LEAST_WORDS) return all.join(" ") === others.join(" ");
  const counts = new Map<string, number>();
  for (const word of ours) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = theirs.filter((word) => {
    const count = counts.get(word) ?? 0;
    counts.set(word, count - 1);
    return count > 0;
  });
  return (2 * common.length) / (ours.length + theirs.length) >= SIMILAR;
}

/** Without the name that a call has as its first argument. */
function partsOf(body: string): string[] {
  return body.replace(/^\(\s*(["'`])(?:(?!\1).)*\1/, "").match(/\w+|[^\w\s]/g) ?? [];
}

const isWord = (part: string) => /\w/.test(part);

function deletions(file: Compared, gone: readonly PlacedCase[]): GateFinding[] {
  const severity = file.codeDeleted ? "low" : "high";
  if (file.after !== undefined)
    return gone.map((one) =>
      found({
        code: "test-deleted",
        severity,
        file: file.path,
        about: one.name,
        message: `The test '${one.name}' was deleted.`,
        fix: "Restore the test, or have a person accept its removal.",
      }),
    );
  // Tests that can't be read here are gone with their file.
  if (file.was.cases.length > 0 && gone.length === 0) return [];
  const names = gone.map(({ name }) => `'${name}'`);
  const which =
    names.length === 0
      ? ""
      : ` with ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""}`;
  return [
    found({
      code: "test-deleted",
      severity,
      file: file.path,
      message: `The test file was deleted${which}.`,
      fix: "Restore the tests, or have a person accept their removal.",
    }),
  ];
}

const MARKED = {
  skipped: { code: "test-skipped", says: "no longer runs", fix: "Remove the marker so that the test runs." },
  focused: {
    code: "test-focused",
    says: "keeps other tests from running",
    fix: "Remove the marker so that all tests run.",
  },
} as const;

function addedMarkers(files: readonly Compared[]): GateFinding[] {
  const known = files.flatMap(({ was }) => was.markers.map(({ kind, text }) => `${kind} ${text}`));
  return files.flatMap(({ path, is }) =>
    is.markers.flatMap(({ kind, line, text }) => {
      const at = known.indexOf(`${kind} ${text}`);
      if (at !== -1) {
        known.splice(at, 1);
        return [];
      }
      const { code, says, fix } = MARKED[kind];
      const shown = text.length > 120 ? `${text.slice(0, 119)}…` : text;
      return [
        found({ code, severity: "high", file: path, line, about: text, message: `A test ${says}: ${shown}`, fix }),
      ];
    }),
  );
}

function emptied({ path, was, is }: Compared): GateFinding[] {
  return was.cases.flatMap((before) => {
    const after = is.cases.find(({ name }) => name === before.name);
    if (after === undefined || !before.asserts || after.asserts) return [];
    return [
      found({
        code: "test-emptied",
        severity: "high",
        file: path,
        line: after.line,
        about: before.name,
        message: `The test '${before.name}' no longer checks anything.`,
        fix: "Restore its assertions.",
      }),
    ];
  });
}

const WEAKER = {
  fewer: "has fewer assertions than before",
  looser: "compares less exactly than before",
  tautology: "has an assertion that always holds",
  unawaited: "no longer waits for its assertions",
  returns: "returns before its assertions",
  swallows: "ignores errors that it did not ignore before",
  conditional: "has assertions that only run under a condition now",
} as const;

function weaker({ path, was, is }: Compared): GateFinding[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  return was.cases.flatMap((before) => {
    const after = sameCase(before, was, is);
    if (after === undefined || !before.asserts || !after.asserts) return [];
    const how = weakenedBy(before, after, language);
    if (how === undefined) return [];
    return [
      found({
        code: "test-weakened",
        severity: "high",
        file: path,
        line: after.line,
        about: before.name,
        message: `The test '${before.name}' ${WEAKER[how]}.`,
        fix: "Restore what it checked, or have a person accept the change.",
      }),
    ];
  });
}

/** Several suites of a file may have a test of the same name. */
function sameCase({ name }: WrittenCase, was: WrittenTests, is: WrittenTests): WrittenCase | undefined {
  const same = is.cases.filter((one) => one.name === name);
  return same.length === 1 && was.cases.filter((one) => one.name === name).length === 1 ? same[0] : undefined;
}
