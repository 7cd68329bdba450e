import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { CommandEvidence, DetectedCheck } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { GitFailure } from "../../runs/git/git.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { makeFolder, removeFolder } from "../../store/files/folders.ts";
import { ScratchFolder } from "../../store/files/scratch-folder.ts";
import type { Checkout } from "../trees/checkout-pool.ts";
import type { GitTrees } from "../trees/git-trees.ts";
import type { Listing, TreeEntry } from "../trees/tree-entry.ts";
import type { TreeChange } from "../trees/tree-source.ts";
import { type CheckCache, stampOf } from "./check-cache.ts";
import type { CheckRunner, RunEnd } from "./check-runner.ts";
import { isSettingPath, isTestPath, recordOf } from "./check-settings.ts";
import { detectPlans, isBelow } from "./detection/detect.ts";
import type { BaseTree, Built, Installed, Plan } from "./detection/plan.ts";
import { isDocument } from "./document-paths.ts";
import { effectiveTree } from "./effective-tree.ts";
import { type ParsedTests, parsedJson } from "./formats/parsed.ts";
import type { Checked, CheckOrder, LocalChecks } from "./local-checks.ts";
import { chosenPlans } from "./plan-choice.ts";
import { resultsOf } from "./read-results.ts";
import { REPORTERS, type ReporterName } from "./reporters.ts";
import { type Judged, judgeErrors, judgeExit, judgeTests, unable } from "./verdicts.ts";

const MOST_FAILURES = 200;
const MOST_CHANGED_FILES = 1_000;
/** Lists that tools bring up to date on the way. */
const KEPT_BY_TOOLS = /(?:^|\/)(?:Cargo\.lock|go\.sum|go\.work\.sum)$/;

interface Parts {
  trees: GitTrees;
  runner: CheckRunner;
  installed: Installed;
  cache: CheckCache;
  /** A private folder, absolute: reports of runners. */
  scratch: string;
  redact: (text: string) => string;
}

interface Carried extends Judged {
  evidence: CommandEvidence[];
  cut?: string[] | undefined;
}

/** Where the plans of one order run, one after the other. */
interface Ground extends Checkout {
  order: CheckOrder;
  check: Plan["check"];
  changes: readonly TreeChange[];
  paths: Listing;
  deadline: number;
}

/** What was detected, for as long as a repository is open: every gate asks. */
const PLANS = new WeakMap<GitTrees, Map<string, Promise<Plan[]>>>();

export class SandboxedChecks implements LocalChecks {
  readonly #parts: Parts;
  #reporters: ScratchFolder | undefined;
  readonly #plans: Map<string, Promise<Plan[]>>;
  /** Settings that a project names itself; known once its checks were detected. */
  readonly #named = new Set<string>();
  readonly #tests = new Set<RegExp>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#plans = PLANS.get(parts.trees) ?? new Map();
    PLANS.set(parts.trees, this.#plans);
  }

