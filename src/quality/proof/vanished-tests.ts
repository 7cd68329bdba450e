import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import type { Checked, TestCase } from "../checks/local-checks.ts";
import { found } from "./found.ts";

interface Compared {
  /** The test files in question on the base. */
  before: Checked;
  now: Checked;
  /** Old paths of files to their new ones. */
  moved: ReadonlyMap<string, string>;
  /** Test files that the change adds or alters, as they are called now. */
  touched: ReadonlySet<string>;
  /** What their text showed already. */
  written: readonly GateFinding[];
  /** Whether both ran everything: a file that reports nothing now has lost its tests. */
  isWhole: boolean;
}

/** Tests that ran before and are gone or skipped now. A file with as many tests as before has renamed ones. */
export function vanishedTests({ before, now, moved, touched, written, isWhole }: Compared): GateFinding[] {
  const files = Map.groupBy(before.tests.filter(ran), ({ file = "" }) => moved.get(file) ?? file);
  const isNew = ({ file = "", name }: TestCase) => !(files.get(file) ?? []).some((one) => one.name === name);
  const fresh = now.tests.filter((test) => ran(test) && touched.has(test.file ?? "") && isNew(test));
  return [...files].flatMap(([file, tests]) => {
    const current = now.tests.filter((test) => test.file === file);
    if (file === "" || written.some((finding) => finding.file === file)) return [];
    if (current.length === 0 && !isWhole) return [];
    const skipped = tests.filter(({ name }) => current.some((one) => one.name === name && one.status === "skipped"));
    const missing = tests.filter(({ name }) => current.every((one) => one.name !== name));
    const gone = missing.filter((test) => !isElsewhere(test, fresh));
    const isRenamed = current.filter(ran).length + skipped.length + missing.length - gone.length >= tests.length;
    return [
      ...skipped.map((test) => finding("test-skipped", file, test)),
      ...(isRenamed ? [] : gone.map((test) => finding("test-deleted", file, test))),
    ];
  });
}

const ran = ({ status }: TestCase) => status === "passed" || status === "failed";

/** Whether it was moved to another file of the change. Each test there stands for one. */
function isElsewhere(test: TestCase, fresh: TestCase[]): boolean {
  const title = titleOf(test);
  const at = fresh.findIndex((other) => other.file !== test.file && titleOf(other) === title);
  if (at !== -1) fresh.splice(at, 1);
  return at !== -1;
}

/** Without the suite, class or module that a runner puts before it. */
function titleOf({ name, file = "" }: TestCase): string | undefined {
  return name.split(file.endsWith(".py") ? /[ .]/ : " > ").at(-1);
}

function finding(code: "test-skipped" | "test-deleted", file: string, { name, line }: TestCase): GateFinding {
  const what = code === "test-skipped" ? "is skipped now" : "no longer runs";
  return found({
    code,
    severity: "high",
    file,
    line,
    about: name,
    message: `The test '${name}' ran before the change and ${what}.`,
    fix: "Make it run again, or have a person accept that it doesn't.",
  });
}
