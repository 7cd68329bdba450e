import { HallError } from "../../contract/errors.ts";
import type { Workplace } from "../../contract/runs/run.ts";
import type { Found, Repository } from "./repository.ts";

const WRITING = new Set(["write", "edit", "exec", "spawn_subagent"]);

/** Whether somebody with these tools can change files, alone or through others. */
export function mayChangeFiles(tools: readonly string[]): boolean {
  return tools.some((name) => WRITING.has(name));
}

export interface PlaceOrder {
  runId: string;
  taskId: string;
  tools: readonly string[];
  repository: Found;
  /** Absolute, where worktrees lie. */
  folder: string;
  /** The branch that it goes on with; without one it gets its own. */
  branch?: string | undefined;
  /** A commit of the target that this branch gets first. */
  onto?: string | undefined;
  /** The branch that it starts off and goes into; the person's own, unless given. */
  target?: string | undefined;
}

/** Where a run is going to work; undefined: where its project does, because it cannot write, or not in git. */
export function workplaceFor(order: PlaceOrder): Workplace | undefined {
  const { runId, taskId, tools, repository, folder, branch, onto, target } = order;
  if (repository === undefined || !mayChangeFiles(tools)) return undefined;
  if (repository instanceof HallError) throw repository;
  const place = placeIn(repository, {
    runId,
    folder,
    branch: branch ?? `guildhall/${taskId}-${runId}`,
    target: target ?? repository.target,
  });
  return onto === undefined ? place : { ...place, onto };
}

/** The worktree of a run in a repository. */
export function placeIn(
  repository: Repository,
  { runId, folder, branch, target }: { runId: string; folder: string; branch: string; target: string },
): Workplace {
  const worktree = `${folder}/${runId}`;
  return {
    owner: runId,
    branch,
    target,
    repository: repository.gitDir,
    worktree,
    workdir: repository.prefix === "" ? worktree : `${worktree}/${repository.prefix}`,
  };
}

/** A checkout of its own, for a run that looks at what another one left on its branch. */
export function lookingAt(left: Workplace & { commit: string }, of: { runId: string; folder: string }): Workplace {
  const worktree = `${of.folder}/${of.runId}`;
  return { ...left, owner: of.runId, worktree, workdir: `${worktree}${left.workdir.slice(left.worktree.length)}` };
}
