import type { GateEvidence, GateFinding, GateReason } from "../../contract/documents/quality/gate.ts";
import type { Checked, CheckOrder, TestCase } from "../checks/local-checks.ts";
import type { GateSubject, StageOutcome } from "../gates/subject.ts";
import { changedSettings } from "./changed-settings.ts";
import { type DividedChange, divideChange, testsOnly } from "./changed-tests.ts";
import { choosingFiles, unlistedFiles } from "./choosing-files.ts";
import { found } from "./found.ts";
import { judgeReds, neededReds, type Red, redsOf, saysFiles, unrunnable } from "./red-before-green.ts";
import { reverseParts } from "./reversal.ts";
import { lostCases, silentFiles, unreportedCases } from "./silent-tests.ts";
import { vanishedTests } from "./vanished-tests.ts";
import { weakenedTests } from "./weakened-tests.ts";

/** What one of the checks came to. */
interface Proof {
  findings: GateFinding[];
  evidence: GateEvidence[];
  /** It applied, and could not be carried out. */
  unable?: GateReason | undefined;
  /** Something was proven, or found not to be. */
  scored?: boolean | undefined;
  /** Share of parts that no test misses. */
  unproven?: number | undefined;
  cut?: readonly string[] | undefined;
}

const NOTHING: Proof = { findings: [], evidence: [] };

/** Whether tests prove the change, and still are what they were: counts for completeness. */
export async function judgeProof(subject: GateSubject, clock: () => number = Date.now): Promise<StageOutcome> {
  const change = await divideChange(subject);
  const runs = new ProofRuns(subject, change);
  const written = weakenedTests(change.contents);
  const proofs: Proof[] = [
    { findings: written, evidence: [] },
    await vanished(subject, { change, runs, written }),
    { findings: await changedSettings(subject), evidence: [] },
    await redBeforeGreen(subject, change, runs),
  ];
  if (!proofs.some(isDecided)) proofs.push(await reversal(subject, { change, runs, clock }));
  return outcomeOf(proofs);
}

const isDecided = ({ findings, unable }: Proof) => unable !== undefined || findings.some(({ blocks }) => blocks);

/** The runs that several checks look at, each at most once. */
class ProofRuns {
  readonly #subject: GateSubject;
  readonly #change: DividedChange;
  #now: Promise<Checked> | undefined;

  constructor(subject: GateSubject, change: DividedChange) {
    this.#subject = subject;
    this.#change = change;
  }

  order(tree: string, purpose: string, only?: readonly string[]): CheckOrder {
    const { baseTree, settings, signal } = this.#subject;
    const scope = settings.testScope === "full" ? "full" : "affected";
    const timeoutMs = settings.timeoutSeconds.tests * 1_000;
    return { tree, base: baseTree, scope, only, purpose, settings, timeoutMs, signal };
  }

  /** The tests as the stage before ran them. */
  now(): Promise<Checked> {
    this.#now ??= this.#subject.checks.tests(this.order(this.#subject.tree, "tests"));
    return this.#now;
  }

  /** Some test files as they were. */
  before(only: readonly string[]): Promise<Checked> {
    const { checks, baseTree } = this.#subject;
    return checks.tests(this.order(baseTree, "baseline", only));
  }

  /** Everything there is. */
  whole(tree: string): Promise<Checked> {
    const { checks, baseTree } = this.#subject;
    return checks.tests({ ...this.order(tree, tree === baseTree ? "baseline" : "tests"), scope: "full" });
  }