  /** Written when the first command runs: most verdicts are known. */
  #reportersFolder(): ScratchFolder {
    if (this.#reporters !== undefined) return this.#reporters;
    const folder = new ScratchFolder(join(this.#parts.scratch, "reporters"));
    for (const [name, text] of Object.entries(REPORTERS)) folder.write(name, text);
    this.#reporters = folder;
    return folder;
  }

  isTest(path: string): boolean {
    return isTestPath(path) || [...this.#tests].some((pattern) => pattern.test(path));
  }

  isCheckSetting(path: string): boolean {
    return isSettingPath(path) || this.#named.has(path);
  }

  async detect(base: string, settings: QualityGates): Promise<DetectedCheck[]> {
    const plans = await this.#detected(base, settings);
    return plans.map(({ check, language, tool, command, folder, from, missing }) => ({
      check,
      language,
      tool,
      command,
      folder,
      from,
      ...(missing === undefined ? {} : { missing }),
    }));
  }

  async toolchain(base: string, settings: QualityGates): Promise<string> {
    const plans = await this.#detected(base, settings);
    const tools = plans.map(({ tool, command, missing, witnesses }) => [
      ...[tool, command, missing],
      ...witnesses.map((path) => `${path} ${stampOf(path)}`),
    ]);
    return JSON.stringify([process.version, await this.#parts.runner.sandbox(), tools]);
  }

  syntax(order: CheckOrder): Promise<Checked> {
    return this.#check("syntax", order);
  }

  tests(order: CheckOrder): Promise<Checked> {
    return this.#check("tests", order);
  }

  async #check(check: Plan["check"], order: CheckOrder): Promise<Checked> {
    const { cache } = this.#parts;
    const { tree, base, scope, only, isRough = false, attempt = 1, settings } = order;
    const sandbox = await this.#parts.runner.sandbox();
    const key = [
      check,
      tree,
      base,
      scope,
      only?.toSorted(),
      isRough,
      attempt,
      settings.commands,
      sandbox,
      this.#parts.trees.checkoutFolder,
    ];
    try {
      await this.#detected(base, settings);
      const known = cache.get(key);
      if (known !== undefined) return withPurpose(known, order.purpose);
      const { checked, witnesses } = await this.#carryOut(check, order);
      const isLasting = checked.verdict !== "unable" || checked.kind === "no-tests";
      if (isLasting && isHash(tree) && isHash(base)) cache.put(key, checked, witnesses);
      return checked;
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const text = `The tree could not be checked out: ${error.message}.`;
      return { ...unable("infra-failure", { code: "infra-failure", text }), evidence: [] };
    }
  }

  async #carryOut(check: Plan["check"], order: CheckOrder): Promise<{ checked: Checked; witnesses: string[] }> {
    const { trees } = this.#parts;
    const { base, tree, scope, only } = order;
    const plans = await this.#detected(base, order.settings);
    const changes = base === tree ? [] : await trees.changes(base, tree);
    const chosen = chosenPlans(plans, { check, changes, scope, only });
    const skipped = (code: "not-detected" | "no-changes", text: string) => ({
      checked: {
        verdict: "skipped" as const,
        kind: "none" as const,
        reason: { code, text },
        evidence: [],
        errors: [],
        tests: [],
      },
      witnesses: [],
    });
    if (!plans.some((plan) => plan.check === check))
      return skipped(
        "not-detected",
        check === "tests"
          ? "The code before the change has no test runner."
          : "The code before the change has no compiler.",
      );
    if (chosen.length === 0)
      return skipped(
        "no-changes",
        `No changed file is one that ${check === "tests" ? "a test runner" : "a compiler"} looks at.`,
      );
    const effective = await effectiveTree(trees, { base, tree, isSetting: (path) => this.isCheckSetting(path) });
    const paths = await trees.entries(effective);
    const deadline = performance.now() + order.timeoutMs;
    const carried = await trees.guarded(effective, async (checkout) => {
      const ground = { order, check, changes, ...checkout, paths, deadline };
      const all: Carried[] = [];
      for (const plan of chosen) {
        const one = await this.#carryOutPlan(plan, ground);
        if (one !== undefined) all.push(one);
      }
      return all;
    });
    if (carried.length === 0) return skipped("no-changes", "No changed file is left to look at.");
    const submodules = await trees.submodules(effective);
    const notes = [
      ...chosen.flatMap((plan) => plan.notes ?? []),
      ...(submodules.length === 0 ? [] : [`Submodules are not checked out: ${submodules.join(", ")}.`]),
    ];
    return {
      checked: { ...together(carried), ...(notes.length > 0 && { notes }) },
      witnesses: chosen.flatMap((plan) => plan.witnesses),
    };
  }

  async #carryOutPlan(plan: Plan, ground: Ground): Promise<Carried | undefined> {
    const { order, changes } = ground;
    if (plan.missing !== undefined)
      return { ...unable("config-error", { code: "config-error", text: plan.missing }), evidence: [] };
    const below = (paths: readonly string[]) =>
      paths
        .filter((path) => isBelow(path, plan.folder))
        .map((path) => (plan.folder === "" ? path : path.slice(plan.folder.length + 1)));
    const changed = changes
      .map(({ path }) => path)
      .filter((path) => path.isWellFormed() && isFile(ground.paths.get(path)));
    const reports = join(this.#parts.scratch, `report-${randomUUID()}`);
    makeFolder(reports);
    try {
      const selection = {
        changed: below(changed).slice(0, MOST_CHANGED_FILES),
        scope: changed.length > MOST_CHANGED_FILES ? ("full" as const) : order.scope,
        only: order.only === undefined ? undefined : below(order.only),
        removed: below(removedIn(changes)).find((path) => !this.isTest(path) && !isDocument(path)),
        isRough: order.isRough,
        report: join(reports, "report"),
        reporter: (name: ReporterName) => this.#reportersFolder().at(name),
      };
      const built = plan.build(selection);
      if (built === undefined) return undefined;
      const first = await this.#run(plan, { built, reports, ground });
      const isEmpty = first.kind === "no-tests" && built.scope === "affected" && order.only === undefined;
      if (!isEmpty) return first;
      const whole = plan.build({ ...selection, scope: "full" });
      if (whole === undefined) return first;
      const fallback = `${plan.tool} found no test that the change affects`;
      const second = await this.#run(plan, { built: { ...whole, fallback }, reports, ground });
      const cut = [...(first.cut ?? []), ...(second.cut ?? [])];
      return { ...second, evidence: [...first.evidence, ...second.evidence], cut };
    } finally {
      await removeFolder(reports);
    }
  }

  async #run(
    plan: Plan,
    { built, reports, ground }: { built: Built; reports: string; ground: Ground },
  ): Promise<Carried> {
    const { runner } = this.#parts;
    const { folder, order } = ground;
    const isPrinted = plan.format.of === "errors" || plan.format.in === "output";
    const { result: end, changed } = await ground.during(() =>
      runner.run({
        root: folder,
        folder: plan.folder,
        command: built.command,
        env: plan.env,
        readable: [this.#reportersFolder().path, ...(plan.readable ?? [])],
        writable: [reports],
        reports: isPrinted ? (plan.format.by === "pyright" || plan.format.by === "own" ? "stdout" : "both") : undefined,
        timeoutMs: Math.max(1, ground.deadline - performance.now()),
        signal: order.signal,
      }),
    );
    const edited = changed.filter((path) => !KEPT_BY_TOOLS.test(path));
    const judged =
      edited.length > 0
        ? unable("infra-failure", {
            code: "tree-changed",
            text: `The command changed ${edited.length === 1 ? "a file" : `${edited.length} files`} of the tree under judgement: ${edited.slice(0, 5).join(", ")}.`,
          })
        : this.#judged(plan, end, {
            report: join(reports, "report"),
            checkout: new FolderReader(folder),
            only: order.only,
          });
    const hidden = this.#redacted(judged, folder);
    return {
      ...hidden,
      evidence: [
        evidenceOf({
          plan,
          built,
          end: { ...end, tail: end.tail.replaceAll(`${folder}/`, "") },
          judged: hidden,
          order,
        }),
      ],
      cut: cutOf(plan, end, hidden),
    };
  }

  #judged(plan: Plan, end: RunEnd, read: Read): Judged {
    if (end.is === "unable") {
      const kind = end.why === "timeout" ? "timeout" : "infra-failure";
      return unable(kind, { code: end.why, text: end.reason });
    }
    const results = resultsOf(plan, { ...read, output: end.output, isWhole: end.isWhole });
    if (results === "exit-only") return judgeExit(plan, end);
    return "errors" in results
      ? judgeErrors(plan, end, results.errors)
      : judgeTests(plan, end, inFiles(results.tests, read.only));
  }

