import type { CriterionState } from "../../contract/documents/teams/team.ts";
import { HallError } from "../../contract/errors.ts";
import type { CheckedCriterion } from "../../contract/runs/hand-in.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { Checked, CheckOrder, TestCase } from "../checks/local-checks.ts";
import type { OrderParts } from "../gates/gate-orders.ts";
import type { Ground } from "../gates/ground.ts";
import { repositoryGates } from "../gates/repository-settings.ts";
import { REQUIREMENT_ID, requirementsIn } from "../spec/requirements.ts";

interface Parts {
  settingsOf: OrderParts["settingsOf"];
  groundOf: (projectId: string) => Promise<Ground>;
}

export interface CriteriaOrder {
  projectId: string;
  /** What is looked at, and what it is to come into. */
  branch: string;
  target: string;
  criteria: readonly Pick<CriterionState, "id" | "requirement" | "kind" | "command">[];
  signal: AbortSignal;
}

const LONGEST_EVIDENCE = 2_000;
/** What a command printed last. */
const SHOWN_OUTPUT = 500;

/**
 * Whether acceptance criteria are met on a branch: those of the kind `test` by a passing test that names their requirement, those of the
 * kind `command` by a command that ends with 0, in the sandbox of the checks. Nothing counts as met that could not be checked.
 */
export class BranchCriteria {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async check({ projectId, branch, target, criteria, signal }: CriteriaOrder): Promise<CheckedCriterion[]> {
    const ground = await this.#parts.groundOf(projectId);
    try {
      const { trees } = ground;
      const [tree, base] = [await trees.tree(branch), await trees.commit(target)];
      if (tree === undefined || base === undefined)
        throw new HallError("gate_refused", `Branch '${tree === undefined ? branch : target}' no longer exists.`);
      const settings = this.#parts.settingsOf(projectId, await repositoryGates(ground, base));
      // With the settings of the branch itself: changes to them were judged with the tasks that made them, and a command may name
      // what the branch is to contain.
      const common = { tree, base: tree, scope: "full" as const, settings, signal };
      const timeoutMs = settings.timeoutSeconds.suite * 1_000;
      const isTested = criteria.some(({ kind }) => kind === "test");
      const proof = isTested
        ? await proofIn(ground, base, { ...common, purpose: "integration", timeoutMs })
        : new Map<string, string>();
      const results: CheckedCriterion[] = [];
      for (const { id, requirement, kind, command } of criteria)
        if (kind === "test") results.push(tested(id, requirement, proof));
        else if (kind === "command")
          results.push(await ran(id, command ?? [], ground, { ...common, purpose: `criterion ${id}`, timeoutMs }));
      return results;
    } finally {
      await ground.close();
    }
  }
}

/**
 * Requirements that passing tests name, with the first that does. Every team numbers its requirements from REQ-001, so a test counts only
 * where the branch changed its file: others prove what an earlier team was asked for.
 */
async function proofIn({ trees, checks }: Ground, before: string, order: CheckOrder): Promise<Map<string, string>> {
  const checked = await checks.tests(order);
  const changed = new Set((await trees.changes(before, order.tree)).map(({ path }) => path));
  const mentions = (await trees.search(order.tree, REQUIREMENT_ID)).filter(
    ({ path }) => changed.has(path) && checks.isTest(path),
  );
  const named = new Set(mentions.flatMap(({ text }) => requirementsIn(text)));
  const proof = new Map<string, string>();
  const add = (ids: readonly string[], evidence: string) => {
    for (const id of ids) if (!proof.has(id)) proof.set(id, evidence);
  };
  const byFile = Map.groupBy(checked.tests, ({ file }) => file ?? "");
  for (const { name, file, status } of checked.tests) {
    if (status !== "passed") continue;
    const ids = requirementsIn(name);
    // Where the runner does not tell the file, one that changed has to name it.
    if (file === undefined)
      add(
        ids.filter((id) => named.has(id)),
        name,
      );
    else if (changed.has(file)) add(ids, `${name} (${file})`);
  }
  for (const { path, text, line } of mentions) {
    const own = byFile.get(path);
    // Where the runner tells nothing of single tests, all of them have to pass.
    const isProof = own === undefined ? isAllPassed(checked) : own.every(isGreen) && own.some(isPassed);
    if (isProof) add(requirementsIn(text), `${path}:${line}`);
  }
  return proof;
}

const isPassed = ({ status }: TestCase) => status === "passed";
const isGreen = ({ status }: TestCase) => status !== "failed";
const isAllPassed = ({ verdict, tests }: Checked) =>
  verdict === "pass" && tests.every(({ file }) => file === undefined);

function tested(id: string, requirement: string, proof: ReadonlyMap<string, string>): CheckedCriterion {
  const test = proof.get(requirement);
  const evidence = test ?? `No passing test that the team added or changed names ${requirement}.`;
  return { id, met: test !== undefined, evidence: oneLine(evidence) };
}

/** As the check of a compiler, which passes when it ends with 0. */
async function ran(
  id: string,
  command: readonly string[],
  { checks }: Ground,
  order: CheckOrder,
): Promise<CheckedCriterion> {
  const text = command.map(quoted).join(" ");
  if (text === "") return { id, met: false, evidence: "The criterion names no command." };
  const settings = { ...order.settings, commands: { syntax: text } };
  const { verdict, evidence, reason } = await checks.syntax({ ...order, settings });
  const last = evidence.at(-1);
  const output = last === undefined || verdict === "pass" ? "" : `: ${last.output.slice(-SHOWN_OUTPUT)}`;
  const ended = last === undefined ? (reason?.text ?? "could not be run") : `ended with ${last.exitCode}${output}`;
  return { id, met: verdict === "pass", evidence: oneLine(`${text} ${ended}`) };
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function oneLine(text: string): string {
  const clean = text.toWellFormed().replaceAll(/\s+/g, " ").replaceAll("\0", "").trim();
  return cutText(clean === "" ? "No output." : clean, LONGEST_EVIDENCE);
}
