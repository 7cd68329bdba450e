import type { GateFinding, GateReason } from "../../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Checked, CheckOrder, LocalChecks, TestCase } from "../checks/local-checks.ts";
import { found } from "../proof/found.ts";
import type { TreeSource } from "../trees/tree-source.ts";
import { firstRed } from "./bisect.ts";
import { type CheckStep, judgedSteps } from "./check-verdict.ts";
import { unwiredFiles } from "./wiring.ts";

/** The result of one run: the newest commit of its branch. */
export interface Part {
  runId: string;
  commit: string;
}

export interface WholeOrder {
  trees: TreeSource;
  checks: LocalChecks;
  settings: QualityGates;
  /** The branch that it is to come into, and its newest commit. */
  target: string;
  base: string;
  /** A branch as it is, or the results of runs to be put together, the oldest first. */
  what: { head: string } | { parts: readonly Part[] };
  /** New files that nothing imports are only pointed out. */
  acceptsUnwired?: boolean | undefined;
  signal: AbortSignal;
  /** Hears of every step. */
  onStep: (steps: CheckStep[]) => Promise<void>;
}

export type Judged = Pick<IntegrationCheck, "steps" | "breakers" | "verdict" | "reason" | "firstBroken" | "tree">;

const EARLY: GateReason = { code: "early-exit", text: "A step before it failed." };
const CANCELLED: GateReason = { code: "cancelled", text: "The check was stopped." };

/** Whether the parts work as a whole. */
export async function judgeWhole(order: WholeOrder): Promise<Judged> {
  return new Whole(order).judge();
}

class Whole {
  readonly #order: WholeOrder;
  readonly #steps: CheckStep[] = [];
  /** The base with the first n parts, by n. */
  readonly #prefixes: string[];

  constructor(order: WholeOrder) {
    this.#order = order;
    this.#prefixes = [order.base];
  }

