import type { PortfolioProject } from "../../../contract/documents/autonomy/portfolio.ts";
import { command } from "../../command.ts";
import { money } from "../../runs/run-text.ts";
import { type Column, textTable } from "../../text/text-table.ts";

type Initiative = PortfolioProject["initiatives"][number];
type Line = { project: PortfolioProject; initiative?: Initiative | undefined };

const tasksOf = ({ project, initiative }: Line) => (initiative ?? project).tasks;

const columns: Column<Line>[] = [
  { title: "PROJECT", text: ({ project, initiative }) => (initiative === undefined ? project.id : "") },
  {
    title: "INITIATIVE",
    text: ({ project, initiative }) =>
      initiative === undefined
        ? statusOf(project)
        : `${initiative.slug}${initiative.status === "paused" ? " (paused)" : ""}`,
  },
  { title: "DONE", text: (line) => `${tasksOf(line).done}/${tasksOf(line).total}` },
  { title: "READY", text: (line) => String(tasksOf(line).ready) },
  { title: "BLOCKED", text: (line) => String(tasksOf(line).blocked) },
  {
    title: "ASKED",
    text: ({ project, initiative }) =>
      String(initiative?.escalations.length ?? project.escalations.draft + project.escalations.pending),
  },
  { title: "RUNNING", text: ({ project, initiative }) => initiative?.lead?.status ?? runningOf(project, initiative) },
  {
    title: "TODAY",
    text: ({ project, initiative }) => (initiative === undefined ? money(project.spent.todayUsd, true) : ""),
  },
];

function statusOf({ status, autonomy }: PortfolioProject): string {
  return status === "active" ? (autonomy === "off" ? "" : `autonomy: ${autonomy}`) : `(${status})`;
}

function runningOf({ running }: PortfolioProject, initiative: Initiative | undefined): string {
  if (initiative !== undefined) return "";
  const parts = (["leads", "teams", "runs"] as const).flatMap((name) => {
    const count = running[name];
    return count === 0 ? [] : [`${count} ${count === 1 ? name.slice(0, -1) : name}`];
  });
  return parts.join(", ");
}

export const commands = {
  portfolio: command(
    {
      summary: "Show all projects with their initiatives: what is done, ready, blocked and running",
      detail: "Archived projects are left out.",
      examples: ["portfolio", "portfolio --json"],
    },
    async (_, { call, output }) => {
      const answer = await call("getPortfolio", {});
      const lines = answer.projects.flatMap((project): Line[] => [
        { project },
        ...project.initiatives.map((initiative) => ({ project, initiative })),
      ]);
      output.answer(answer, () =>
        lines.length === 0 ? "No projects yet. Create one with 'project create'." : textTable(columns, lines, output),
      );
      return 0;
    },
  ),
};
