import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/hint.ts";
import type { Role, RoleTemplate } from "../../contract/role.ts";
import { type Action, chosenProject } from "../context.ts";
import { moreLines, readPages } from "../paging.ts";
import { someProblems } from "../problem-lines.ts";
import { taskId } from "../task-reference.ts";
import { type Column, textTable } from "../text-table.ts";

export const roleList: Action<"role list"> = async ({ query, ...paging }, { call, output }) => {
  const answer = await readPages(
    paging,
    (page) => call("listRoles", { query: { ...page, q: query } }),
    (before, next) => ({ ...next, roles: before.roles.concat(next.roles) }),
  );
  output.answer(answer, () => {
    const list =
      answer.roles.length > 0
        ? textTable(roleColumns, answer.roles, output)
        : `There are no roles. Create one: ${output.calledAs} role create --template coder`;
    return [list, ...someProblems(answer.invalid, output), ...moreLines(answer.nextCursor)].join("\n");
  });
  return 0;
};

export const roleTemplates: Action<"role templates"> = async (_, { call, output }) => {
  const answer = await call("listRoleTemplates", {});
  output.answer(answer, () => {
    if (answer.templates.length === 0) return "There are no templates.";
    const use = `Use one: ${output.calledAs} role create --template ID`;
    return [textTable(templateColumns, answer.templates, output), use].join("\n");
  });
  return 0;
};

export const roleSuggest: Action<"role suggest"> = async ({ text, project, task, limit }, context) => {
  const { call, output } = context;
  if (text === "" && task === undefined) {
    throw new HallError("usage", "What has to be done?", {
      hint: hint("role-suggest-task"),
    });
  }
  const query = {
    text: text === "" ? undefined : text,
    project: chosenProject(project, context),
    task: task === undefined ? undefined : taskId(task),
    limit,
  };
  const answer = await call("suggestRoles", { query });
  output.answer(answer, () =>
    answer.suggestions.length === 0
      ? `No role's specialty fits. See the roles with '${output.calledAs} role list'.`
      : textTable(suggestionColumns, answer.suggestions, output),
  );
  return 0;
};

const roleColumns: Column<Role>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "", text: ({ emoji }) => emoji },
  { title: "NAME", text: ({ name }) => name, flexible: true },
  { title: "MODEL", text: ({ modelConfig }) => modelConfig.model, spare: 1 },
  { title: "VERSION", text: ({ version }) => String(version), spare: 2 },
  { title: "SPECIALTY", text: ({ specialty }) => specialty.join(", "), flexible: true },
];

const templateColumns: Column<RoleTemplate>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "NAME", text: ({ name }) => name, flexible: true },
  { title: "DESCRIPTION", text: ({ description }) => description, flexible: true },
];

const suggestionColumns: Column<{ roleId: string; score: number; matched: string[] }>[] = [
  { title: "ROLE", text: ({ roleId }) => roleId, style: () => "bold" },
  { title: "SCORE", text: ({ score }) => String(Math.round(score * 100) / 100) },
  { title: "MATCHES", text: ({ matched }) => matched.join(", "), flexible: true },
];
