import type { DetectedCheck } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { HallError } from "../../contract/errors.ts";
import type { Workplace } from "../../contract/runs/run.ts";
import { recordsOf } from "../../runs/git/worktrees/worktrees.ts";
import { judgeSyntax } from "../checks/judge-syntax.ts";
import type { Checked } from "../checks/local-checks.ts";
import type { OrderParts } from "../gates/gate-orders.ts";
import type { Ground } from "../gates/ground.ts";
import { repositoryGates } from "../gates/repository-settings.ts";
import type { StageOutcome } from "../gates/subject.ts";
import type { TreeChange } from "../trees/tree-source.ts";

interface Parts {
  settingsOf: OrderParts["settingsOf"];
  groundOf: OrderParts["groundOf"];
}

interface WorktreeOrder {
  projectId: string;
  place: Pick<Workplace, "repository" | "worktree" | "branch" | "target">;
  signal: AbortSignal;
}

/** A worktree as it was at one moment, compared with where its branch forked off. */
export interface SeenWorktree {
  /** Relative to the root of the repository. */
  changes: readonly TreeChange[];
  paths: readonly string[];
  /** Where the project's folder is in the repository; empty where it is its root. */
  prefix: string;
  /** A file as it was before the change. */
  before(path: string): Promise<Buffer | undefined>;
  /** As the first stage of a gate: errors that were there before don't count. */
  syntax(): Promise<StageOutcome>;
  /** The whole suite. */
  tests(): Promise<Checked>;
  detect(): Promise<DetectedCheck[]>;
}

/** Compilers and tests for work that is not committed yet. Commands and settings are those of before the change. */
export class WorktreeChecks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Refuses with HallError what can't be read. */
  async inspect<Result>(order: WorktreeOrder, look: (seen: SeenWorktree) => Promise<Result>): Promise<Result> {
    const ground = await this.#parts.groundOf(order.projectId, order.place.repository);
    try {
      return await look(await this.#see(ground, order));
    } finally {
      await ground.close();
    }
  }

  async #see(ground: Ground, { projectId, place, signal }: WorktreeOrder): Promise<SeenWorktree> {
    const { trees, checks, prefix } = ground;
    const [target, tip] = await trees.revisions([place.target, place.branch].map((name) => `refs/heads/${name}`));
    const base = target && (await trees.fork(target.commit, (tip ?? target).commit));
    const baseTree = base === undefined ? undefined : await trees.tree(base);
    if (base === undefined || baseTree === undefined)
      throw new HallError("gate_refused", `Branch '${place.target}' no longer exists.`);
    const settings: QualityGates = this.#parts.settingsOf(projectId, await repositoryGates(ground, base));
    const tree = await trees.working({ checkout: place.worktree, records: recordsOf(place) });
    const timeoutMs = settings.timeoutSeconds.suite * 1_000;
    return {
      changes: await trees.changes(baseTree, tree),
      paths: await trees.paths(tree),
      prefix,
      before: (path) => trees.read(baseTree, path),
      syntax: () => judgeSyntax({ checks, settings, tree, baseTree, signal }),
      tests: () =>
        checks.tests({ tree, base: baseTree, scope: "full", purpose: "validation", settings, timeoutMs, signal }),
      detect: () => checks.detect(baseTree, settings),
    };
  }
}
