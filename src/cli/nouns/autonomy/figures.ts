import type { WeekFigures } from "../../../contract/documents/autonomy/figures.ts";
import { command } from "../../command.ts";
import { chosenProject } from "../../context.ts";
import { durationText, money } from "../../runs/run-text.ts";
import { project } from "../../shared-options.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const HOUR_MS = 3_600_000;
const share = (part: number, of: number) => (of === 0 ? "–" : `${Math.round((part / of) * 100)}%`);

const columns: Column<WeekFigures>[] = [
  { title: "WEEK", text: ({ week }) => week },
  { title: "DONE", text: ({ tasksDone }) => String(tasksDone) },
  { title: "CYCLE", text: ({ cycleHours }) => (cycleHours === null ? "–" : durationText(cycleHours * HOUR_MS)) },
  { title: "FIRST PASS", text: ({ firstPass, judged }) => share(firstPass, judged) },
  { title: "REWORKED", text: ({ reworked, tasksDone }) => share(reworked, tasksDone) },
  { title: "ASKED", text: ({ asked }) => String(asked) },
  { title: "AVOIDED", text: ({ avoided }) => String(avoided) },
  { title: "COST", text: ({ costUsd, costKnown }) => money(costUsd, costKnown) },
  {
    title: "PER TASK",
    text: ({ costPerTaskUsd, costKnown }) => (costPerTaskUsd === null ? "–" : money(costPerTaskUsd, costKnown)),
  },
];

export const commands = {
  figures: command(
    {
      summary: "Show throughput, cycle time, first-pass rate, rework, questions and cost per task, by week",
      detail: "Weeks begin on Monday, in UTC. --json also has each project.",
      options: {
        project: { ...project, help: "Only this project (default: $GUILDHALL_PROJECT or all)" },
        weeks: { kind: "number", value: "N", help: "How many weeks, up to 52 (default: 8)" },
      },
      examples: ["figures", "figures -p shop --weeks 12", "figures --json"],
    },
    async ({ project, weeks }, context) => {
      const { call, output } = context;
      const of = chosenProject(project, context);
      const query = { ...(of === undefined ? {} : { project: of }), ...(weeks === undefined ? {} : { weeks }) };
      const answer = await call("getFigures", { query });
      output.answer(answer, () => textTable(columns, answer.total, output));
      return 0;
    },
  ),
};
