import { HallError } from "../contract/errors.ts";
import type { Context } from "./context.ts";

const NEWEST = 1_000;

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
