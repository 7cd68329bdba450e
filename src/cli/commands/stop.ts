import { HallError } from "../../contract/errors.ts";
import type { Action } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { count } from "../text-card.ts";

export const stop: Action<"stop"> = async ({ all, project }, { call, output }) => {
  if ((all === true) === (project !== undefined))
    throw new HallError("usage", "What is to be stopped?", { hint: "Give --all, or a project with -p." });
  const answer = await call("stopRuns", { query: { project } });
  output.answer(answer, () => {
    const { runs, processes } = answer;
    if (runs.length === 0) return `No run was at work; ${count(processes, "process", "processes")} ended.`;
    const lines = runs.map((run) => `  ${run.id}  ${run.projectId}  ${run.status}  ${oneLine(run.title)}`);
    return [`Ended ${count(runs.length, "run")} and ${count(processes, "process", "processes")}:`, ...lines].join("\n");
  });
  return 0;
};