  async judge(): Promise<Judged> {
    const { trees, what } = this.#order;
    const head = "head" in what ? what.head : await this.#merge(what.parts);
    const tree = head === undefined ? undefined : await trees.tree(head);
    if (head === undefined || tree === undefined) return this.#over({});
    const [typecheck, conflicts] = await Promise.all([this.#typecheck(tree), this.#conflicts(head)]);
    await this.#add(typecheck, conflicts);
    const isRunnable = typecheck.verdict === "pass" || typecheck.verdict === "skipped";
    await this.#add(isRunnable ? await this.#tests(tree) : skipped("tests"));
    await this.#add(await this.#wiring(tree));
    const broken = await this.#bisect();
    return this.#over({ tree, head, broken });
  }

  /** One after the other, into the target as it is now. */
  async #merge(parts: readonly Part[]): Promise<string | undefined> {
    const { trees } = this.#order;
    for (const { runId, commit } of parts) {
      const merged = await trees.merge(this.#prefixes.at(-1) ?? "", commit);
      if ("conflicts" in merged) {
        const findings = merged.conflicts.map((file) =>
          conflict(file, `The result of ${runId} conflicts with what was merged before it.`, runId),
        );
        await this.#add({ ...step("merge", "fail"), findings });
        for (const name of ["typecheck", "conflicts", "tests", "wiring"] as const) await this.#add(skipped(name));
        return undefined;
      }
      this.#prefixes.push(merged.commit);
    }
    await this.#add(step("merge", "pass"));
    return this.#prefixes.at(-1);
  }

  #ordered(tree: string, purpose: string, seconds: number): CheckOrder {
    const { base, settings, signal } = this.#order;
    return { tree, base, scope: "full", purpose, settings, timeoutMs: seconds * 1_000, signal };
  }

  async #typecheck(tree: string): Promise<CheckStep> {
    const { checks, settings } = this.#order;
    const checked = await checks.syntax(this.#ordered(tree, "integration", settings.timeoutSeconds.syntax));
    const findings = checked.errors.map(({ file, line, message }) =>
      found({ code: "compile-error", severity: "critical", file, line, about: message, message }),
    );
    return stepOf("typecheck", checked, checked.verdict === "fail" ? findings : []);
  }

  /** With the target as it is, and what a merge by hand left behind. */
  async #conflicts(head: string): Promise<CheckStep> {
    const { trees, base, what } = this.#order;
    const merged = "head" in what ? await trees.merge(base, head) : undefined;
    const clashes = merged !== undefined && "conflicts" in merged ? merged.conflicts : [];
    const changed = new Set((await trees.changes(base, head)).map(({ path }) => path));
    const marks = (await trees.search(head, "^(<<<<<<<|>>>>>>>) ")).filter(({ path }) => changed.has(path));
    const findings = [
      ...clashes.map((file) => conflict(file, "The branch conflicts with its target.", this.#order.target)),
      ...marks.map(({ path, line, text }) => ({
        ...conflict(path, `An unresolved conflict: ${text.slice(0, 100)}`, text),
        line,
      })),
    ];
    return { ...step("conflicts", findings.length > 0 ? "fail" : "pass"), findings };
  }

  async #tests(tree: string): Promise<CheckStep> {
    const { checks, settings } = this.#order;
    const checked = await checks.tests(this.#ordered(tree, "integration", settings.timeoutSeconds.suite));
    if (checked.verdict !== "fail") return stepOf("tests", checked, []);
    const failed = await this.#newlyFailed(checked);
    const findings = failed.map(({ id, name, file, line, message }) =>
      found({
        code: "test-failed",
        severity: "critical",
        file,
        line,
        about: id,
        message: `${name}: ${message ?? "failed"}`.slice(0, 2_000),
      }),
    );
    const isKnown = checked.tests.some(({ status }) => status === "failed") && failed.length === 0;
    return isKnown ? { ...stepOf("tests", checked, []), verdict: "pass" } : stepOf("tests", checked, findings);
  }

  /** What fails on the target too is no fault of the parts. */
  async #newlyFailed({ tests }: Checked): Promise<TestCase[]> {
    const { checks, settings, base } = this.#order;
    const failed = tests.filter(
      ({ status, name }) => status === "failed" && !settings.knownFailingTests.includes(name),
    );
    if (failed.length === 0 || !settings.baselineAwareTests) return failed;
    const before = await checks.tests(this.#ordered(base, "baseline", settings.timeoutSeconds.suite));
    const known = new Set(before.tests.filter(({ status }) => status === "failed").map(({ id }) => id));
    return failed.filter(({ id }) => !known.has(id));
  }

  async #wiring(tree: string): Promise<CheckStep> {
    const { trees, checks, base, acceptsUnwired = false } = this.#order;
    const added = (await trees.changes(base, tree)).filter(({ status }) => status === "added").map(({ path }) => path);
    const loose = await this.#untracked(tree);
    const unwired = await unwiredFiles({ trees, checks, tree }, added);
    const outside = loose === undefined ? [] : await unwiredFiles({ trees, checks, tree: loose.tree }, loose.added);
    const findings = [
      ...unwired.map((file) => unwiredFinding(file, { blocks: !acceptsUnwired })),
      ...outside.map((file) => unwiredFinding(file, { isUncommitted: true })),
    ];
    return { ...step("wiring", findings.some(({ blocks }) => blocks) ? "fail" : "pass"), findings };
  }

  /** Files that the person has not committed, where their checkout shows what is checked. */
  async #untracked(tree: string): Promise<{ tree: string; added: string[] } | undefined> {
    const { trees, what } = this.#order;
    if (!("head" in what) || (await trees.commit("HEAD").catch(() => undefined)) !== what.head) return undefined;
    const working = await trees.working().catch(() => undefined);
    if (working === undefined || working === tree) return undefined;
    const changes = await trees.changes(tree, working);
    return { tree: working, added: changes.filter(({ status }) => status === "added").map(({ path }) => path) };
  }

