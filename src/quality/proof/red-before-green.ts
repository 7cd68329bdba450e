import type { TaskType } from "../../contract/documents/task-status.ts";
import type { Checked, TestCase } from "../checks/local-checks.ts";

type RedKind = "assertion" | "missing" | "other";

export interface Red {
  name: string;
  file?: string | undefined;
  kind: RedKind;
}

/** Kinds of red that prove a change; undefined where none is needed. */
export function neededReds(type: TaskType): readonly RedKind[] | undefined {
  switch (type) {
    case "bug":
      return ["assertion"];
    case "feature":
    case "other":
      return ["assertion", "missing"];
    default:
      return undefined;
  }
}

/** How a change's tests did on the code before it. */
type RedVerdict =
  | { is: "proven"; reds: Red[] }
  /** `reds`: of a kind that proves nothing for a change of this type. */
  | { is: "not-red"; reds: Red[] }
  /** They failed, and it is unclear whether by what they check. */
  | { is: "unclear"; reds: Red[] };

export function judgeReds(reds: Red[], needed: readonly RedKind[]): RedVerdict {
  if (reds.some(({ kind }) => needed.includes(kind))) return { is: "proven", reds };
  return { is: reds.some(({ kind }) => kind === "other") ? "unclear" : "not-red", reds };
}

/** Tests that fail on the old code and pass on the new. Both sides ran the same test files. */
export function redsOf(before: Checked, now: Checked): Red[] {
  const failed = before.tests.filter(({ status }) => status === "failed");
  if (failed.length > 0) return failed.filter((test) => passesNow(test, now)).map(redOf);
  if (before.verdict !== "fail" || now.verdict !== "pass") return [];
  // The same tests compile with the change, so what they miss is in it.
  const missing = before.errors.map((error): Red => ({ name: error.message, file: error.file, kind: "missing" }));
  // Nothing but an exit code: why it failed can't be said.
  return missing.length > 0 ? missing : [{ name: "the test command", kind: "other" }];
}

const redOf = ({ name, file, failure }: TestCase): Red => ({ name, file, kind: failure ?? "other" });

function passesNow(test: TestCase, now: Checked): boolean {
  const same = now.tests.filter(({ id }) => id === test.id);
  if (same.length > 0) return same.every(({ status }) => status === "passed");
  // A file that can't be loaded fails as a whole, under its own name.
  const ofFile = now.tests.filter(({ file }) => file !== undefined && file === test.file);
  if (ofFile.length > 0) return ofFile.some(({ status }) => status === "passed");
  if (test.file !== undefined && saysFiles(now)) return false;
  return now.verdict === "pass";
}

/** Whether a file that it does not name was not run. */
export function saysFiles({ tests }: Checked): boolean {
  return tests.length > 0 && tests.every(({ file }) => file !== undefined);
}

/** Tests that stand in new code, and so could not be run without it. */
export function unrunnable(before: Checked, now: Checked): Red[] {
  const known = new Set(before.tests.map(({ id }) => id));
  return now.tests
    .filter(({ id, status }) => status === "passed" && !known.has(id))
    .map(({ name, file }) => ({ name, file, kind: "missing" }));
}
