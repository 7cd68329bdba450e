import { join } from "node:path";
import type { Config } from "../contract/documents/config.ts";
import type { GateReport } from "../contract/documents/quality/gate.ts";
import type { RepositoryGates } from "../contract/documents/quality/repository-gates.ts";
import type { Task } from "../contract/documents/task.ts";
import { HallError } from "../contract/errors.ts";
import type { Run, RunPlan } from "../contract/runs/run.ts";
import type { openRuns } from "../runs/open-runs.ts";
import type { Redactor } from "../store/secrets/redaction.ts";
import { Attachment } from "../workspace/attachments.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import { STATE_FOLDER } from "../workspace/layout.ts";
import { projectOf } from "../workspace/projects/known-project.ts";
import type { IndexedRun } from "../workspace/records.ts";
import { openChecks } from "./checks/open-checks.ts";
import { GateDocuments } from "./gates/gate-desk.ts";
import { GateEngine } from "./gates/gate-engine.ts";
import { GateOrders } from "./gates/gate-orders.ts";
import type { Span } from "./gates/ground.ts";
import { gateJudges } from "./gates/judges.ts";
import { ProjectGrounds } from "./gates/project-grounds.ts";
import { mergeGateSettings } from "./gates/settings.ts";
import { BranchCriteria, type CriteriaOrder } from "./integration/branch-criteria.ts";
import { IntegrationChecks } from "./integration/integration-desk.ts";
import { WorktreeChecks } from "./integration/worktree-checks.ts";
import type { GateEngine as LoopEngine } from "./loop/gate-engine.ts";
import { type LoopOptions, openLoop } from "./loop/open-loop.ts";
import { TeamDeliveries } from "./loop/team-delivery.ts";
import { openReview, type ReviewOptions } from "./review/open-review.ts";
import { isCode, judgedType } from "./task-type.ts";
import type { TeamWork } from "./team-work.ts";
import type { GitTrees } from "./trees/git-trees.ts";
import { type ProjectFiles, projectFiles } from "./trees/project-files.ts";
import type { TreeSource } from "./trees/tree-source.ts";

/** What came of checks, for the next time. */
export const CHECKS_FOLDER = `${STATE_FOLDER}/checks`;

export interface QualityOptions extends Pick<ReviewOptions, "models" | "gate" | "secrets"> {
  core: Core;
  hall: Hall;
  config: Config;
  runs: Pick<Awaited<ReturnType<typeof openRuns>>, "desk" | "judging" | "gateReviews"> & LoopOptions["runs"];
  /** What judges for the review loop; these gates unless given. */
  engine?: LoopEngine | undefined;
  planOf: (run: IndexedRun) => RunPlan | undefined;
  redactorOf: (projectId: string | undefined) => Redactor;
  onTrouble: (what: string, error: unknown) => void;
}

