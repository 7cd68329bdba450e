import type { GateFinding, GateLine, GateReport } from "../../contract/documents/quality/gate.ts";
import type { RepeatedFinding, WeakStage } from "../../contract/documents/teams/team-lessons.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { STAGES, type StageName } from "../../contract/words/gate-words.ts";
import { plainLine } from "./plain-line.ts";

/** How many of the newest reports are searched. */
export const SEARCHED_GATES = 50;
/** Fewer results say nothing about a stage. */
const LEAST_JUDGED = 5;
const LEAST_FAILED = 2;
const WEAK_SHARE = 0.25;
const WEAK_SCORE = 70;
const MOST_STAGES = 3;
/** A finding that fewer tasks had is chance. */
const LEAST_TASKS = 3;
const MOST_REPEATED = 5;
const LONGEST_EXAMPLE = 200;

type SeenStages = Pick<GateLine, "stages">;

/** Stages that past results often failed, the weakest first. Nothing where there is too little to go by. */
export function weakStages(gates: readonly SeenStages[]): WeakStage[] {
  return STAGES.flatMap((stage) => figuresOf(stage, gates) ?? [])
    .toSorted((left, right) => shareOf(right) - shareOf(left) || (left.score ?? 100) - (right.score ?? 100))
    .slice(0, MOST_STAGES);
}

function figuresOf(stage: StageName, gates: readonly SeenStages[]): WeakStage | undefined {
  const judged = gates
    .flatMap(({ stages }) => stages.filter(({ name }) => name === stage))
    .filter(({ verdict }) => verdict === "pass" || verdict === "fail");
  if (judged.length < LEAST_JUDGED) return undefined;
  const failed = judged.filter(({ verdict }) => verdict === "fail").length;
  const scores = judged.flatMap(({ score }) => score ?? []);
  const score = scores.length === 0 ? null : Math.round(scores.reduce((sum, one) => sum + one, 0) / scores.length);
  const isFailed = failed >= LEAST_FAILED && failed >= judged.length * WEAK_SHARE;
  const isLow = score !== null && scores.length >= LEAST_JUDGED && score < WEAK_SCORE;
  return isFailed || isLow ? { stage, judged: judged.length, failed, score } : undefined;
}

function shareOf({ failed, judged }: WeakStage): number {
  return failed / judged;
}

type SeenReport = Pick<GateReport, "id" | "taskId" | "runId" | "stages">;

/** Kinds of findings that kept several tasks from passing. `reports`: those that failed, the newest first. */
export function repeatedFindings(reports: readonly SeenReport[]): RepeatedFinding[] {
  const works = new Set(reports.map(workOf)).size;
  const seen = reports.flatMap((report) =>
    report.stages.flatMap(({ name, findings }) =>
      findings.filter(isReal).map((finding) => ({ stage: name, finding, work: workOf(report) })),
    ),
  );
  const groups = Map.groupBy(seen, ({ stage, finding }) => `${stage} ${finding.code}`);
  return [...groups.values()]
    .flatMap((group): RepeatedFinding[] => {
      const [newest] = group;
      const tasks = new Set(group.map(({ work }) => work)).size;
      if (newest === undefined || tasks < LEAST_TASKS) return [];
      const { stage, finding } = newest;
      return [{ stage, code: finding.code, tasks, of: works, example: exampleOf(finding) }];
    })
    .toSorted((left, right) => right.tasks - left.tasks)
    .slice(0, MOST_REPEATED);
}

/** What a second look refuted, or a person accepted, taught nothing. */
export function isReal({ state, blocks }: GateFinding): boolean {
  return blocks && state !== "refuted" && state !== "waived";
}

function exampleOf({ file, message }: GateFinding): string {
  return cutText(plainLine(`${file === undefined ? "" : `${file}: `}${message}`), LONGEST_EXAMPLE);
}

/** Cycles of one piece of work belong together. */
function workOf({ taskId, runId, id }: SeenReport): string {
  return taskId ?? runId ?? id;
}
