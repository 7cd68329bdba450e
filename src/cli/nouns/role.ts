import type { Role, RoleTemplate } from "../../contract/documents/role.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { chosenProject } from "../context.ts";
import { moreLines, readPages } from "../http/paging.ts";
import { taskId } from "../references.ts";
import { paging, project } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { someProblems } from "../text/problem-lines.ts";
import { fieldLines, localTime, proseLines } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const role = { kind: "one", help: "Role id" } as const satisfies ArgumentSpec;

export const commands = {
  "role list": command(
    {
      summary: "List roles",
      options: { query: { kind: "text", short: "q", value: "TEXT", help: "Text to search for" }, ...paging },
      examples: ["role list", "role list --json"],
    },
    async ({ query, ...paging }, { call, output }) => {
      const answer = await readPages(
        paging,
        (page) => call("listRoles", { query: { ...page, q: query } }),
        (before, next) => ({ ...next, roles: before.roles.concat(next.roles) }),
      );
      output.answer(answer, () => {
        const list =
          answer.roles.length > 0
            ? textTable(roleColumns, answer.roles, output)
            : `No roles yet. Create one: ${output.calledAs} role create --template coder`;
        return [list, ...someProblems(answer.invalid, output), ...moreLines(answer.nextCursor)].join("\n");
      });
      return 0;
    },
  ),

  "role templates": command(
    {
      summary: "List built-in role templates",
      examples: ["role templates"],
    },
    async (_, { call, output }) => {
      const answer = await call("listRoleTemplates", {});
      output.answer(answer, () => {
        if (answer.templates.length === 0) return "No templates found.";
        const use = `Use one: ${output.calledAs} role create --template ID`;
        return [textTable(templateColumns, answer.templates, output), use].join("\n");
      });
      return 0;
    },
  ),

  "role suggest": command(
    {
      summary: "Suggest roles for a task, best match first",
      args: { text: { kind: "maybe-rest", help: "Task description" } },
      options: {
        project,
        task: { kind: "text", value: "TASK", help: "Existing task in the project" },
        limit: { kind: "number", value: "N", help: "Maximum number of results (1 to 50, default 5)" },
      },
      examples: ["role suggest fix the login page", "role suggest --task TASK-007 -p shop"],
    },
    async ({ text, project, task, limit }, context) => {
      const { call, output } = context;
      if (text === "" && task === undefined) {
        throw new HallError("usage", "Missing task.", {
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
          ? `No role matches. List the roles with '${output.calledAs} role list'.`
          : textTable(suggestionColumns, answer.suggestions, output),
      );
      return 0;
    },
  ),

  "role show": command(
    {
      summary: "Show a role and its prompt",
      args: { role },
      examples: ["role show backend"],
    },
    async ({ role: id }, { call, output }) => {
      const answer = await call("getRole", { params: { id } });
      const { role } = answer;
      const { modelConfig: model } = role;
      output.answer(answer, () =>
        [
          `${oneLine(role.emoji)} ${output.paint("bold", oneLine(role.name))}`,
          ...fieldLines(
            [
              ["id", role.id],
              ["version", role.version],
              ["specialty", role.specialty.join(", ")],
              ["model", model.model],
              ["thinking", model.thinking],
              ["timeout", `${model.timeout} s`],
              ["temperature", model.temperature],
              ["max tokens", model.maxTokens],
              ["skills", role.skills.join(", ")],
              ["ask before", role.ask?.join(", ") || undefined],
              ["variables", role.variables.join(", ")],
              ["updated", localTime(role.updatedAt)],
              ["etag", role.etag],
            ],
            output.paint,
          ),
          ...proseLines("Description", role.description, output),
          ...proseLines("Prompt", role.systemPromptTemplate, output),
        ].join("\n"),
      );
      return 0;
    },
  ),
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
