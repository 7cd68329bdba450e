import { dirname } from "node:path/posix";
import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import type { Checked, TestCase } from "../checks/local-checks.ts";
import type { GateSubject } from "../gates/subject.ts";
import { found } from "./found.ts";
import { languageOf } from "./languages.ts";
import { readTests } from "./test-cases.ts";
import type { ChangedTestFile } from "./weakened-tests.ts";

const MOST_READ = 50;

/**
 * Test files beside those that reported tests, which the change leaves as they are and which reported none. With `node --test` each file is a
 * process of its own, which code under test can end without a failure.
 */
export async function silentFiles({ trees, tree, checks, changes }: GateSubject, now: Checked): Promise<string[]> {
  const isOwnProcess = now.evidence.length > 0 && now.evidence.every(endsAlone);
  if (!isOwnProcess) return [];
  const reported = new Set(now.tests.map(({ file }) => file));
  const folders = new Set(now.tests.flatMap(({ file }) => (file === undefined ? [] : [dirname(file)])));
  const changed = new Set(changes.map(({ path }) => path));
  const silent = (await trees.paths(tree)).filter(
    (path) => !reported.has(path) && !changed.has(path) && folders.has(dirname(path)) && checks.isTest(path),
  );
  const withCases = await Promise.all(
    silent.slice(0, MOST_READ).map(async (path) => {
      const language = languageOf(path);
      const text = language === undefined ? "" : String((await trees.read(tree, path)) ?? "");
      return language !== undefined && readTests(text, language).cases.length > 0 ? [path] : [];
    }),
  );
  return withCases.flat();
}

const endsAlone = ({ scope, toolchain = "" }: Checked["evidence"][number]) =>
  scope === "full" && toolchain.startsWith("node --test");

interface UnreportedCase {
  file: string;
  name: string;
  line: number;
}

/** Runners of these languages don't say in which file a test is. */
const WITHOUT_FILES = new Set(["rust", "go"]);

/** Tests that are written as before, in files that the change touches, and that the runner did not report. */
export function unreportedCases(files: readonly ChangedTestFile[], now: Checked): UnreportedCase[] {
  const names = new Set(now.tests.map(ownName));
  return files.flatMap(({ path, before, after }) => {
    const language = languageOf(path);
    if (language === undefined || !WITHOUT_FILES.has(language) || before === undefined || after === undefined)
      return [];
    const known = new Set(readTests(before, language).cases.map(({ name }) => name));
    return readTests(after, language)
      .cases.filter(({ name }) => known.has(name) && !names.has(name))
      .map(({ name, line }) => ({ file: path, name, line }));
  });
}

/** Those of them that ran on the base. */
export function lostCases(cases: readonly UnreportedCase[], before: Checked, now: Checked): GateFinding[] {
  const ran = new Set(before.tests.filter(({ status }) => status !== "skipped").map(ownName));
  const names = new Set(now.tests.map(ownName));
  return cases
    .filter(({ name }) => ran.has(name) && !names.has(name))
    .map(({ file, name, line }) =>
      found({
        code: "test-deleted",
        severity: "high",
        file,
        line,
        about: name,
        message: `The test '${name}' ran before the change and no longer runs.`,
        fix: "Make it run again, or have a person accept that it doesn't.",
      }),
    );
}

/** Without the program, package or module that a runner puts before it. */
function ownName({ name }: TestCase): string {
  return name.split(/[ :/.]/).at(-1) ?? name;
}
