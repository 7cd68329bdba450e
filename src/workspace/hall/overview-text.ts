import type { Role } from "../../contract/documents/role.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import { TASK_STATUSES } from "../../contract/documents/task-status.ts";
import type { Problem } from "../../contract/problem.ts";
import type { IndexedDocument } from "../../store/index/document-table.ts";
import type { ProjectRow } from "../../store/index/project-table.ts";
import { plainMarkdown } from "../knowledge/plain-markdown.ts";
import { folderOf } from "../layout.ts";
import { teamTable } from "../projects/project-text.ts";

export const NOTICE = "<!-- Written by Guildhall from the files around it; changes made here are overwritten. -->";

interface Board {
  name: string;
  counts: ReadonlyMap<TaskStatus, number>;
  columns: { heading: string; tasks: Task[] }[];
  invalid: Problem[];
}

/** TASKS/README.md */
export function renderBoard(board: Board): string {
  const counts = TASK_STATUSES.map((status) => `| ${status} | ${board.counts.get(status) ?? 0} |`);
  const columns = board.columns
    .filter((column) => column.tasks.length > 0)
    .map((column) => `## ${column.heading}\n\n${column.tasks.map(taskLine).join("\n")}`);
  const broken = board.invalid.map(
    (problem) => `- \`${problem.file}\`, line ${problem.line ?? 1}: ${plainMarkdown(problem.reason)}`,
  );
  return [
    NOTICE,
    `# Tasks of ${plainMarkdown(board.name)}`,
    ["| Status | Tasks |", "|--------|-------|", ...counts].join("\n"),
    ...(columns.length === 0 ? ["No tasks yet."] : columns),
    ...(broken.length === 0 ? [] : [`## Cannot be read\n\n${broken.join("\n")}`]),
  ]
    .join("\n\n")
    .concat("\n");
}

function taskLine(task: Task): string {
  const waits = task.waitingOn.length === 0 ? "" : ` · waits for ${task.waitingOn.join(", ")}`;
  const role = task.assignedRoleId === undefined ? "" : ` · ${task.assignedRoleId}`;
  return `- [${task.id}](${folderOf(task.status)}/${task.id}.md) ${plainMarkdown(task.title)} · ${task.priority}${role}${waits}`;
}

/** ARTIFACTS/README.md */
export function renderArtifactList(artifacts: IndexedDocument[], total: number): string {
  const lines = artifacts.map((artifact) => {
    const path = artifact.id.slice("ARTIFACTS/".length);
    return `- [${plainMarkdown(path)}](${path.split("/").map(encodeURIComponent).join("/")})`;
  });
  const more = total > artifacts.length ? [`…and ${total - artifacts.length} older ones.`] : [];
  return [
    NOTICE,
    "# Artifacts",
    lines.length === 0 ? "None yet. Results of work are kept here, one folder a day." : lines.join("\n"),
    ...more,
  ]
    .join("\n\n")
    .concat("\n");
}

/** TEAM.md of a project */
export function renderProjectTeam(project: ProjectRow, roleOf: (id: string) => Role | undefined): string {
  const details = project.team.map((assignment) => {
    const role = roleOf(assignment.roleId);
    const model =
      assignment.modelConfig === undefined
        ? ""
        : `\n- Model settings here: \`${JSON.stringify(assignment.modelConfig)}\``;
    const skills = assignment.skills === undefined ? "" : `\n- Skills here: ${assignment.skills.join(", ")}`;
    return `## ${role?.emoji ?? ""} ${plainMarkdown(role?.name ?? assignment.roleId)}\n\n- Role: \`${assignment.roleId}\`\n- Assigned: ${assignment.assignedAt}${model}${skills}`;
  });
  const table = project.team.length === 0 ? "Nobody yet." : teamTable(project.team, (id) => roleOf(id)?.name ?? id);
  return [NOTICE, `# Team of ${plainMarkdown(project.name)}`, table, ...details].join("\n\n").concat("\n");
}

/** TEAM.md of the workspace */
export function renderWorkspaceTeam(roles: Role[], projectsOf: (roleId: string) => string[]): string {
  const rows = roles.map(
    (role) =>
      `| ${role.emoji} ${plainMarkdown(role.name)} | \`${role.id}\` | ${role.specialty.map(plainMarkdown).join(", ")} | ${projectsOf(role.id).join(", ") || "–"} |`,
  );
  const table = ["| Role | Id | Specialty | Projects |", "|------|----|-----------|----------|", ...rows].join("\n");
  return [
    NOTICE,
    "# Team",
    roles.length === 0 ? "No roles yet. Make one with `guildhall role create --template coder`." : table,
  ]
    .join("\n\n")
    .concat("\n");
}

/** agents/<role>/TEAM.md */
export function renderRoleTeam(role: Role, projects: string[]): string {
  const { model, thinking, timeout } = role.modelConfig;
  return [
    NOTICE,
    `# ${role.emoji} ${plainMarkdown(role.name)}`,
    role.description,
    [
      `- Model: ${model}, thinking ${thinking}, ${timeout} s`,
      `- Skills: ${role.skills.join(", ") || "none"}`,
      `- Projects: ${projects.join(", ") || "none"}`,
    ].join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}
