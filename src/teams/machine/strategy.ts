import type { Resolved } from "../../contract/documents/rank.ts";
import type { PlannedTask, TeamPlan } from "../../contract/documents/teams/team-plan.ts";
import type { Strategy } from "../../contract/words/teams/team-words.ts";
import { filesOverlap } from "./file-overlap.ts";
import { depthsOf } from "./plan-graph.ts";

/** Tasks that can be done at the same time before more than one writer is worth it. */
const SIDE_BY_SIDE = 3;
const MOST_FLAT = 8;
/** Tasks of one domain that make it a part of its own. */
const LARGE_DOMAIN = 3;
/** More at the same time change no decision. */
const ENOUGH = 10;

/** How many work at the same time, and with whose help; `asked` is the person's own choice. */
export function chooseStrategy(plan: TeamPlan, asked?: Strategy): Resolved<Strategy> {
  if (asked !== undefined) return { value: asked, because: "chosen by you" };
  const total = plan.tasks.length;
  if (total === 1) return { value: "single", because: "the plan has one task" };
  if (total === 1) return { value: "single", because: "the plan has one task" };
  const count = sideBySide(plan.tasks);
  const figures = `${count === ENOUGH ? `${ENOUGH} or more` : count} of ${tasksText(total)} change different files and don't depend on each other`;
  if (count < SIDE_BY_SIDE)
    return { value: "single", because: `${figures}; ${SIDE_BY_SIDE} are needed for more than one writer` };
  if (total > MOST_FLAT) return { value: "managed", because: `${figures}; more than ${MOST_FLAT} tasks` };
  const domains = largeDomains(plan.tasks);
  if (domains.length > 1)
    return { value: "managed", because: `${figures}; ${LARGE_DOMAIN} or more tasks each in ${domains.join(", ")}` };
  return { value: "flat", because: figures };
}

const tasksText = (count: number) => `${count} ${count === 1 ? "task" : "tasks"}`;

/** The most tasks found that are in one phase, do not wait for each other and name files that no other of them changes. */
function sideBySide(tasks: readonly PlannedTask[]): number {
  const depths = depthsOf(tasks);
  const groups = new Map<string, PlannedTask[]>();
  let most = tasks.length > 0 ? 1 : 0;
  for (const task of tasks) {
    const group = `${depths.get(task.key)} ${task.phase}`;
    const chosen = groups.get(group) ?? [];
    groups.set(group, chosen);
    if (task.files.length === 0 || chosen.some(({ files }) => filesOverlap(files, task.files))) continue;
    chosen.push(task);
    most = Math.max(most, chosen.length);
    if (most >= ENOUGH) return ENOUGH;
  }
  return most;
}

function largeDomains(tasks: readonly PlannedTask[]): string[] {
  const counts = new Map<string, number>();
  for (const { domain } of tasks) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= LARGE_DOMAIN).map(([domain]) => domain);
}
