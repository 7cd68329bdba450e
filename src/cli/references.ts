import { HallError } from "../contract/errors.ts";
import type { Context } from "./context.ts";
import { requiredProject } from "./context.ts";

const NEWEST = 1_000;

/** The id as the board writes it: 7 and task-7 are TASK-007. What does not look like one is left for the daemon to refuse. */
export function taskId(text: string): string {
  const digits = /^(?:task-)?(\d{1,12})$/i.exec(text.trim())?.[1];
  return digits === undefined ? text : `TASK-${digits.replace(/^0+(?=\d{3})/, "").padStart(3, "0")}`;
}

/** Where a task is: `shop/7`, or `7` with -p shop. */
export function taskPlace(text: string, project: string | undefined, context: Context): { id: string; taskId: string } {
  const slash = text.indexOf("/");
  if (slash > 0) return { id: text.slice(0, slash), taskId: taskId(text.slice(slash + 1)) };
  return { id: requiredProject(project, context), taskId: taskId(text) };
}

/** Ids are long: the last characters of a recent run's will do when they fit only one. */
export async function runIdOf(given: string, { call }: Context): Promise<string> {
  const ending = given.trim().toLowerCase();
  if (ending.startsWith("run-")) return ending;
  const { runs } = await call("listRuns", { query: { limit: NEWEST } });
  const fitting = runs.filter((run) => run.id.endsWith(ending));
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0].id;
  if (fitting.length === 0) throw new HallError("run_not_found", `There is no run whose id ends with '${given}'.`);
  throw new HallError("usage", `'${given}' is the end of ${fitting.length} runs.`, { hint: "Give more of the id." });
}
