import type { Task } from "../../contract/documents/task.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { openQuestions, resolvedSince } from "./lead-briefing.ts";
import type { Place } from "./lead-store.ts";
import { initiativeIn, takeable, type Work } from "./lead-world.ts";

const MOST_TASKS = 200;
const MOST_LINES = 15;
const LONGEST_PLAN = 12_000;
const LONGEST_LINE = 200;

type Records = Pick<Hall, "documents" | "tasks" | "escalations">;

/** An initiative as it is now: progress, and its tasks by what can be done about them. */
export function statusText(hall: Records, place: Place, work: Work): string {
  const initiative = initiativeIn(hall, place);
  if (initiative === undefined) return "The initiative does not exist any more.";
  const { tasks } = hall.tasks.list(place.projectId, { plan: place.initiative, sort: "id", limit: MOST_TASKS });
  const free = takeable(initiative, work);
  const ready = free.flatMap((id) => initiative.ready.filter((task) => task.id === id));
  const isOpen = ({ id, status }: Task) => (status === "pending" || status === "assigned") && !free.includes(id);
  const { done, total } = initiative.tasks;
  return [
    `${place.initiative}: ${done} of ${total} tasks done.`,
    ...listed(
      "Ready, in this order",
      ready.map(({ id, priority, title }) => `${id} (${priority}) ${title}`),
    ),
    ...listed("Running", [...work.atWork, ...tasks.filter(({ status }) => status === "in-progress").map(line)]),
    ...listed("Stopped by a person; leave them", tasks.filter(({ id }) => work.held.has(id)).map(line)),
    ...listed(
      "Waiting",
      tasks.filter((task) => isOpen(task) && !work.held.has(task.id) && !work.taken.has(task.id)).map(line),
    ),
    ...listed("Blocked", tasks.filter(({ status }) => status === "blocked").map(line)),
    ...listed("In review", tasks.filter(({ status }) => status === "review").map(line)),
    ...listed("Failed", tasks.filter(({ status }) => status === "failed").map(line)),
    ...listed(
      "Open questions",
      openQuestions(hall, place).map(({ id, question }) => `${id} ${question}`),
    ),
  ].join("\n");
}

/** What a lead has before it: the plan, where its tasks are, and what was answered. */
export function leadContext(hall: Records, place: Place, work: Work): string {
  const plan = initiativeIn(hall, place)?.plan ?? "";
  const answers = resolvedSince(hall, place, "").map(
    ({ id, question, resolution }) => `${question} → ${resolution} (${id})`,
  );
  return [
    `plans/${place.initiative}/plan.md:\n\n${cutText(plan, LONGEST_PLAN)}`,
    statusText(hall, place, work),
    listed("Answers", answers).join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function line({ id, title, waitingOn }: Task): string {
  return waitingOn.length === 0 ? `${id} ${title}` : `${id} ${title} (waits for ${waitingOn.join(", ")})`;
}

function listed(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((text) => `- ${cutText(text.replaceAll(/\s+/g, " "), LONGEST_LINE)}`);
  return [`${heading}:`, ...shown, ...(left > 0 ? [`- and ${left} more`] : [])];
}
