import type { BudgetReport } from "../contract/documents/budget.ts";
import type { RouteResponse } from "../contract/routes/routes.ts";
import type { Run } from "../contract/runs/run.ts";
import { activityWithHint } from "../contract/words/activity-words.ts";
import { answerIn, commandIn, SLASH_COMMANDS, slashCommandOf } from "../contract/words/slash-commands.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { MainDesk } from "./main/main-desk.ts";
import type { AnswerDesk } from "./questions.ts";

/** A message of the person, or of a program that speaks in their place. */
export interface Command {
  /** The same when it is said again. */
  id: string;
  text: string;
  client?: string | undefined;
}

interface Parts {
  hall: Hall;
  desk: Pick<MainDesk, "listProjects" | "projectStatus">;
  /** Where it was said, if to a project's agent. */
  projectId: string | undefined;
  runs: () => Run[];
  costs: () => RouteResponse<"getCosts">;
  budget: () => BudgetReport;
  mainModel: () => string;
  questions: () => AnswerDesk;
}

/** In the form that Telegram shows them in. */
export const BOT_COMMANDS = Object.entries(SLASH_COMMANDS).map(([command, description]) => ({ command, description }));

const ANSWER_USAGE =
  "Usage: /answer <id> <answer>, such as /answer esc-001 Redis. The answer is a suggested one, its number, or your own words. /inbox lists the ids.";

const HELP = [
  "Type a message for the agent. These commands need no model:",
  ...BOT_COMMANDS.map(({ command, description }) => `/${command.padEnd(9)} ${description}`),
].join("\n");

/** What is answered without a model; undefined for everything else. */
export function slashCommand(command: Command, parts: Parts): string | Promise<string> | undefined {
  const word = commandIn(command.text);
  if (word === undefined) return undefined;
  switch (slashCommandOf(word)) {
    case "projects":
      return parts.desk.listProjects(undefined);
    case "status":
      return parts.projectId === undefined ? statusText(parts) : parts.desk.projectStatus(parts.projectId);
    case "cost":
      return costText(parts);
    case "inbox":
      return parts.questions().inbox();
    case "answer":
      return answer(command, parts.questions());
    case "help":
      return HELP;
    // Whoever takes what the person says stops the answer under way.
    case "stop":
    case undefined:
      return `Unknown command '/${word}'.\n\n${HELP}`;
  }
}

async function answer({ id: key, text, client }: Command, questions: AnswerDesk): Promise<string> {
  const given = answerIn(text);
  if (client !== undefined) return "Only you can answer: use the dashboard, the command line or Telegram.";
  if (given === undefined) return ANSWER_USAGE;
  return (await questions.answer(given.id, { text: given.text }, { via: "chat", key })).words;
}

function statusText({ hall, runs, mainModel }: Parts): string {
  const { projects, tasks, problems } = hall.health.counts();
  const all = runs();
  const working = all.filter(({ status }) => status === "running" || status === "pending");
  const review = all.filter(({ delivery }) => delivery?.state === "review");
  const line = ({ id, projectId, roleId, title, activity, status }: Run) =>
    `- ${projectId}: ${title} (${roleId}, ${activity === undefined ? status : activityWithHint(activity)}, ${id})`;
  return [
    `${many(projects, "project")}, ${many(tasks, "task")}, ${many(problems, "problem")}. The main agent's model is ${mainModel()}.`,
    working.length === 0 ? "No active runs." : `Running:\n${working.map(line).join("\n")}`,
    ...(review.length === 0 ? [] : [`Waiting for your review:\n${review.map(line).join("\n")}`]),
  ].join("\n");
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function costText({ costs, budget }: Parts): string {
  const { rows, total } = costs();
  const { limits } = budget();
  const money = (usd: number) => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
  const lines = rows
    .filter(({ calls }) => calls > 0)
    .map(({ key, costUsd, calls }) => `- ${key}: ${money(costUsd)} for ${many(calls, "model call")}`);
  const limit = limits.dayUsd === null ? "" : ` of ${money(limits.dayUsd)} a day`;
  return [`Today: ${money(total.costUsd)}${limit}.`, ...lines].join("\n");
}