  /** Each part was green for itself: which one makes the whole red. */
  async #bisect(): Promise<string | undefined> {
    const { what, trees, signal } = this.#order;
    const red = this.#steps.find(
      ({ name, verdict }) => (name === "typecheck" || name === "tests") && verdict === "fail",
    );
    if ("head" in what || what.parts.length < 2 || red === undefined) return undefined;
    const wanted = new Set(red.findings.map(({ id }) => id));
    const evidence: CheckStep["evidence"] = [];
    const first = await firstRed(what.parts.length, async (count) => {
      if (signal.aborted) return undefined;
      const tree = await trees.tree(this.#prefixes[count] ?? "");
      if (tree === undefined) return undefined;
      const isTypecheck = red.name === "typecheck";
      const again = isTypecheck ? await this.#typecheck(tree) : await this.#tests(tree);
      evidence.push(...again.evidence);
      if (again.verdict === "unable") return undefined;
      return again.verdict === "fail" && (wanted.size === 0 || again.findings.some(({ id }) => wanted.has(id)));
    });
    const runId = first === undefined ? undefined : what.parts[first]?.runId;
    const verdict = runId === undefined ? "unable" : "pass";
    const reason: GateReason | undefined =
      runId === undefined ? { code: "failed", text: "The part that breaks the whole could not be found." } : undefined;
    await this.#add({ ...step("bisect", verdict), ...(reason && { reason }), evidence });
    return runId;
  }

  async #over({ tree, head, broken }: { tree?: string; head?: string; broken?: string | undefined }): Promise<Judged> {
    const { signal } = this.#order;
    const verdict = signal.aborted
      ? { verdict: "unable" as const, reason: CANCELLED }
      : judgedSteps(this.#steps.filter(({ name }) => name !== "bisect"));
    return {
      steps: this.#steps,
      breakers: head === undefined ? this.#clashing() : await this.#breakers(head),
      ...verdict,
      ...(tree !== undefined && { tree }),
      ...(broken !== undefined && { firstBroken: broken }),
    };
  }

  /** The part that could not be merged. */
  #clashing(): IntegrationCheck["breakers"] {
    const { what } = this.#order;
    const part = "parts" in what ? what.parts[this.#prefixes.length - 1] : undefined;
    const findings = this.#steps.flatMap((each) => each.findings.map(({ id }) => id));
    return part === undefined ? [] : [{ runId: part.runId, commit: part.commit, findings }];
  }

  /** Who made the lines that findings point to. */
  async #breakers(head: string): Promise<IntegrationCheck["breakers"]> {
    const { trees, base, what } = this.#order;
    const owners = new Map<string, string>();
    for (const { runId, commit } of "parts" in what ? what.parts : [])
      for (const own of await trees.log(base, commit)) if (!owners.has(own.commit)) owners.set(own.commit, runId);
    for (const { commit, runId } of "head" in what ? await trees.log(base, head) : [])
      if (runId !== undefined) owners.set(commit, runId);
    const findings = this.#steps.flatMap((each) => each.findings);
    const blamed = new Map<string, string[]>();
    for (const { id, file, line = 1 } of findings) {
      const commit = file === undefined ? undefined : await trees.blame(head, file, line);
      if (commit !== undefined) blamed.set(commit, [...(blamed.get(commit) ?? []), id]);
    }
    return [...blamed].map(([commit, ids]) => {
      const runId = owners.get(commit);
      return { ...(runId !== undefined && { runId }), commit, findings: ids };
    });
  }

  async #add(...steps: CheckStep[]): Promise<void> {
    this.#steps.push(...steps);
    await this.#order.onStep([...this.#steps]);
  }
}

const step = (name: CheckStep["name"], verdict: CheckStep["verdict"]): CheckStep => ({
  name,
  verdict,
  findings: [],
  evidence: [],
});
const skipped = (name: CheckStep["name"]): CheckStep => ({ ...step(name, "skipped"), reason: EARLY });

function stepOf(name: CheckStep["name"], { verdict, reason, evidence }: Checked, findings: GateFinding[]): CheckStep {
  return { name, verdict, ...(reason && { reason }), findings, evidence };
}

const conflict = (file: string, message: string, about: string) =>
  found({ code: "conflict", severity: "critical", file, about, message, fix: "Resolve the conflict on the branch." });

const unwiredFinding = (file: string, { blocks = false, isUncommitted = false }) =>
  found({
    code: "unwired",
    severity: blocks ? "high" : "medium",
    file,
    message: isUncommitted
      ? "The new file, which is not committed, is imported by nothing but tests."
      : "The new file is imported by nothing but tests. It may be dead code.",
    fix: "Import it where it is needed, delete it, or have a person accept it.",
    blocks,
  });
