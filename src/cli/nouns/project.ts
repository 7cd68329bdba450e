import type { Assignment, FileEntry, ProjectSummary, ProjectTemplate } from "../../contract/documents/project.ts";
import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { moreLines, readPages } from "../http/paging.ts";
import { paging } from "../shared-options.ts";
import type { Style } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { type Field, fieldLines, localTime, proseLines } from "../text/text-card.ts";
import { type Column, type TableSpace, textTable } from "../text/text-table.ts";

export const PROJECT_STATUSES = ["active", "suspended", "completed", "archived"] as const;

const project = { kind: "one", help: "Project id" } as const satisfies ArgumentSpec;

export const commands = {
  "project list": command(
    {
      summary: "List projects",
      options: {
        status: { kind: "text", value: "STATUS", help: "Filter by status", words: PROJECT_STATUSES },
        query: { kind: "text", short: "q", value: "TEXT", help: "Text to search for" },
        ...paging,
      },
      examples: ["project list", "project list --status active --json"],
    },
    async ({ status, query, ...paging }, { call, output }) => {
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
              ? "No projects match these filters."
              : `No projects yet. Create one: ${output.calledAs} project create NAME`;
        return [list, ...moreLines(answer.nextCursor)].join("\n");
      });
      return 0;
    },
  ),

  "project show": command(
    {
      summary: "Show a project and its files",
      args: { project },
      examples: ["project show shop"],
    },
    async ({ project: id }, { call, output }) => {
      const answer = await call("getProject", { params: { id } });
      output.answer(answer, () => projectCard(answer.project, output));
      return 0;
    },
  ),

  "project templates": command(
    {
      summary: "List built-in project templates",
      examples: ["project templates"],
    },
    async (_, { call, output }) => {
      const answer = await call("listProjectTemplates", {});
      output.answer(answer, () => {
        if (answer.templates.length === 0) return "No templates found.";
        const use = `Use one: ${output.calledAs} project create NAME --template ID`;
        return [textTable(templateColumns, answer.templates, output), use].join("\n");
      });
      return 0;
    },
  ),

  "project team": command(
    {
      summary: "List a project's roles",
      args: { project },
      examples: ["project team shop"],
    },
    async ({ project: id }, { call, output }) => {
      const answer = await call("listAssignments", { params: { id } });
      output.answer(answer, () =>
        answer.assignments.length === 0
          ? `No roles assigned yet. Assign one: ${output.calledAs} role assign ROLE -p ${id}`
          : textTable(teamColumns, answer.assignments, output),
      );
      return 0;
    },
  ),
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

type ShownProject = RouteResponse<"getProject">["project"];

type Config = ShownProject["config"];

export function projectCard(project: ShownProject, space: TableSpace): string {
  const { config } = project;
  return [
    `${space.paint("bold", oneLine(project.name))} ${space.paint("dim", `(${project.id})`)}`,
    ...fieldLines([...stateFields(project), ...settingFields(project)], space.paint),
    ...proseLines("Description", project.description, space),
    ...proseLines("Goals", bullets(config.goals), space),
    ...proseLines("In scope", bullets(config.scope.in), space),
    ...proseLines("Out of scope", bullets(config.scope.out), space),
    ...fileLines(project, space),
  ].join("\n");
}

function stateFields({
  status,
  suspendedWhy,
  taskCount,
  team,
  paths,
  createdAt,
  updatedAt,
  etag,
}: ShownProject): Field[] {
  const { todo, inProgress, review, done, failed, cancelled } = taskCount;
  const tasks = [
    [todo, "to do"],
    [inProgress, "in progress"],
    [review, "in review"],
    [done, "done"],
    [failed, "failed"],
    [cancelled, "cancelled"],
  ] as const;
  const counted = tasks.filter(([amount]) => amount > 0).map(([amount, what]) => `${amount} ${what}`);
  return [
    ["status", suspendedWhy === undefined ? status : `${status}: ${oneLine(suspendedWhy)}`],
    ["tasks", counted.length === 0 ? "none" : counted.join(", ")],
    ["team", team.length === 0 ? "none" : team.map(({ roleId }) => roleId).join(", ")],
    ["folder", paths.root],
    ["created", localTime(createdAt)],
    ["updated", localTime(updatedAt)],
    ["etag", etag],
  ];
}

function settingFields({ config, model, workdir, requiresReview }: ShownProject): Field[] {
  const { techStack, constraints } = config;
  return [
    ["model", model],
    ["work folder", workdir],
    ["repository", config.repoUrl],
    ["branch", config.branch],
    ["env files", config.envFiles?.join(", ")],
    ["languages", techStack.languages.join(", ")],
    ["frameworks", techStack.frameworks.join(", ")],
    ["tools", techStack.tools.join(", ")],
    ["review", requiresReview ? "required before merge" : "off: results are merged automatically"],
    ["max tokens", constraints.maxTokensPerTask],
    ["max tool calls", constraints.maxToolCallsPerRun],
    ["timeout", constraints.defaultTimeout === undefined ? undefined : `${constraints.defaultTimeout} s`],
    ["environments", constraints.allowedEnvironments?.join(", ")],
    ["commands", config.sandbox && commandsText(config.sandbox)],
    ["budget", config.budget && budgetText(config.budget)],
  ];
}

function commandsText(sandbox: NonNullable<Config["sandbox"]>): string {
  const { network, readable = [], writable = [], memoryMb, processes, unsandboxed } = sandbox;
  return [
    ...(network ? ["use the network"] : []),
    ...(readable.length > 0 ? [`read ${readable.join(", ")}`] : []),
    ...(writable.length > 0 ? [`write to ${writable.join(", ")}`] : []),
    ...(memoryMb === undefined ? [] : [`use up to ${memoryMb} MB`]),
    ...(processes === undefined ? [] : [`use up to ${processes} processes`]),
    ...(unsandboxed ? ["run unsandboxed if no sandbox is available"] : []),
  ].join("; ");
}

function budgetText(budget: NonNullable<Config["budget"]>): string {
  return Object.entries(budget)
    .map(([limit, amount]) => `${limit} ${amount ?? "none"}`)
    .join(", ");
}

function bullets(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join("\n");
}

function fileLines({ files, filesOmitted }: ShownProject, space: TableSpace): string[] {
  if (files.length === 0) return [];
  const omitted = filesOmitted === 0 ? [] : [`and ${filesOmitted} more`];
  return ["", space.paint("bold", "Files"), textTable(fileColumns, files, space), ...omitted];
}

const fileColumns: Column<FileEntry>[] = [
  { title: "PATH", text: ({ path }) => path, flexible: true },
  { title: "KIND", text: ({ kind }) => kind, style: () => "dim", spare: 2 },
  { title: "BYTES", text: ({ size }) => String(size) },
  { title: "UPDATED", text: ({ updatedAt }) => localTime(updatedAt), spare: 1 },
];

const templateColumns: Column<ProjectTemplate>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "DESCRIPTION", text: ({ description }) => description, flexible: true },
  { title: "GOALS", text: ({ goals }) => goals.join("; "), flexible: true },
];
