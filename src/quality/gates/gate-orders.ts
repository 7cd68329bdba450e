import type { GateReport } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { RepositoryGates } from "../../contract/documents/quality/repository-gates.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteBody } from "../../contract/routes/routes.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { TreeSource } from "../trees/tree-source.ts";
import { earlierOf } from "./earlier-reports.ts";
import type { GateOrder } from "./gate-order.ts";
import type { Ground, Span } from "./ground.ts";
import { repositoryGates } from "./repository-settings.ts";
import { spanBetween } from "./revisions.ts";

/** Newest reports that are searched for one of the same tree. */
const NEWEST = 20;

export interface OrderParts {
  core: Pick<Core, "nextId">;
  hall: Pick<Hall, "projects" | "tasks" | "gates">;
  /** `own`: what the repository says itself. */
  settingsOf: (projectId: string, own?: RepositoryGates) => QualityGates;
  /** A run and those that it continues, the oldest first. Throws for a run that is not known. */
  chainOf: (runId: string) => string[];
  runOf: (runId: string) => Run;
  /** Where the result of a run is; refuses one that is on no branch. */
  resultOf: (run: Run) => Promise<{ repository: string; from: string; to: string }>;
  /** `repository`: another one than the project's folder is in now. */
  groundOf: (projectId: string, repository?: string) => Promise<Ground>;
  /** The requirements that the team of a run gave it; undefined where it has none. */
  teamSpecOf: (run: Run) => string | undefined;
  typeOf: (subject: { trees: TreeSource; span: Span; task: Task | undefined }) => Promise<TaskType>;
}

/** Finds out everything that a gate needs to know before it begins. Who gets an order closes its ground. */
export class GateOrders {
  readonly #parts: OrderParts;

  constructor(parts: OrderParts) {
    this.#parts = parts;
  }

  /** For what a person asked for. */
  async asked(
    projectId: string,
    body: RouteBody<"createGate">,
    how: Pick<GateOrder, "hasReview" | "isForced" | "change">,
  ): Promise<GateOrder> {
    const { core, hall, runOf, chainOf, resultOf, groundOf } = this.#parts;
    hall.projects.get(projectId);
    const asked = { id: `gate-${core.nextId()}`, projectId, ...how };
    const { runId, base, head } = body ?? {};
    if (runId === undefined) {
      const ground = await groundOf(projectId);
      return closedUnless(ground, async () => {
        const span = await spanBetween(ground.trees, { base, head });
        const earlier = earlierOf(this.#lastOf(projectId, span));
        return this.#whole({ ...asked, ground, span, title: titleOf(base, head), ...earlier, cycle: 1 });
      });
    }
    const run = runOf(runId);
    if (run.projectId !== projectId) throw new HallError("invalid", `runId: run '${runId}' is of another project.`);
    const { repository, from, to } = await resultOf(run);
    const reports = chainOf(runId).flatMap((id) => hall.gates.ofRun(id));
    const earlier = earlierOf(reports.filter(({ verdict }) => verdict === "pass" || verdict === "fail"));
    const ground = await groundOf(projectId, repository);
    return closedUnless(ground, async () => {
      const span = await this.#spanOf(ground.trees, { base: from, head: to });
      const { before } = earlier;
      const cycle = before === undefined ? 1 : before.cycle + (before.tree === span.tree ? 0 : 1);
      return this.#whole({ ...asked, ground, span, run, title: run.title, ...earlier, cycle });
    });
  }

  /** For the result of a run that was handed in. */
  async handedIn(result: {
    gateId: string;
    run: Run;
    base: string;
    head: string;
    onto?: string | undefined;
    kept?: GateReport | undefined;
    cycle: number;
    /** Of the cycles before, the oldest first. */
    earlier: readonly GateReport[];
    change: Change;
    signal: AbortSignal;
  }): Promise<GateOrder> {
    const { resultOf, groundOf } = this.#parts;
    const { gateId: id, run, base, head, onto, kept, cycle, earlier, change, signal } = result;
    const { repository } = await resultOf(run);
    const ground = await groundOf(run.projectId, repository);
    return closedUnless(ground, async () => {
      const { trees } = ground;
      const span =
        onto === undefined ? await this.#spanOf(trees, { base, head }) : await this.#merged(trees, onto, head);
      const how = { hasReview: kept === undefined, isForced: false, change, signal };
      const title = onto === undefined ? run.title : `${run.title} (after the target branch moved)`;
      const about = { id, projectId: run.projectId, run, ground, span, title, cycle, onto, kept };
      return this.#whole({ ...about, ...earlierOf(earlier), ...how });
    });
  }

  async #spanOf(trees: TreeSource, { base, head }: { base: string; head: string }): Promise<Span> {
    const [baseTree, tree] = [await trees.tree(base), await trees.tree(head)];
    if (baseTree === undefined || tree === undefined)
      throw new HallError("gate_refused", `Commit ${baseTree === undefined ? base : head} no longer exists.`);
    return { base, baseTree, head, tree };
  }

  /** What a target that moved would become with the result, which is still the commit `head`. */
  async #merged(trees: TreeSource, onto: string, head: string): Promise<Span> {
    const merged = await trees.merge(onto, head);
    if ("conflicts" in merged)
      throw new HallError(
        "gate_refused",
        `It conflicts with its target in ${merged.conflicts.slice(0, 5).join(", ")}.`,
      );
    return { ...(await this.#spanOf(trees, { base: onto, head: merged.commit })), head };
  }

  async #whole(asked: Omit<GateOrder, "task" | "type" | "spec" | "settings" | "toolchain">): Promise<GateOrder> {
    const { hall, settingsOf, typeOf, teamSpecOf } = this.#parts;
    const { projectId = "", run, ground, span } = asked;
    const task =
      run === undefined ? undefined : await hall.tasks.get(projectId, run.taskId).catch((): undefined => undefined);
    const settings = settingsOf(projectId, await repositoryGates(ground, span.baseTree));
    const type = await typeOf({ trees: ground.trees, span, task });
    const ofTeam = run === undefined ? undefined : teamSpecOf(run);
    const spec = ofTeam ?? (await specIn(ground, span, settings));
    const toolchain = await ground.checks.toolchain(span.baseTree, settings);
    return { ...asked, task, settings, toolchain, type, spec };
  }

  /** The newest report of the same change: what a person waived there counts again. */
  #lastOf(projectId: string, { base, tree }: Span): GateReport[] {
    const { gates } = this.#parts.hall;
    const same = gates
      .finished(projectId, NEWEST)
      .find(({ line }) => line.base === base && line.tree === tree && line.runId === undefined);
    return same === undefined ? [] : [gates.get(same.line.id)];
  }
}

/** The requirements: as they were before the change, or where it brings them along, as it does. */
export async function specIn(
  { trees, prefix }: Ground,
  { baseTree, tree }: Span,
  { spec }: QualityGates,
): Promise<string | undefined> {
  if (spec === undefined) return undefined;
  const path = prefix === "" ? spec : `${prefix}/${spec}`;
  const content = (await trees.read(baseTree, path)) ?? (await trees.read(tree, path));
  return content?.toString("utf8");
}

async function closedUnless<Result>(ground: Ground, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await ground.close();
    throw error;
  }
}

export function titleOf(base: string | undefined, head: string | undefined): string {
  if (base === undefined && head === undefined) return "Uncommitted changes";
  return head === undefined ? `Changes since ${base}` : `${base ?? "HEAD"}..${head}`;
}
