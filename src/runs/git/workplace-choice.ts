import { HallError } from "../../contract/errors.ts";
import type { Workplace } from "../../contract/run.ts";
import type { Found } from "./repository.ts";

const WRITING = new Set(["write", "edit", "exec", "spawn_subagent"]);

export interface PlaceOrder {
  runId: string;
  taskId: string;
  tools: readonly string[];
  repository: Found;
  /** Absolute, where worktrees lie. */
  folder: string;
  /** The branch that it goes on with; without one it gets its own. */
  branch?: string | undefined;
}

/** Where a run is going to work; undefined: where its project does, because it cannot write, or not in git. */
export function workplaceFor(order: PlaceOrder): Workplace | undefined {
  const { runId, taskId, tools, repository, folder, branch } = order;
  if (repository === undefined || !tools.some((name) => WRITING.has(name))) return undefined;
  if (repository instanceof HallError) throw repository;
  const worktree = `${folder}/${runId}`;
  return {
    owner: runId,
    branch: branch ?? `guildhall/${taskId}-${runId}`,
    target: repository.target,
    repository: repository.gitDir,
    worktree,
    workdir: repository.prefix === "" ? worktree : `${worktree}/${repository.prefix}`,
  };
}
