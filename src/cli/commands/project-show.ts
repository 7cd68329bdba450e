import type { FileEntry } from "../../contract/project.ts";
import type { RouteResponse } from "../../contract/routes.ts";
import type { Action } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { type Field, fieldLines, localTime, proseLines } from "../text-card.ts";
import { type Column, type TableSpace, textTable } from "../text-table.ts";

type ShownProject = RouteResponse<"getProject">["project"];
type Config = ShownProject["config"];

export const projectShow: Action<"project show"> = async ({ project: id }, { call, output }) => {
  const answer = await call("getProject", { params: { id } });
  output.answer(answer, () => projectCard(answer.project, output));
  return 0;
};

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
    ["team", team.length === 0 ? "nobody" : team.map(({ roleId }) => roleId).join(", ")],
    ["folder", paths.root],
    ["created", localTime(createdAt)],
    ["updated", localTime(updatedAt)],
    ["etag", etag],
  ];
}

function settingFields({ config, model, workdir }: ShownProject): Field[] {
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
    [
      "review",
      constraints.requireReview === undefined ? undefined : constraints.requireReview ? "required" : "not required",
    ],
    ["max tokens", constraints.maxTokensPerTask],
    ["timeout", constraints.defaultTimeout === undefined ? undefined : `${constraints.defaultTimeout} s`],
    ["environments", constraints.allowedEnvironments?.join(", ")],
    ["commands", config.sandbox && commandsText(config.sandbox)],
    ["budget", config.budget && budgetText(config.budget)],
  ];
}

function commandsText(sandbox: NonNullable<Config["sandbox"]>): string {
  const { network, readable = [], writable = [], memoryMb, processes, unsandboxed } = sandbox;
  return [
    ...(network ? ["reach the network"] : []),
    ...(readable.length > 0 ? [`read ${readable.join(", ")}`] : []),
    ...(writable.length > 0 ? [`change ${writable.join(", ")}`] : []),
    ...(memoryMb === undefined ? [] : [`have ${memoryMb} MB`]),
    ...(processes === undefined ? [] : [`have ${processes} processes`]),
    ...(unsandboxed ? ["run without a sandbox where none works"] : []),
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