  /** The tests of the change, on the code before it. */
  async onBase(): Promise<Checked> {
    const { trees, baseTree, tree, checks } = this.#subject;
    const before = await trees.overlay(baseTree, testsOnly(this.#change, tree));
    // Tests inside of code have no file of their own that could be named.
    const only = this.#change.inline.length > 0 ? undefined : this.#change.tests.map(({ path }) => path);
    const order = this.order(before, "red", only);
    return checks.tests(only === undefined ? { ...order, scope: "full" } : order);
  }
}

async function redBeforeGreen(subject: GateSubject, change: DividedChange, runs: ProofRuns): Promise<Proof> {
  const { type, settings } = subject;
  const needed = neededReds(type);
  const hasTests = (change.tests.length > 0 && change.altersTests) || change.inline.length > 0;
  if (!settings.enforceTDD || needed === undefined || settings.testScope === "none") return NOTHING;
  if (change.code.length === 0 && (type === "other" || !hasTests)) return NOTHING;
  if (!hasTests) return withoutTests(subject, runs);
  const before = await runs.onBase();
  const evidence: GateEvidence[] = [...before.evidence];
  const now = await runs.now();
  for (const checked of [before, now])
    if (checked.verdict === "unable" || checked.verdict === "skipped")
      return { findings: [], evidence, unable: checked.reason ?? NOT_RUN };
  if (isBroken(change, now)) return { findings: [], evidence, unable: BROKEN };
  const reds = [...redsOf(before, now), ...(change.inline.length > 0 ? unrunnable(before, now) : [])];
  const verdict = judgeReds(reds, needed);
  switch (verdict.is) {
    case "proven":
      return { findings: [], evidence: [...evidence, redNote(reds)], scored: true };
    case "unclear": {
      const text = `The new tests fail on the code before the change, but it is unclear why: ${namesOf(reds)}.`;
      return { findings: [], evidence: [...evidence, redNote(reds)], unable: { code: "red-unclear", text } };
    }
    case "not-red":
      return { findings: [notRed(change, reds, now)], evidence, scored: true };
  }
}

const NOT_RUN: GateReason = {
  code: "nothing-ran",
  text: "The new tests could not be run on the code before the change.",
};

const BROKEN: GateReason = {
  code: "nothing-ran",
  text: "No test in the files with the new tests passes, and the base has the same failures, so they prove nothing.",
};

/** A change that breaks them does not get here: they could not be loaded before either. */
function isBroken({ tests, inline }: DividedChange, now: Checked): boolean {
  const files = new Set(tests.map(({ path }) => path));
  const own = now.tests.filter(({ file = "", status }) => files.has(file) && status !== "skipped");
  return inline.length === 0 && own.length > 0 && own.every(({ status }) => status === "failed");
}

function notRed({ tests, inline }: DividedChange, reds: readonly Red[], now: Checked): GateFinding {
  const file = tests[0]?.path ?? inline[0]?.path;
  const isRun = tests.some(({ path }) => now.tests.some((test) => test.file === path));
  const passing =
    isRun || inline.length > 0 || !saysFiles(now)
      ? "The new tests pass on the code before the change too, so they prove nothing."
      : "The test command doesn't run the new tests, so they prove nothing.";
  const missing =
    "The new tests fail on the code before the change only because something they need is missing there. A bug fix needs a test that fails by its assertion.";
  return found({
    code: "not-red-before",
    severity: "high",
    file,
    message: reds.length > 0 ? missing : passing,
    fix: "Add a test that fails without the change.",
  });
}

/** A test that failed before and passes now proves a change as well as a new one. */
async function withoutTests(subject: GateSubject, runs: ProofRuns): Promise<Proof> {
  const now = await runs.now();
  const failed = await failingOn(subject, runs, now);
  if (failed.length > 0) return { findings: [], evidence: [redNote(failed)], scored: true };
  const isAdvice = subject.type === "other";
  const finding = found({
    code: "no-tests-added",
    severity: isAdvice ? "medium" : "high",
    message: "Code was changed without adding or changing a test.",
    fix: "Add a test that fails without the change.",
  });
  return { findings: [finding], evidence: [], scored: true };
}

async function failingOn({ checks, baseTree }: GateSubject, runs: ProofRuns, now: Checked): Promise<Red[]> {
  if (now.tests.length === 0) return [];
  const before = await checks.tests(runs.order(baseTree, "baseline"));
  const passed = new Set(now.tests.filter(({ status }) => status === "passed").map(({ id }) => id));
  return before.tests
    .filter(({ id, status, failure }) => status === "failed" && failure === "assertion" && passed.has(id))
    .map(({ name, file }) => ({ name, file, kind: "assertion" }));
}

function redNote(reds: readonly Red[]): GateEvidence {
  const counts = Map.groupBy(reds, ({ kind }) => kind);
  const kinds = [...counts].map(([kind, { length }]) => `${length} ${kind}`).join(", ");
  return {
    type: "note",
    text: `Red before green: ${reds.length} failed before the change (${kinds}): ${namesOf(reds)}.`,
  };
}

const MOST_NAMES = 10;
const namesOf = (reds: readonly Red[]) =>
  [...reds.slice(0, MOST_NAMES).map(({ name }) => name.slice(0, 200)), ...(reds.length > MOST_NAMES ? ["…"] : [])].join(
    ", ",
  );

/** Tests that ran on the base and no longer do, for reasons that their text does not show. */
async function vanished(
  subject: GateSubject,
  { change, runs, written }: { change: DividedChange; runs: ProofRuns; written: readonly GateFinding[] },
): Promise<Proof> {
  if (subject.settings.testScope === "none") return NOTHING;
  const known = change.tests.filter(({ status }) => status !== "added");
  const hooks = await choosingFiles(subject);
  const isWhole = hooks.length > 0;
  const now = await (isWhole ? runs.whole(subject.tree) : runs.now());
  if (now.tests.length === 0) return now.kind === "no-tests" ? allVanished(subject, { runs, written }) : NOTHING;
  const meant = new Set([
    ...known.map(({ path, from }) => from ?? path),
    ...(await skippedFiles(subject, now)),
    ...(await silentFiles(subject, now)),
  ]);
  const moved = new Map(known.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path]])));
  // A file that reports nothing may have been left out by the runner's settings, on the base too: only whole runs can tell.
  const isSilent = [...meant].some((path) => !now.tests.some(({ file }) => file === (moved.get(path) ?? path)));
  const unreported = unreportedCases([...change.contents, ...(await unlistedFiles(subject))], now);
  const compareAll = isWhole || isSilent || unreported.length > 0;
  if (meant.size === 0 && !compareAll) return NOTHING;
  const [before, after] = compareAll
    ? [await runs.whole(subject.baseTree), await runs.whole(subject.tree)]
    : [await runs.before([...meant]), now];
  if (after.tests.length === 0) return NOTHING;
  const isMeant = ({ file = "" }: TestCase) =>
    meant.has(file) || hooks.some((path) => file.startsWith(path.slice(0, path.lastIndexOf("/") + 1)));
  const touched = new Set(change.tests.map(({ path }) => path));
  const ofThem = { ...before, tests: before.tests.filter(isMeant) };
  return {
    findings: [
      ...vanishedTests({ before: ofThem, now: after, moved, touched, written, isWhole: compareAll }),
      ...lostCases(unreported, before, after),
    ],
    evidence: [],
  };
}

