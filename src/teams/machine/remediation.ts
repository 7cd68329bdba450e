import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import type { CriterionState } from "../../contract/documents/teams/team.ts";
import type { PlannedTask } from "../../contract/documents/teams/team-plan.ts";
import { bothSides } from "../../runs/plan/both-sides.ts";
import { autonomyOf } from "./autonomy/autonomy-phase.ts";
import { routeOf } from "./routing.ts";
import type { TaskRoute, TeamFact } from "./team-facts.ts";
import type { TaskState, TeamState } from "./team-state.ts";
import type { World } from "./world.ts";

type SeenCheck = NonNullable<ReturnType<World["check"]>>;

/** What the whole lacks. */
interface Lacking {
  check?: SeenCheck | undefined;
  criteria?: readonly CriterionState[];
  /** What the person said of the delivered whole. */
  remarks?: string;
  /** How what the team delivers conflicts with the base. */
  clash?: string;
}

/** Rounds of fixes before the person decides. */
export function mostRounds(state: TeamState, { settings }: World): number {
  return autonomyOf(state)?.limits.maxRemediationRounds ?? settings.maxRounds;
}

/** Of conflicts with the base, which no task of the team is to blame for. */
const WITH_BASE = "conflicts with the base";

interface Group {
  /** The task whose work is to be repaired; absent where none is known. */
  of?: TaskState | undefined;
  lines: string[];
  files: Set<string>;
  requirements: Set<string>;
  criteria: string[];
  /** It resolves conflicts with the base. */
  merges?: true;
}

/** Tasks that repair what the whole lacks: one for each task that broke something, for the member that did it. */
export function remediationOf(state: TeamState, lacking: Lacking): Extract<TeamFact, { type: "remediation" }> {
  const groups = new Map<string, Group>();
  const groupOf = (of: TaskState | undefined, key = of?.plan.key ?? ""): Group => {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group: Group = { of, lines: [], files: new Set(), requirements: new Set(), criteria: [] };
    if (key === WITH_BASE) {
      const { baseBranch } = state.document;
      group.lines.push(
        `'${baseBranch}' was merged into the branch, and files conflict. ${bothSides("the team's")} Change nothing else.`,
      );
      group.merges = true;
    }
    groups.set(key, group);
    return group;
  };
  if (lacking.check !== undefined) collectFindings(state, lacking.check, groupOf);
  for (const criterion of lacking.criteria ?? []) collectCriterion(state, criterion, groupOf);
  if (lacking.clash !== undefined) groupOf(undefined, WITH_BASE).lines.push(lacking.clash);
  if (lacking.remarks !== undefined) groupOf(undefined).lines.push(lacking.remarks);
  if (groups.size === 0)
    groupOf(undefined).lines.push("The integration check failed. Run the build and all tests, and fix what fails.");
  const round = state.rounds + 1;
  const fixes = [...groups.values()].map((group, at) => fixOf(state, group, { round, number: at + 1 }));
  return { type: "remediation", round, tasks: fixes.map(({ task }) => task), routes: fixes.map(({ route }) => route) };
}

type GroupOf = (of: TaskState | undefined, key?: string) => Group;

function collectFindings(state: TeamState, check: SeenCheck, groupOf: GroupOf): void {
  const brokenBy = new Map(
    check.breakers.flatMap(({ runId, findings }) => findings.map((id) => [id, taskOfRun(state, runId)] as const)),
  );
  for (const { name, verdict, findings, evidence } of check.steps) {
    const blocking = findings.filter(({ blocks, state: standing }) => blocks && standing === "open");
    for (const finding of blocking) {
      // Markers that are left have a line; files that can't be merged with the base have none.
      const isClash = finding.code === "conflict" && finding.line === undefined;
      const group = isClash ? groupOf(undefined, WITH_BASE) : groupOf(brokenBy.get(finding.id));
      group.lines.push(isClash ? (finding.file ?? finding.message) : findingLine(finding));
      if (finding.file !== undefined) group.files.add(finding.file);
      for (const id of finding.requirements ?? []) group.requirements.add(id);
    }
    if (verdict !== "fail" || blocking.length > 0) continue;
    const failed = evidence.filter(({ exitCode }) => exitCode !== 0);
    const told = failed.map(({ command, output }) => `${command}\n${output.slice(-LONGEST_OUTPUT)}`);
    groupOf(undefined).lines.push([`The ${name} step of the integration check failed.`, ...told].join("\n"));
  }
}

const LONGEST_OUTPUT = 4_000;
const MOST_LINES = 200;

function taskOfRun({ index, tasks }: TeamState, runId: string | undefined): TaskState | undefined {
  const key = runId === undefined ? undefined : index.byRun.get(runId);
  return key === undefined ? undefined : tasks.get(key);
}

function findingLine({ file, line, message, fix }: GateFinding): string {
  const place = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
  return `${place}${message}${fix === undefined ? "" : ` ${fix}`}`;
}

function collectCriterion(
  state: TeamState,
  { id, text, task, requirement, evidence }: CriterionState,
  groupOf: GroupOf,
): void {
  const group = groupOf(task === undefined ? undefined : state.tasks.get(task));
  group.lines.push(`${id} is not met: ${text}${evidence === undefined ? "" : ` (${evidence})`}`);
  group.requirements.add(requirement);
  group.criteria.push(id);
}

interface Place {
  round: number;
  number: number;
}

function fixOf(state: TeamState, group: Group, { round, number }: Place): { task: PlannedTask; route: TaskRoute } {
  const { of, lines, files, requirements, criteria, merges } = group;
  // Where the files of the work are unknown, so are those of its repair.
  const touched = of === undefined || of.plan.files.length > 0 ? new Set([...(of?.plan.files ?? []), ...files]) : [];
  const [first = "", ...more] = lines;
  const task: PlannedTask = {
    key: `fix-${round}-${number}`,
    title: (merges ? `Resolve the conflicts with ${state.document.baseBranch}` : titleOf(of)).slice(0, 500),
    description: [first, ...more]
      .slice(0, MOST_LINES)
      .map((line) => `- ${line}`)
      .join("\n")
      .slice(0, 100_000),
    type: merges ? "refactor" : "bug",
    domain: of?.plan.domain ?? "other",
    requirements: [...new Set([...requirements, ...(of?.plan.requirements ?? [])])].slice(0, 200),
    criteria: criteria.slice(0, 500),
    phase: `fix-${round}`,
    dependsOn: [],
    files: [...touched].slice(0, 500),
    ...(of?.plan.role === undefined ? {} : { role: of.plan.role }),
  };
  const route = routeOf(task, state.strategy?.value ?? "single");
  const prefix = of === undefined ? {} : { prefix: of.prefix };
  const who = of?.member === undefined ? {} : { member: of.member };
  return { task, route: { ...route, ...prefix, ...who, ...(merges && { merges }) } };
}

/** The repair of a repair keeps its title. */
function titleOf(of: TaskState | undefined): string {
  if (of === undefined) return "Fix the whole";
  return of.round === undefined ? `Fix ${of.plan.title}` : of.plan.title;
}
