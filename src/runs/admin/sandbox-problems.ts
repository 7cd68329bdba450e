import type { SandboxState } from "../../contract/documents/sandbox.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Core } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";

const MOST_PROJECTS = 10_000;

/** Projects whose commands run without any sandbox, because a person accepted that and none works here. */
export function sandboxProblems({ projects }: Pick<Core, "projects">, { name }: SandboxState): Problem[] {
  if (name !== "none") return [];
  return projects
    .list({ after: "", limit: MOST_PROJECTS })
    .filter(({ config }) => config.sandbox?.unsandboxed === true)
    .map(({ id }) => ({
      file: `${projectRoot(id)}/PROJECT.json`,
      kind: "project",
      severity: "warning",
      reason: "sandbox.unsandboxed: its agents run commands without a sandbox, with all permissions of the daemon",
    }));
}
