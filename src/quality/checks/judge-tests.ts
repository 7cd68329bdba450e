import type { CommandEvidence, GateFinding, GateReason } from "../../contract/documents/quality/gate.ts";
import type { GateSubject, StageOutcome } from "../gates/subject.ts";
import { type Standing, standingOf, statusIn } from "./baseline.ts";
import { findingId } from "./finding-ids.ts";
import type { Checked, CheckOrder, TestCase } from "./local-checks.ts";
import { notesOf, orderOf, undecided } from "./stage-outcome.ts";
import { WHOLE_COMMAND } from "./verdicts.ts";

const MOST_FINDINGS = 200;

interface Judged {
  test: TestCase;
  standing: Standing;
}

/** The second stage: the tests pass, but for those that failed before the change. */
export async function judgeTests(subject: GateSubject): Promise<StageOutcome> {
  const { checks, settings } = subject;
  if (settings.testScope === "none") {
    const reason = { code: "off" as const, text: "testScope is none." };
    return { verdict: "skipped", score: null, reason, findings: [], evidence: [] };
  }
  const timeoutMs = settings.timeoutSeconds.tests * 1_000;
  const order = orderOf(subject, { purpose: "tests", scope: settings.testScope, timeoutMs });
  const checked = await checks.tests(order);
  if (checked.verdict !== "fail") return undecided(checked);
  const failed = checked.tests.filter(({ status }) => status === "failed");
  const { judged, evidence } = await weighed(subject, { order, failed });
  const stopping = judged.filter(({ standing }) => standing === "blocks" || standing === "unsteady");
  const all = [...withCounts(checked.evidence, judged), ...evidence, ...notesOf(checked)];
  // Tests that fail with and without the change, such as where a package is not installed, say nothing about it.
  const nonePassed = stopping.length === 0 && judged.every(({ standing }) => standing === "known");
  if (nonePassed && !checked.tests.some(({ status }) => status === "passed"))
    return {
      verdict: "unable",
      score: null,
      reason: whyUnclear(failed),
      findings: [],
      evidence: all,
      cut: checked.cut,
    };
  const more = stopping.length - MOST_FINDINGS;
  return {
    verdict: stopping.length > 0 ? "fail" : "pass",
    score: stopping.length > 0 ? 0 : 100,
    findings: stopping.slice(0, MOST_FINDINGS).map(findingOf),
    evidence: all,
    cut: [...(checked.cut ?? []), ...(more > 0 ? [`Tests: ${more} more failed tests are not listed.`] : [])],
  };
}

interface Weighed {
  judged: Judged[];
  evidence: CommandEvidence[];
}

function whyUnclear(failed: readonly TestCase[]): GateReason {
  const text = failed.every(({ id }) => id === WHOLE_COMMAND)
    ? "The test command fails on the base too, and reports no single tests."
    : "No test passed, and all of them fail on the base too. Are the packages that they need installed?";
  return { code: "failed", text };
}

/** Tries what failed once more, and on the base. */
async function weighed(
  { checks, settings, trees, baseTree }: GateSubject,
  { order, failed }: { order: CheckOrder; failed: readonly TestCase[] },
): Promise<Weighed> {
  const listed = new Set(settings.knownFailingTests);
  const isListed = ({ id, name }: TestCase) => listed.has(id) || listed.has(name);
  const open = failed.filter((test) => !isListed(test));
  const known = failed.filter(isListed).map((test): Judged => ({ test, standing: "known" }));
  if (open.length === 0) return { judged: known, evidence: [] };
  const files = filesOf(open);
  const second = await checks.tests({ ...order, ...onlyIn(files), purpose: "second attempt", attempt: 2 });
  const again = statusIn(second.tests);
  const evidence = [...second.evidence];
  if (!settings.baselineAwareTests) {
    const sightings = open.map((test) => ({ test, again: again.get(test.id), base: undefined, isListed: false }));
    return { judged: [...known, ...sightings.map((one) => ({ test: one.test, standing: standingOf(one) }))], evidence };
  }
  const inBase = new Set(await trees.paths(baseTree));
  const baseFiles = files?.filter((file) => inBase.has(file));
  const onBase = { ...order, ...onlyIn(baseFiles), tree: baseTree, base: baseTree, purpose: "baseline" };
  const runBase = async (attempt: number): Promise<Checked | undefined> =>
    baseFiles?.length === 0 ? undefined : checks.tests({ ...onBase, scope: "full", attempt });
  const first = await runBase(1);
  const unsteady = open.filter(({ id }) => again.get(id) === "passed");
  const other = unsteady.length > 0 ? await runBase(2) : undefined;
  evidence.push(...(first?.evidence ?? []), ...(other?.evidence ?? []));
  const bases = [first, other].filter((one) => one !== undefined).map(({ tests }) => statusIn(tests));
  const judged = open.map((test): Judged => {
    const base = bases.map((seen) => seen.get(test.id));
    return { test, standing: standingOf({ test, again: again.get(test.id), base, isListed: false }) };
  });
  return { judged: [...known, ...judged], evidence };
}

/** Undefined where a runner does not say in which file a test is: all of them are run again then. */
function filesOf(tests: readonly TestCase[]): string[] | undefined {
  const files = tests.map(({ file }) => file);
  return files.every((file) => file !== undefined) ? [...new Set(files)] : undefined;
}

function onlyIn(files: readonly string[] | undefined): Pick<CheckOrder, "only"> {
  return files === undefined ? {} : { only: files };
}

/** How many of the failures are not the change's, on the evidence that people read. */
function withCounts(evidence: readonly CommandEvidence[], judged: readonly Judged[]): CommandEvidence[] {
  const count = (...standings: Standing[]) => judged.filter(({ standing }) => standings.includes(standing)).length;
  const last = evidence.findLastIndex(({ tests }) => tests !== undefined);
  return evidence.map((one, at) =>
    at === last && one.tests !== undefined
      ? { ...one, tests: { ...one.tests, known: count("known", "flaky"), unsteady: count("unsteady", "flaky") } }
      : one,
  );
}

function findingOf({ test, standing }: Judged): GateFinding {
  const { name, file, line, message = "" } = test;
  const isUnsteady = standing === "unsteady";
  const code = isUnsteady ? "test-unsteady" : "test-failed";
  const gist = gistOf(message);
  return {
    id: findingId(code, file, name),
    code,
    severity: isUnsteady ? "high" : "critical",
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    message: (isUnsteady ? `${name}: failed, then passed on the same code. ${gist}` : `${name}: ${gist}`).trim(),
    state: "open",
    blocks: true,
  };
}

const MOST_GIST_LINES = 8;
const STACK_FRAME = /^\s+at /;

/** What a failed test says, without where it was called from: the evidence has all of it. */
function gistOf(message: string): string {
  const lines = message.trim().split("\n");
  // Python says last what happened.
  const last = lines[0]?.startsWith("Traceback ") ? lines.findLastIndex((line) => /^ {2}File "/.test(line)) : -1;
  const said = last === -1 ? lines : lines.slice(last).filter((line) => !line.startsWith("  "));
  const frame = said.findIndex((line) => STACK_FRAME.test(line));
  const own = frame === -1 ? said : said.slice(0, frame);
  return own
    .filter((line) => line.trim() !== "")
    .slice(0, MOST_GIST_LINES)
    .join("\n");
}