  /** Without secrets, and without the folder of the moment, which says nothing to anybody. */
  #redacted(judged: Judged, folder: string): Judged {
    const redact = (text: string) => this.#parts.redact(text.replaceAll(`${folder}/`, ""));
    return {
      ...judged,
      errors: judged.errors.map((error) => ({ ...error, message: redact(error.message) })),
      tests: judged.tests.map((test) =>
        test.message === undefined ? test : { ...test, message: redact(test.message) },
      ),
    };
  }

  /** Once per base: a tree does not change, and what is installed is looked at again after a minute. */
  async #detected(base: string, settings: QualityGates): Promise<Plan[]> {
    const plans = await this.#plansOf(base, settings);
    for (const path of plans.flatMap((plan) => plan.settings ?? [])) this.#named.add(path);
    for (const pattern of plans.flatMap((plan) => plan.tests ?? [])) this.#tests.add(pattern);
    return plans;
  }

  #plansOf(base: string, settings: QualityGates): Promise<Plan[]> {
    const key = JSON.stringify([base, settings.commands, Math.floor(Date.now() / 60_000)]);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    if (this.#plans.size > 20) this.#plans.clear();
    const plans = this.#baseTree(base).then((tree) => detectPlans(tree, this.#parts.installed, settings));
    this.#plans.set(key, plans);
    plans.catch(() => this.#plans.delete(key));
    return plans;
  }

  async #baseTree(base: string): Promise<BaseTree> {
    const { trees } = this.#parts;
    const paths = new Set(await trees.paths(base));
    return {
      paths,
      text: async (path) => (paths.has(path) ? (await trees.read(base, path))?.toString("utf8") : undefined),
    };
  }
}

