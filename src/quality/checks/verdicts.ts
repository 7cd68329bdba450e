import type { GateReason } from "../../contract/documents/quality/gate.ts";
import type { FailureKind } from "../../contract/words/gate-words.ts";
import type { Plan } from "./detection/plan.ts";
import { loadFailure } from "./formats/failure-class.ts";
import type { ParsedErrors, ParsedTests } from "./formats/parsed.ts";
import type { CodeError, TestCase } from "./local-checks.ts";

/** How one command ended, as far as it decides. */
export interface Ended {
  code: number;
  tail: string;
}

export interface Judged {
  verdict: "pass" | "fail" | "unable";
  kind: FailureKind;
  reason?: GateReason | undefined;
  errors: CodeError[];
  tests: TestCase[];
}

const NOT_FOUND = [126, 127];
/** Of a test that stands for the whole command. */
export const WHOLE_COMMAND = "(command)";

export function unable(kind: FailureKind, reason: GateReason): Judged {
  return { verdict: "unable", kind, reason, errors: [], tests: [] };
}

export function judgeErrors(plan: Plan, { code, tail }: Ended, { errors, isUnreadable }: ParsedErrors): Judged {
  if (code === 0) return { verdict: "pass", kind: "none", errors: [], tests: [] };
  const refused = exitVerdict(plan, { code, tail });
  if (refused !== undefined) return refused;
  if (errors.length > 0) return { verdict: "fail", kind: "none", errors, tests: [] };
  if (plan.tool === "command")
    return { verdict: "fail", kind: "none", errors: [{ message: lastLines(tail) }], tests: [] };
  const said = isUnreadable ? "reported nothing that can be read" : "named no error";
  return unable("infra-failure", {
    code: "infra-failure",
    text: `${plan.tool} ended with exit code ${code} and ${said}.`,
  });
}

export function judgeTests(plan: Plan, { code, tail }: Ended, { tests, isUnreadable }: ParsedTests): Judged {
  if (isUnreadable) return judgeUnreadable(plan, { code, tail });
  const executed = tests.filter(({ status }) => status !== "skipped");
  if (executed.some(({ status }) => status === "failed")) return failed(tests);
  const refused = code === 0 ? undefined : exitVerdict(plan, { code, tail });
  if (refused !== undefined) return refused;
  if (executed.length === 0) {
    const text =
      tests.length === 0
        ? `${toolOf(plan)} found no tests.`
        : `${toolOf(plan)} skipped all of its tests (${tests.length}).`;
    return { ...unable("no-tests", { code: tests.length === 0 ? "no-tests" : "nothing-ran", text }), tests };
  }
  if (code === 0) return { verdict: "pass", kind: "none", errors: [], tests };
  // Every test passed, and the runner failed all the same: an error outside the tests, or a threshold.
  return failed([...tests, wholeCommand(code, tail)]);
}

/** Nothing but how the command ended tells what came of it. */
export function judgeExit(plan: Plan, ended: Ended): Judged {
  if (ended.code === 0) return { verdict: "pass", kind: "none", errors: [], tests: [] };
  return exitVerdict(plan, ended) ?? { ...failed([wholeCommand(ended.code, ended.tail)]) };
}

function judgeUnreadable(plan: Plan, ended: Ended): Judged {
  const { code, tail } = ended;
  if (code === 0)
    return unable("no-tests", {
      code: "nothing-ran",
      text: `${toolOf(plan)} ended without an error, but reported no tests, or not all of them.`,
    });
  const refused = exitVerdict(plan, ended);
  if (refused !== undefined) return refused;
  if (plan.crashesOnLoad) return failed([{ ...wholeCommand(code, tail), failure: loadFailure(tail) }]);
  return unable("infra-failure", {
    code: "infra-failure",
    text: `${toolOf(plan)} ended with exit code ${code} and reported nothing that can be read.`,
  });
}

/** As a sentence begins: a command that the person set has no name. */
function toolOf({ tool }: Plan): string {
  return tool === "command" ? "The command" : tool;
}

function exitVerdict(plan: Plan, { code }: Ended): Judged | undefined {
  if (NOT_FOUND.includes(code))
    return unable("config-error", {
      code: "config-error",
      text: `The command was not found, or can't be run: ${plan.command}`,
    });
  const kind = plan.exits?.[code];
  if (kind === undefined) return undefined;
  const text =
    kind === "no-tests" ? `${toolOf(plan)} found no tests.` : `${toolOf(plan)} ended with exit code ${code}.`;
  return unable(kind, { code: kind, text });
}

function failed(tests: TestCase[]): Judged {
  return { verdict: "fail", kind: "test-failures", errors: [], tests };
}

function wholeCommand(code: number, tail: string): TestCase {
  const message = `Exit code ${code}.\n${lastLines(tail)}`;
  return { id: WHOLE_COMMAND, name: WHOLE_COMMAND, status: "failed", message, failure: "other" };
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-20).join("\n").slice(-2_000).toWellFormed();
}