/** Wires the gates over runs and people. */
export function openQuality(options: QualityOptions) {
  const { core, hall, config, runs, planOf, redactorOf, onTrouble } = options;
  const settingsOf = (projectId: string, own?: RepositoryGates) =>
    mergeGateSettings(
      mergeGateSettings(config.agentTeams.qualityGates, own),
      projectOf(core, projectId)?.config.qualityGates,
    );
  const checksOf = (trees: GitTrees, projectId: string, scratch: string) =>
    openChecks({
      ...{ trees, scratch, probe: runs.judging.sandbox },
      cache: join(core.files.root, CHECKS_FOLDER),
      limits: projectOf(core, projectId)?.config.sandbox,
      hidden: [core.files.root],
      redact: (text) => redactorOf(projectId).text(text),
    });
  const grounds = new ProjectGrounds({ core, git: runs.judging.git, checksOf });
  const runOf = (id: string) => runs.desk.get(id);
  const chainOf = (id: string): string[] => {
    runOf(id);
    const chain: string[] = [];
    for (let next: string | undefined = id; next !== undefined && !chain.includes(next); ) {
      chain.unshift(next);
      const run = core.runs.get(next);
      next = run && planOf(run)?.continues?.runId;
    }
    return chain;
  };
  const engine = new GateEngine({
    clock: core.clock,
    judges: gateJudges(openReview({ ...options, reviews: runs.gateReviews })),
    redactorOf,
    store: {
      save: (report, told, change) => hall.gates.save(report, told, change),
      withKey: (projectId, key) => hall.gates.withKey(projectId, key),
      own: (id) => hall.gates.own(id),
      find: (id) => findReport(hall, id),
    },
    onStage: ({ id, projectId }, { name, verdict, score }) => {
      // Of a stage that does not apply there is nothing to tell.
      if (verdict === "skipped") return;
      const subject = { kind: "gate" as const, id };
      core.events
        .append({ type: "gate.stage", actor: BY_DAEMON, projectId, subject, after: { stage: name, verdict, score } })
        .catch((error) => onTrouble(`a stage of ${id} could not be logged`, error));
    },
  });
  const teams = new Attachment<TeamWork>(core.attachments, "work of teams");
  const parts = {
    ...{ core, hall, settingsOf, chainOf, runOf },
    teamSpecOf: (run: Run) => teams.part.specOf(run),
    groundOf: (projectId: string, repository?: string) => grounds.of(projectId, repository),
    resultOf: async (run: Run) => {
      const span = await runs.judging.spanOf(run);
      if (span === undefined)
        throw new HallError("gate_refused", `Run '${run.id}' left no result on a branch that could be judged.`);
      return span;
    },
    typeOf: async ({ trees, span, task }: { trees: TreeSource; span: Span; task: Task | undefined }) => {
      // Only where it makes a difference.
      const isOpen = task !== undefined && (task.type === "other" || !isCode(task.type));
      const changed = isOpen ? await trees.changes(span.baseTree, span.tree) : [];
      return judgedType(
        task,
        changed.map(({ path }) => path),
      );
    },
  };
  const orders = new GateOrders(parts);
  const deliveries = new TeamDeliveries({
    teams,
    checkOf: (id) => readable(() => hall.gates.getCheck(id)),
    treeOf: async (run, { repository, head }) => {
      const ground = await grounds.of(run.projectId, repository);
      return ground.trees.tree(head).finally(() => ground.close());
    },
  });
  const loop = openLoop({
    ...{ core, hall, config, runs, deliveries, onTrouble },
    engine: options.engine ?? {
      settingsOf,
      report: (id) => readable(() => hall.gates.get(id)),
      judge: async (result, signal) => {
        const earlier = result.earlier.flatMap((id) => findReport(hall, id) ?? []);
        const kept = result.passed === undefined ? undefined : hall.gates.own(result.passed);
        const order = await orders.handedIn({ ...result, earlier, kept, change: { actor: BY_DAEMON }, signal });
        return (await engine.begin(order)).over;
      },
    },
  });
  const desk = new GateDocuments({ ...parts, engine, orders, escalatedIn: loop.escalatedIn });
  const integration = new IntegrationChecks({
    ...parts,
    gatesOf: (runId) => desk.ofRun(runId),
    targetOf: (projectId) => projectOf(core, projectId)?.config.branch,
    onTrouble,
  });
  const criteria = new BranchCriteria(parts);
  const worktrees = new WorktreeChecks(parts);
  const part: HallPart = { problems: loop.problems, leave: loop.leave };
  return {
    part,
    /** Where teams are asked, once they are open. */
    teams,
    /** Whether acceptance criteria are met on a branch. */
    checkCriteria: (order: CriteriaOrder) => criteria.check(order),
    /** What a run has in its worktree, before it is a result. */
    inspect: worktrees.inspect.bind(worktrees),
    gatesFor: (projectId: string) => settingsOf(projectId),
    /** Reads a revision of a project's repository; the newest commit unless named. Refuses with HallError without one. */
    readTree: async <Result>(
      projectId: string,
      revision: string | undefined,
      use: (files: ProjectFiles) => Promise<Result>,
    ): Promise<Result> => {
      const ground = await grounds.of(projectId);
      return projectFiles(ground, revision)
        .then(use)
        .finally(() => ground.close());
    },
    /** Judges results before they count. */
    keeper: loop.keeper,
    desk: {
      list: desk.list.bind(desk),
      create: desk.create.bind(desk),
      get: desk.get.bind(desk),
      cancel: desk.cancel.bind(desk),
      waive: desk.waive.bind(desk),
      ofRun: desk.ofRun.bind(desk),
      detect: desk.detect.bind(desk),
      quality: desk.quality.bind(desk),
      owners: async (projectId: string) => {
        hall.projects.get(projectId);
        return loop.owners(projectId);
      },
    },
    integration: {
      create: integration.create.bind(integration),
      get: integration.get.bind(integration),
      list: integration.list.bind(integration),
      waive: integration.waive.bind(integration),
      isFull: integration.isFull.bind(integration),
    },
    start: async () => {
      await grounds.sweep();
      const left = hall.gates.running().flatMap((found) => (found.kind === "gate" ? [found.report] : []));
      await engine
        .endLeft(left, { actor: BY_DAEMON })
        .catch((error) => onTrouble("a gate that was interrupted could not be ended", error));
      await integration
        .endLeft()
        .catch((error) => onTrouble("an integration check that was interrupted could not be ended", error));
      loop.start();
    },
    close: async () => {
      await loop.close();
      await Promise.all([engine.close(), integration.close()]);
      await grounds.close();
    },
  };
}

/** Undefined of a document that is gone, or can't be read. */
function readable<Document>(read: () => Document): Document | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof HallError && ["file_invalid", "gate_not_found"].includes(error.code)) return undefined;
    throw error;
  }
}

function findReport(hall: Hall, id: string): GateReport | undefined {
  try {
    return hall.gates.get(id);
  } catch (error) {
    if (error instanceof HallError && error.code === "gate_not_found") return undefined;
    throw error;
  }
}
