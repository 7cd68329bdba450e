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

const WHOLE_RUN_ID = /^run-[0-9a-z]{22}$/;

/** Ids are long: the first or last characters of a recent run's will do when they fit only one. */
export async function runIdOf(given: string, { call }: Context): Promise<string> {
  const part = given.trim().toLowerCase();
  if (WHOLE_RUN_ID.test(part)) return part;
  const { runs } = await call("listRuns", { query: { limit: NEWEST } });
  const fitting = runs.filter(({ id }) => fitsId(id, part));
  if (fitting.length === 0) throw new HallError("run_not_found", `No run id starts or ends with '${given}'.`);
  return onlyId(fitting, given, "runs");
}

/** Whether an id such as `run-01m7…` begins or ends with this, with or without the word in front. */
export function fitsId(id: string, part: string): boolean {
  return id.endsWith(part) || id.startsWith(part) || id.slice(id.indexOf("-") + 1).startsWith(part);
}

/** The id of the only one that fits. */
export function onlyId(fitting: readonly { id: string }[], given: string, what: string): string {
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) return only.id;
  throw new HallError("usage", `'${given}' matches ${fitting.length} ${what}.`, { hint: "Pass more of the id." });
}

const WHOLE_ESCALATION_ID = /^esc-\d{3,12}$/;

/** The whole id, or the last characters of that of an open one when they fit only one. */
export async function escalationOf(given: string, { call }: Context, { snoozed = false } = {}): Promise<string> {
  const part = given.trim();
  if (WHOLE_ESCALATION_ID.test(part)) return part;
  const query = { status: "pending", limit: NEWEST, ...(snoozed ? { snoozed: true } : {}) } as const;
  const { escalations } = await call("listEscalations", { query });
  const fitting = escalations.filter(({ id }) => id === part || id.endsWith(part));
  const exact = fitting.find(({ id }) => id === part) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (exact !== undefined) return exact.id;
  if (fitting.length > 1) return onlyId(fitting, given, "escalations");
  // Answered or snoozed ones are known by their whole id; the daemon says what it knows of this one.
  return part;
}
