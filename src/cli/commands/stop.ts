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
    const settling = runs.filter((run) => run.settling === true);
    const lines = runs.map(({ id, projectId, title, ...run }) => {
      const status = run.settling === true ? "ending" : run.status;
      return `  ${id}  ${projectId}  ${status}  ${oneLine(title)}`;
    });
    const first = `Ended ${count(runs.length, "run")} and ${count(processes, "process", "processes")}:`;
    const more = settling.length === 0 ? [] : [`What ${count(settling.length, "run")} had done is still being saved.`];
    return [first, ...lines, ...more].join("\n");
  });
  return 0;
};
