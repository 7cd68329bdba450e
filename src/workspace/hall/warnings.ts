import { join } from "node:path";
import type { Problem } from "../../contract/problem.ts";
import { KNOWN_TOOLS } from "../../contract/words/tool-names.ts";
import { isThere } from "../../store/files/folders.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import { escalationWarnings } from "../escalations/escalation-warnings.ts";
import { projectRoot, ROLES_FILE } from "../layout.ts";

const MOST_WARNINGS = 100;

/** What is valid and yet deserves a look. `root`: the workspace. */
export function warningsOf(index: HallIndex, root: string): Problem[] {
  const roles = index.roles.all();
  const known = new Set(roles.map((role) => role.id));
  const missingRoles = index.projects.ids().flatMap((projectId) =>
    index.projects
      .assignments(projectId)
      .filter((assignment) => !known.has(assignment.roleId))
      .map(
        (assignment): Problem => ({
          file: `projects/${projectId}/PROJECT.json`,
          kind: "project",
          projectId,
          severity: "warning",
          reason: `the team names role '${assignment.roleId}', which does not exist`,
        }),
      ),
  );
  const unknownTools = roles.flatMap((role) =>
    role.skills
      .filter((skill) => !KNOWN_TOOLS.includes(skill) && !isPack(index, root, skill))
      .map(
        (skill): Problem => ({
          file: ROLES_FILE,
          kind: "role",
          id: role.id,
          severity: "warning",
          reason: `role ${role.id} allows '${skill}', which is neither a tool nor a skill pack`,
        }),
      ),
  );
  const missingBlockers = index.tasks.edges.missingBlockers(MOST_WARNINGS).map(
    ({ projectId, id, blocker, path }): Problem => ({
      file: path,
      kind: "task",
      projectId,
      id,
      severity: "warning",
      reason: `${id} is blocked by ${blocker}, which does not exist`,
    }),
  );
  return [...missingRoles, ...unknownTools, ...missingBlockers, ...escalationWarnings(index, MOST_WARNINGS)];
}

/** Whether anybody has a pack of that name: where a role works is not said here. */
function isPack(index: HallIndex, root: string, slug: string): boolean {
  const hasPack = (folder: string) => isThere(join(folder, slug, "SKILL.md"));
  if (hasPack(join(root, "skills"))) return true;
  return index.projects.ids().some((id) => {
    const workdir = index.projects.get(id)?.workdir;
    const places =
      workdir === undefined ? [] : [".agents/skills", ".claude/skills"].map((place) => join(workdir, place));
    return [join(root, projectRoot(id), "skills"), ...places].some(hasPack);
  });
}
