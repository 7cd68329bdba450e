import type { GateFinding, GateReason } from "../../contract/documents/quality/gate.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { GateSubject, StageOutcome } from "../gates/subject.ts";
import { found } from "../proof/found.ts";
import { hasInlineTests, splitInlineTests } from "../proof/inline-tests.ts";
import { isCodeFile } from "../proof/languages.ts";
import { type CoveredRequirement, coverageOf, LEAST_SCORE, type Links, scoreOf } from "./coverage.ts";
import { parseRequirements, REQUIREMENT_ID, requirementsIn } from "./requirements.ts";

const NO_SPEC: GateReason = { code: "no-spec", text: "There is no spec with requirements." };

/** Whether every requirement is met, by what names it. */
export async function specCompliance(subject: GateSubject): Promise<StageOutcome> {
  const covered = await requirementsOf(subject);
  const verdicts = covered.map(({ compliance }) => compliance);
  return stageOf(covered, verdicts, (requirement, isFailed) => {
    if (requirement.compliance === "full") return [];
    const isMissing = requirement.compliance === "missing";
    return [
      found({
        code: isMissing ? "requirement-missing" : "requirement-partial",
        severity: isMissing ? (isFailed ? "high" : "medium") : "low",
        about: requirement.id,
        requirements: [requirement.id],
        message: isMissing
          ? `${requirement.id} (${requirement.title}) is named by no code, test, task or commit.`
          : `${requirement.id} (${requirement.title}) is named ${whereOf(requirement.links)} only.`,
        fix: isMissing ? "Implement it, and name its id in code and tests." : missingPart(requirement.links),
      }),
    ];
  });
}

/** Whether requirements can be traced to code and tests. */
export async function traceability(subject: GateSubject): Promise<StageOutcome> {
  const covered = await requirementsOf(subject);
  const verdicts = covered.map(({ trace }) => trace);
  return stageOf(covered, verdicts, (requirement, isFailed) =>
    requirement.trace === "linked"
      ? []
      : [
          found({
            code: "unlinked",
            severity: requirement.trace === "partial" ? "low" : isFailed ? "high" : "medium",
            about: requirement.id,
            requirements: [requirement.id],
            message:
              requirement.trace === "partial"
                ? `${requirement.id} is named in ${requirement.links.code.length > 0 ? "code, but in no test" : "tests, but in no code"}.`
                : `${requirement.id} is named in no code and no test.`,
            fix: missingPart(requirement.links),
          }),
        ],
  );
}

function stageOf(
  covered: readonly CoveredRequirement[],
  verdicts: Parameters<typeof scoreOf>[0],
  findingsOf: (requirement: CoveredRequirement, isFailed: boolean) => GateFinding[],
): StageOutcome {
  if (covered.length === 0) return { verdict: "skipped", score: null, reason: NO_SPEC, findings: [], evidence: [] };
  const score = scoreOf(verdicts);
  const isFailed = score < LEAST_SCORE;
  const counts = Map.groupBy(verdicts, (verdict) => verdict);
  const text = `${covered.length} requirements: ${[...counts].map(([verdict, { length }]) => `${length} ${verdict}`).join(", ")}.`;
  return {
    verdict: isFailed ? "fail" : "pass",
    score,
    findings: covered.flatMap((requirement) => findingsOf(requirement, isFailed)),
    evidence: [{ type: "note", text: [text, ...covered.slice(0, MOST_LISTED).map(coverageLine)].join("\n") }],
  };
}

const MOST_LISTED = 200;
const MOST_PLACES = 5;

/** What names a requirement, for whoever takes the report as proof of it. */
function coverageLine({ id, title, compliance, links }: CoveredRequirement): string {
  const places = (kind: keyof Links) => {
    const left = links[kind].length - MOST_PLACES;
    const named = links[kind].slice(0, MOST_PLACES).join(", ");
    return named === "" ? "" : `; ${kind}: ${named}${left > 0 ? ` and ${left} more` : ""}`;
  };
  return `${id} ${title}: ${compliance}${places("code")}${places("tests")}${places("texts")}`;
}

const whereOf = ({ code, tests }: Links) =>
  tests.length > 0 ? "in tests" : code.length > 0 ? "in code" : "in task or commit texts";
const missingPart = ({ code, tests }: Links) =>
  [
    code.length === 0 ? "Name its id in the code that implements it." : "",
    tests.length === 0 ? "Name its id in a test." : "",
  ]
    .filter((part) => part !== "")
    .join(" ");

/**
 * The requirements that this work is about, with what names them in the whole tree: those that the task names, or all of the
 * spec where it names none.
 */
export async function requirementsOf(subject: GateSubject): Promise<CoveredRequirement[]> {
  const all = parseRequirements(subject.spec ?? "");
  if (all.length === 0) return [];
  const named = new Set(requirementsIn(taskText(subject.task)));
  const wanted = all.filter(({ id }) => named.has(id));
  const links = await linksIn(subject);
  return coverageOf(wanted.length > 0 ? wanted : all, (id) => links.get(id) ?? { code: [], tests: [], texts: [] });
}

function taskText(task: Task | undefined): string {
  if (task === undefined) return "";
  const criteria = task.acceptanceCriteria.map(({ text }) => text);
  return [task.title, task.description, ...criteria, ...task.labels, task.notes].join("\n");
}

async function linksIn(subject: GateSubject): Promise<Map<string, Links>> {
  const { trees, checks, tree, base, head, task, settings } = subject;
  const mentions = await trees.search(tree, REQUIREMENT_ID);
  const inline = await inlineTestLines(subject, new Set(mentions.map(({ path }) => path)));
  const links = new Map<string, { code: string[]; tests: string[]; texts: string[] }>();
  const add = (text: string, kind: keyof Links, place: string) => {
    for (const id of requirementsIn(text)) {
      const known = links.get(id) ?? { code: [], tests: [], texts: [] };
      if (!known[kind].includes(place)) known[kind].push(place);
      links.set(id, known);
    }
  };
  for (const { path, line, text } of mentions) {
    if (path === settings.spec) continue;
    const isTest = checks.isTest(path) || line >= (inline.get(path) ?? Number.POSITIVE_INFINITY);
    if (isTest) add(text, "tests", path);
    else if (isCodeFile(path)) add(text, "code", path);
  }
  for (const { path, id } of plannedCode(subject)) add(id, "code", path);
  if (task !== undefined) add(taskText(task), "texts", task.id);
  for (const { commit, message } of head === undefined ? [] : await trees.log(base, head))
    add(message, "texts", commit);
  return links;
}

/** In a team the plan says which requirements a task is for: the code that it changes is traced to them without naming them. */
function plannedCode({ run, spec, changes, checks }: GateSubject): { path: string; id: string }[] {
  if (run?.team === undefined) return [];
  const code = changes.filter(({ path, status }) => status !== "deleted" && isCodeFile(path) && !checks.isTest(path));
  return parseRequirements(spec ?? "").flatMap(({ id }) => code.map(({ path }) => ({ path, id })));
}

/** Where the test module of a file begins that has its tests beside the code. */
async function inlineTestLines({ trees, tree }: GateSubject, paths: ReadonlySet<string>): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const path of paths) {
    if (!hasInlineTests(path)) continue;
    const { code } = splitInlineTests(String((await trees.read(tree, path)) ?? ""));
    found.set(path, code.split("\n").length);
  }
  return found;
}
