import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import type { GateSubject, StageOutcome } from "../gates/subject.ts";
import { findingId } from "./finding-ids.ts";
import type { Checked, CodeError } from "./local-checks.ts";
import { notesOf, orderOf, undecided } from "./stage-outcome.ts";

const MOST_FINDINGS = 200;

/** The first stage: the code compiles. Errors that the base has too do not count against a change. */
export async function judgeSyntax(
  subject: Pick<GateSubject, "checks" | "settings" | "tree" | "baseTree" | "signal">,
): Promise<StageOutcome> {
  const { checks, settings } = subject;
  const timeoutMs = settings.timeoutSeconds.syntax * 1_000;
  const order = orderOf(subject, { purpose: "syntax", scope: "affected", timeoutMs });
  const checked = await checks.syntax(order);
  if (checked.verdict !== "fail") return undecided(checked);
  const base = settings.baselineAwareTests
    ? await checks.syntax({
        ...order,
        purpose: "baseline",
        scope: "full",
        tree: subject.baseTree,
        base: subject.baseTree,
      })
    : undefined;
  const { fresh, known } = apart(checked, base);
  const findings = [
    ...fresh.slice(0, MOST_FINDINGS).map((error) => findingOf(error, true)),
    ...known.slice(0, MOST_FINDINGS).map((error) => findingOf(error, false)),
  ];
  const isFailed = fresh.length > 0;
  const more = fresh.length - MOST_FINDINGS;
  return {
    verdict: isFailed ? "fail" : "pass",
    score: isFailed ? 0 : 100,
    findings,
    evidence: [...checked.evidence, ...(base?.evidence ?? []), ...notesOf(checked)],
    cut: [...(checked.cut ?? []), ...(more > 0 ? [`Syntax: ${more} more errors are not listed.`] : [])],
  };
}

/** The same error may be at another line there. Each of the base's counts once. */
function apart({ errors }: Checked, base: Checked | undefined): { fresh: CodeError[]; known: CodeError[] } {
  const before = new Map<string, number>();
  for (const error of base?.verdict === "fail" ? base.errors : [])
    before.set(keyOf(error), (before.get(keyOf(error)) ?? 0) + 1);
  const fresh: CodeError[] = [];
  const known: CodeError[] = [];
  for (const error of errors) {
    const left = before.get(keyOf(error)) ?? 0;
    before.set(keyOf(error), left - 1);
    (left > 0 ? known : fresh).push(error);
  }
  return { fresh, known };
}

function keyOf({ file, message }: CodeError): string {
  return JSON.stringify([file, message]);
}

function findingOf({ file, line, message }: CodeError, blocks: boolean): GateFinding {
  return {
    id: findingId("compile-error", file, message),
    code: "compile-error",
    severity: blocks ? "critical" : "low",
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    message: blocks ? message : `${message} (the base has this error too)`,
    state: "open",
    blocks,
  };
}