interface Read {
  report: string;
  checkout: FolderReader;
  only?: readonly string[] | undefined;
}

/** Not every runner can be kept to some files. */
function inFiles({ tests, isUnreadable }: ParsedTests, only: readonly string[] | undefined): ParsedTests {
  if (only === undefined) return { tests, isUnreadable };
  return { tests: tests.filter(({ file }) => file === undefined || only.includes(file)), isUnreadable };
}

/** A link has no code of its own, and may lead anywhere. */
function isFile(entry: TreeEntry | undefined): boolean {
  return entry?.mode.startsWith("100") === true;
}

function removedIn(changes: readonly TreeChange[]): string[] {
  return changes.flatMap(({ status, path, from }) => (status === "deleted" ? [path] : (from ?? [])));
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(name);
}

function withPurpose(checked: Checked, purpose: string): Checked {
  return { ...checked, evidence: checked.evidence.map((one) => ({ ...one, purpose })) };
}

const RANKS = ["pass", "unable", "fail"] as const;

/** The worst counts; of several that could not be judged the first says why. */
function together(all: readonly Carried[]): Checked {
  const rank = (one: Carried) => RANKS.indexOf(one.verdict);
  const cut = all.flatMap((one) => one.cut ?? []);
  const worst = all.reduce((left, right) => (rank(right) > rank(left) ? right : left));
  return {
    verdict: worst.verdict,
    kind: worst.kind,
    ...(worst.reason === undefined ? {} : { reason: worst.reason }),
    evidence: all.flatMap(({ evidence }) => evidence),
    errors: all.flatMap(({ errors }) => errors),
    tests: all.flatMap(({ tests }) => tests),
    ...(cut.length > 0 && { cut }),
  };
}

/** What the evidence of a command lacks. */
function cutOf({ command }: Plan, { leftOut }: RunEnd, { tests }: Judged): string[] {
  const failed = tests.filter(({ status }) => status === "failed").length - MOST_FAILURES;
  return [
    ...(leftOut > 0 ? [`The first ${leftOut} bytes of the output of '${command}' were not kept.`] : []),
    ...(failed > 0 ? [`${failed} of ${failed + MOST_FAILURES} failures of '${command}' are not in the evidence.`] : []),
  ];
}

interface Evident {
  plan: Plan;
  built: Built;
  end: RunEnd;
  judged: Judged;
  order: CheckOrder;
}

function evidenceOf({ plan, built, end, judged, order }: Evident): CommandEvidence {
  const { tests } = judged;
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const failures = tests.filter(({ status }) => status === "failed").slice(0, MOST_FAILURES);
  return {
    type: "command",
    purpose: order.purpose,
    command: shownCommand(plan, built),
    tree: order.tree,
    exitCode: end.is === "ended" ? end.code : -1,
    kind: judged.kind,
    ms: end.ms,
    toolchain: plan.witnesses[0] === undefined ? plan.tool : `${plan.tool} (${plan.witnesses[0]})`,
    cached: false,
    ...(plan.check === "tests" ? { scope: built.scope } : {}),
    ...(built.fallback === undefined ? {} : { fallback: built.fallback }),
    ...(tests.length === 0
      ? {}
      : {
          tests: { passed: count("passed"), failed: count("failed"), skipped: count("skipped"), known: 0, unsteady: 0 },
        }),
    ...(failures.length === 0
      ? {}
      : { failures: failures.map(({ name, file, line, message }) => ({ name, file, line, message })) }),
    output: shownOutput(plan.format.by, end.tail),
  };
}

/** For people: without the lines that are for programs alone. */
function shownOutput(by: Plan["format"]["by"], tail: string): string {
  if (by !== "cargo" && by !== "go-json") return tail;
  return tail
    .split("\n")
    .flatMap((line) => {
      if (!line.startsWith("{")) return [line];
      const { Output } = recordOf(parsedJson(line)) ?? {};
      return typeof Output === "string" ? [Output.replace(/\n$/, "")] : [];
    })
    .join("\n");
}

/** As a person would type it, without where reports go. */
function shownCommand({ folder, command }: Plan, { scope }: Built): string {
  const where = folder === "" ? "" : `cd ${folder} && `;
  return `${where}${command}${scope === "affected" ? " (affected files)" : ""}`;
}
