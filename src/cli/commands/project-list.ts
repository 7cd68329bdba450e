import type { Assignment, ProjectSummary } from "../../contract/project.ts";
import type { RouteQuery } from "../../contract/routes.ts";
import type { Action } from "../context.ts";
import { moreLines, readPages } from "../paging.ts";
import type { Style } from "../paint.ts";
import { localTime } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";

export const projectList: Action<"project list"> = async ({ status, query, ...paging }, { call, output }) => {
  const filter = { status: status as RouteQuery<"listProjects">["status"], q: query };
  const answer = await readPages(
    paging,
    (page) => call("listProjects", { query: { ...page, ...filter } }),
    (before, next) => ({ ...next, projects: before.projects.concat(next.projects) }),
  );
  output.answer(answer, () => {
    const filtered = status !== undefined || query !== undefined;
    const list =
      answer.projects.length > 0
        ? textTable(projectColumns, answer.projects, output)
        : filtered
          ? "No project is like that."
          : `There are no projects yet. Create one: ${output.calledAs} project create NAME`;
    return [list, ...moreLines(answer.nextCursor)].join("\n");
  });
  return 0;
};

export const projectTeam: Action<"project team"> = async ({ project: id }, { call, output }) => {
  const answer = await call("listAssignments", { params: { id } });
  output.answer(answer, () =>
    answer.assignments.length === 0
      ? `Nobody is on this project yet. Assign a role: ${output.calledAs} role assign ROLE -p ${id}`
      : textTable(teamColumns, answer.assignments, output),
  );
  return 0;
};

const statusStyles: Record<ProjectSummary["status"], Style> = {
  active: "green",
  suspended: "yellow",
  completed: "blue",
  archived: "dim",
  invalid: "red",
};

const projectColumns: Column<ProjectSummary>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "STATUS", text: ({ status }) => status, style: ({ status }) => statusStyles[status] },
  { title: "TODO", text: ({ taskCount }) => String(taskCount.todo) },
  { title: "DOING", text: ({ taskCount }) => String(taskCount.inProgress), spare: 2 },
  { title: "REVIEW", text: ({ taskCount }) => String(taskCount.review), spare: 3 },
  { title: "DONE", text: ({ taskCount }) => String(taskCount.done), spare: 1 },
  { title: "TEAM", text: ({ teamSize }) => String(teamSize), spare: 4 },
  { title: "NAME", text: ({ name }) => name, flexible: true },
  { title: "PROBLEM", text: ({ problem }) => problem ?? "", style: () => "red", flexible: true },
];

const teamColumns: Column<Assignment>[] = [
  { title: "ROLE", text: ({ roleId }) => roleId, style: () => "bold" },
  { title: "STATUS", text: ({ status }) => status, style: ({ status }) => (status === "active" ? "green" : "yellow") },
  { title: "MODE", text: ({ mode }) => mode },
  { title: "OVERRIDES", text: overridesText, flexible: true, spare: 1 },
  { title: "SKILLS", text: ({ skills }) => skills?.join(", ") ?? "", flexible: true, spare: 2 },
  { title: "SINCE", text: ({ assignedAt }) => localTime(assignedAt), spare: 3 },
];

function overridesText({ modelConfig }: Assignment): string {
  const pairs = Object.entries(modelConfig ?? {}).filter(([, value]) => value !== undefined);
  return pairs.map(([name, value]) => `${name} ${value}`).join(", ");
}
