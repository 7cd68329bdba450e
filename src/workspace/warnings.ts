import { KNOWN_TOOLS } from "../contract/role.ts";
import type { Problem } from "../contract/routes.ts";
import type { HallIndex } from "../store/hall-index.ts";
import { ROLES_FILE } from "./layout.ts";

const MOST_WARNINGS = 100;

/** What is valid and yet deserves a look. */
export function warningsOf(index: HallIndex): Problem[] {
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
      .filter((skill) => !(KNOWN_TOOLS as readonly string[]).includes(skill))
      .map(
        (skill): Problem => ({
          file: ROLES_FILE,
          kind: "role",
          id: role.id,
          severity: "warning",
          reason: `role ${role.id} allows '${skill}', which is no tool of the hall`,
        }),
      ),
  );
  const missingBlockers = index.tasks.missingBlockers(MOST_WARNINGS).map(
    ({ projectId, id, blocker, path }): Problem => ({
      file: path,
      kind: "task",
      projectId,
      id,
      severity: "warning",
      reason: `${id} waits for ${blocker}, which does not exist`,
    }),
  );
  return [...missingRoles, ...unknownTools, ...missingBlockers];
}
