import type { RouteQuery } from "../../contract/routes.ts";
import type { Run } from "../../contract/run.ts";
import { type Action, chosenProject } from "../context.ts";
import { moreLines, readPages } from "../paging.ts";
import { costText, statusStyle, statusText } from "../run-text.ts";
import { taskId } from "../task-reference.ts";
import { localTime } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";
import { activityText } from "../tool-call.ts";

export const runList: Action<"run list"> = async ({ project, status, task, role, review, ...paging }, context) => {
  const { call, output } = context;
  const id = chosenProject(project, context);
  const filter = {
    project: id,
    status: status as RouteQuery<"listRuns">["status"],
    task: task === undefined ? undefined : taskId(task),
    role,
    review,
  };
  const answer = await readPages(
    paging,
    (page) => call("listRuns", { query: { ...page, ...filter } }),
    (before, next) => ({ ...next, runs: before.runs.concat(next.runs) }),
  );
  output.answer(answer, () => {
    const filtered = [filter.status, filter.task, role].some((wanted) => wanted !== undefined);
    const none = review === true ? "No result waits for you." : emptyText(id, { filtered, calledAs: output.calledAs });
    const list = answer.runs.length > 0 ? textTable(columns, answer.runs, output) : none;
    return [list, ...moreLines(answer.nextCursor)].join("\n");
  });
  return 0;
};

function emptyText(
  project: string | undefined,
  { filtered, calledAs }: { filtered: boolean; calledAs: string },
): string {
  if (filtered) return "No run is like that.";
  return `There are no runs yet. Start one: ${calledAs} spawn ROLE TITLE -p ${project ?? "PROJECT"}`;
}

const columns: Column<Run>[] = [
  { title: "RUN", text: ({ id }) => id, style: () => "bold" },
  { title: "STATUS", text: statusText, style: statusStyle },
  { title: "TASK", text: ({ projectId, taskId: task }) => `${projectId}/${task}`, spare: 1 },
  { title: "ROLE", text: ({ roleId }) => roleId, spare: 3 },
  { title: "CREATED", text: ({ createdAt }) => localTime(createdAt), spare: 5 },
  { title: "COST", text: costText, spare: 4 },
  { title: "NOW", text: ({ activity }) => activityText(activity), flexible: true, spare: 2 },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
];
