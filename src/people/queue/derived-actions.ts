import type { BudgetUpdate } from "../../contract/documents/budget.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteBody } from "../../contract/routes/routes.ts";
import type { Run, RunDiff } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import type { QueueAction } from "../../contract/words/queue-words.ts";
import type { SkillDesk } from "../../runs/admin/skill-desk.ts";
import type { Instructions } from "../../runs/plan/instructions.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { amountIn, type LimitRaise, limitRaiseIn } from "./derived-answers.ts";
import type { Subject } from "./subject.ts";

/** The floors below, which carry answers out and refuse what is no longer possible. */
export interface ActionPorts {
  hall: Pick<Hall, "projects" | "tasks" | "workdirs">;
  runs: {
    review: {
      diff(id: string): Promise<RunDiff>;
      approve(id: string, approval: { hash: string }, change: Change): Promise<Run>;
      reject(id: string, asked: RouteBody<"requestChanges">, change: Change): Promise<unknown>;
      discard(id: string, task: "pending", change: Change): Promise<{ run: Run }>;
    };
    retry(id: string, change: Change): Promise<unknown>;
    cancel(id: string, change: Change): Promise<unknown>;
    money: {
      updateBudget(update: BudgetUpdate, change: Change): Promise<unknown>;
      updateTeamBudget(teamId: string, budgetUsd: number, change: Change): Promise<unknown>;
    };
  };
  skills: Pick<SkillDesk, "get" | "accept">;
  instructions: Pick<Instructions, "list" | "accept">;
}

interface Order {
  subject: Subject;
  /** What was written with the answer. */
  text: string;
  change: Change;
}

/** Until when the action can be undone, where it can. */
export interface CarriedOut {
  undoUntil?: string | undefined;
}

/** Answers that do nothing but hide their entry until its subject changes. */
const HIDING: readonly QueueAction[] = ["wait", "keep-suspended", "leave"];

export function onlyHides(action: QueueAction): boolean {
  return HIDING.includes(action);
}

/** Carries an answer out as the person who gave it. Throws what the floor below throws, and nothing has changed then. */
export async function carryOut(ports: ActionPorts, action: QueueAction, order: Order): Promise<CarriedOut> {
  const { hall, runs } = ports;
  const { subject, text } = order;
  const change = { ...order.change, ifMatch: undefined };
  switch (action) {
    case "approve":
      await runs.review.approve(subject.of, { hash: await decidedContent(ports, order) }, change);
      return {};
    case "request-changes":
      await runs.review.reject(subject.of, { feedback: text, comments: [] }, change);
      return {};
    case "discard": {
      const { run } = await runs.review.discard(subject.of, "pending", change);
      return { undoUntil: run.delivery?.discard?.until };
    }
    case "retry":
      await runs.retry(subject.of, change);
      return {};
    case "cancel-task":
      await hall.tasks.move(projectIn(subject), subject.run?.taskId ?? "", { status: "cancelled" }, change);
      return {};
    case "raise-limit":
    case "raise-limit-to":
      await raiseLimit(
        ports,
        { ...raiseIn(subject), ...(action === "raise-limit" ? {} : { amount: amountOf(text) }) },
        change,
      );
      return {};
    case "stop-run":
      await runs.cancel(subject.of, change);
      return {};
    case "resume-project":
      await hall.projects.move(subject.of, "active", change);
      return {};
    case "accept":
      await accept(ports, order, change);
      return {};
    case "confirm-folder":
      await hall.workdirs.confirm(projectIn(subject), await decidedContent(ports, order), change);
      return {};
    case "wait":
    case "keep-suspended":
    case "leave":
      return {};
  }
}

/**
 * What identifies the content that is decided about: the diff, the skill pack, the file or the folder. Undefined for subjects
 * without one.
 */
export async function contentOf({ hall, runs, skills, instructions }: ActionPorts, subject: Subject) {
  switch (subject.kind) {
    case "review":
      return (await runs.review.diff(subject.of)).hash;
    case "skill":
      return skills.get(subject.title, subject.projectId).hash;
    case "instructions":
      return (await instructions.list(projectIn(subject))).instructions.find(({ path }) => path === subject.title)
        ?.hash;
    case "folder":
      return hall.workdirs.view(projectIn(subject)).fingerprint;
    default:
      return undefined;
  }
}

/** Refused where the answer names other content than there is now. */
async function decidedContent(ports: ActionPorts, { subject, change }: Order): Promise<string> {
  const now = (await contentOf(ports, subject)) ?? "";
  if (change.ifMatch === undefined || change.ifMatch === now) return now;
  throw new HallError("version_mismatch", `“${subject.title}” changed since you viewed it.`, {
    hint: hint("escalation-show", { text: subject.id }),
  });
}

async function accept(ports: ActionPorts, order: Order, change: Change): Promise<void> {
  const { subject } = order;
  const hash = await decidedContent(ports, order);
  const { title, projectId } = subject;
  if (subject.kind === "skill") await ports.skills.accept(title, { projectId, hash, change });
  else await ports.instructions.accept(projectIn(subject), { path: title, hash }, change);
}

async function raiseLimit({ runs, hall }: ActionPorts, raise: LimitRaise, change: Change): Promise<void> {
  if ("teamId" in raise) return void (await runs.money.updateTeamBudget(raise.teamId, raise.amount, change));
  const { projectId, field, amount } = raise;
  const limit = { [field]: amount };
  if (projectId === undefined) await runs.money.updateBudget(limit, change);
  else await hall.projects.update(projectId, { config: { budget: limit } }, change);
}

function raiseIn({ hintAction }: Subject): LimitRaise {
  const raise = limitRaiseIn(hintAction);
  if (raise === undefined)
    throw new HallError("escalation_refused", "No limit has to be raised for this run any more.");
  return raise;
}

function amountOf(text: string): number {
  const amount = amountIn(text);
  if (amount === undefined)
    throw new HallError("invalid", "resolution: must be the new limit as a number, such as 12.50");
  return amount;
}

function projectIn({ projectId, id }: Subject): string {
  if (projectId === undefined) throw new Error(`${id} names no project`);
  return projectId;
}
