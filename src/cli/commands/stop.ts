import { HallError } from "../../contract/errors.ts";
import type { Action } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { count } from "../text-card.ts";
import { padText, textWidth } from "../text-width.ts";

export const stop: Action<"stop"> = async ({ all, project }, { call, output }) => {
  if ((all === true) === (project !== undefined))
    throw new HallError("usage", "What is to be stopped?", { hint: "Give --all, or a project with -p." });
  const answer = await call("stopRuns", { query: { project } });
  output.answer(answer, () => {
    const { runs, processes } = answer;
    if (runs.length === 0) return `No run was at work; ${count(processes, "process", "processes")} ended.`;
    const settling = runs.filter((run) => run.settling === true);
    const rows = runs.map(({ id, projectId, title, ...run }) => {
      const status = run.settling === true ? "ending" : run.status;
      return [id, projectId, status, oneLine(title)];
    });
    const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
    const lines = rows.map((row) => `  ${row.map((text, at) => padText(text, widths[at] ?? 0)).join("  ")}`);
    const first = `Ended ${count(runs.length, "run")} and ${count(processes, "process", "processes")}:`;
    const more = settling.length === 0 ? [] : [`What ${count(settling.length, "run")} had done is still being saved.`];
    return [first, ...lines, ...more].join("\n");
  });
  return 0;
};