/** No test runs any more: renamed away from what the runner looks for, or ended by the code before they begin. */
async function allVanished(
  { tree, baseTree }: GateSubject,
  { runs, written }: { runs: ProofRuns; written: readonly GateFinding[] },
): Promise<Proof> {
  const [before, after] = [await runs.whole(baseTree), await runs.whole(tree)];
  const { length } = before.tests.filter(({ status }) => status !== "skipped");
  if (length === 0 || after.kind !== "no-tests" || after.tests.length > 0 || written.some(({ blocks }) => blocks))
    return NOTHING;
  const finding = found({
    code: "test-deleted",
    severity: "high",
    about: "all",
    message: `No test runs with this change. Before it ${length === 1 ? "1 test" : `${length} tests`} ran.`,
    fix: "Make the tests run again, or have a person accept that they don't.",
  });
  return { findings: [finding], evidence: [], scored: true };
}

/** Test files that the change leaves as they are, with tests that something it changes may have turned off. */
async function skippedFiles({ trees, baseTree, changes }: GateSubject, { tests }: Checked): Promise<string[]> {
  const files = new Set(
    tests.flatMap(({ file, status }) => (status === "skipped" && file !== undefined ? [file] : [])),
  );
  for (const { path } of changes) files.delete(path);
  if (files.size === 0) return [];
  const known = new Set(await trees.paths(baseTree));
  return [...files].filter((file) => known.has(file));
}

async function reversal(
  subject: GateSubject,
  { change, runs, clock }: { change: DividedChange; runs: ProofRuns; clock: () => number },
): Promise<Proof> {
  const { settings, signal } = subject;
  if (settings.proof === "off" || settings.testScope === "none" || change.code.length === 0 || signal.aborted)
    return NOTHING;
  const now = await runs.now();
  // Where nothing passes, nothing can turn red.
  if (now.verdict !== "pass" && !now.tests.some(({ status }) => status === "passed")) return NOTHING;
  // What a rough selection misses is listed as unproven: advice, unless it is to block.
  const order = (tree: string, purpose: string) => ({
    ...runs.order(tree, purpose),
    isRough: settings.proof !== "strict",
  });
  const { findings, evidence, cut, tried, unproven } = await reverseParts(subject, {
    ...{ code: change.code, now, order, clock },
  });
  return { findings, evidence, cut, scored: tried > 0, unproven: tried === 0 ? 0 : unproven / tried };
}

const COSTS = { critical: 0, high: 0, medium: 10, low: 0 } as const;
/** What all parts unproven cost, where that is advice. */
const UNPROVEN_COST = 10;

function outcomeOf(proofs: readonly Proof[]): StageOutcome {
  const findings = proofs.flatMap((proof) => proof.findings);
  const evidence = proofs.flatMap((proof) => proof.evidence);
  const cut = proofs.flatMap((proof) => proof.cut ?? []);
  const isBlocked = findings.some(({ blocks }) => blocks);
  const reason = proofs.find(({ unable }) => unable !== undefined)?.unable;
  if (reason !== undefined && !isBlocked) return { verdict: "unable", score: null, reason, findings, evidence, cut };
  const isScored = findings.length > 0 || proofs.some(({ scored }) => scored === true);
  const cost = findings.reduce((sum, { severity }) => sum + COSTS[severity], 0);
  const share = proofs.reduce((most, { unproven = 0 }) => Math.max(most, unproven), 0);
  const score = Math.max(0, Math.round(100 - cost - UNPROVEN_COST * share));
  // Waiving what blocks it must not hide that something could not be proven.
  const unproven = reason === undefined ? {} : { reason };
  return { verdict: isBlocked ? "fail" : "pass", score: isScored ? score : null, ...unproven, findings, evidence, cut };
}
