import { BOARD_QUESTIONS, type BoardQuestion } from "../agent/tools/board-tools.ts";
import type { Task } from "../contract/documents/task.ts";
import { TaskCreate, TaskUpdate } from "../contract/documents/task.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import { cutText } from "../contract/words/cut-text.ts";
import { checkedInput } from "../processes/hall-questions.ts";
import { decide } from "../runs/results/lifecycle.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { resultPolicyOf } from "../workspace/result-policy.ts";
import { judgedCriteria } from "../workspace/tasks/criteria.ts";
import type { Moments } from "./moments.ts";

const FOLDER_WORDS: Record<string, string> = { todo: "to do", inProgress: "in progress", review: "in review" };
const LONGEST_LINE = 160;
const LONGEST_TEXT = 20_000;

/** Who asks, of which project, with which call. */
export interface BoardAsker {
  projectId: string;
  actor: Actor;
  /** Asking again with the same one changes nothing more. */
  callId: string;
}

export interface BoardParts {
  hall: Hall;
  /** The run that is at work on a task, or about to be. */
  runAtWork: (projectId: string, taskId: string) => string | undefined;
  /** The run whose result is in the hands of the quality gates, or of the person after them. */
  judgedRun: (projectId: string, taskId: string) => string | undefined;
  moments: Pick<Moments, "completing">;
}

/** What agents ask of the board and do to it, in words. Rejects with HallError when something is refused. */
export class BoardDesk {
  readonly #hall: Hall;
  readonly #runAtWork: BoardParts["runAtWork"];
  readonly #judgedRun: BoardParts["judgedRun"];
  readonly #moments: BoardParts["moments"];

  constructor({ hall, runAtWork, judgedRun, moments }: BoardParts) {
    this.#hall = hall;
    this.#judgedRun = judgedRun;
    this.#moments = moments;
    this.#runAtWork = runAtWork;
  }

  async ask(what: BoardQuestion, given: unknown, asker: BoardAsker): Promise<string> {
    switch (what) {
      case "task_list":
        return this.#list(checkedInput(BOARD_QUESTIONS[what], given), asker.projectId);
      case "task_get":
        return rendered(
          await this.#hall.tasks.get(asker.projectId, taskId(checkedInput(BOARD_QUESTIONS[what], given).id)),
        );
      case "task_create":
        return this.#create(given, asker);
      case "task_update":
        return this.#update(given, asker);
      case "task_complete":
        return this.#complete(given, asker);
    }
  }

  /** For prompts: how many tasks there are, and those that matter now. */
  state(projectId: string, most: number): string {
    const { taskCount } = this.#hall.projects.get(projectId);
    const counts = Object.entries(taskCount).map(([folder, count]) => `${count} ${FOLDER_WORDS[folder] ?? folder}`);
    const shown = (["in-progress", "review", "todo"] as const).flatMap(
      (status) => this.#hall.tasks.list(projectId, query({ status, limit: most })).tasks,
    );
    const left = taskCount.todo + taskCount.inProgress + taskCount.review - Math.min(shown.length, most);
    const rest = left > 0 ? [`(${left} more; see task_list)`] : [];
    return [counts.join(", "), ...shown.slice(0, most).map(lineOf), ...rest].join("\n");
  }

  #list({ status, query: q, ready, limit }: ReturnType<(typeof BOARD_QUESTIONS)["task_list"]["parse"]>, id: string) {
    const { tasks, nextCursor } = this.#hall.tasks.list(id, query({ status, q, ready, limit }));
    const isAsked = status !== undefined || q !== undefined || ready !== undefined;
    if (tasks.length === 0) return isAsked ? "No tasks match." : "No tasks yet.";
    return [...tasks.map(lineOf), ...(nextCursor === undefined ? [] : ["(more tasks match; narrow the search)"])].join(
      "\n",
    );
  }

  async #create(given: unknown, { projectId, actor, callId }: BoardAsker): Promise<string> {
    const fields = checkedInput(BOARD_QUESTIONS.task_create, given);
    const body = checkedInput(TaskCreate, { ...fields, blockedBy: fields.blockedBy.map(taskId) });
    const request = { key: callId, fingerprint: "" };
    const known = this.#hall.replay(request);
    if (known !== undefined) return `${known.subjectId} created.`;
    const task = await this.#hall.tasks.create(projectId, body, { actor, request });
    return `${task.id} created: ${task.title}`;
  }

  async #update(given: unknown, { projectId, actor, callId }: BoardAsker): Promise<string> {
    const { id, note, ...fields } = checkedInput(BOARD_QUESTIONS.task_update, given);
    if (fields.status === "done")
      throw new HallError("invalid", "Use task_complete to finish a task; it needs a summary.");
    const body = checkedInput(TaskUpdate, fields);
    const task = await this.#hall.tasks.get(projectId, taskId(id));
    const request = { key: callId, fingerprint: "" };
    if (this.#hall.replay(request) !== undefined) return lineOf(task);
    if (body.status !== undefined && body.status !== task.status) this.#assertMayMove(projectId, task.id);
    return lineOf(await this.#hall.tasks.update(projectId, task.id, body, { actor, request, why: note }));
  }

  /** Nobody closes what a run is at work on, and where a project asks for review, a person has the last word. */
  async #complete(given: unknown, { projectId, actor, callId }: BoardAsker): Promise<string> {
    const { id, summary, criteria } = checkedInput(BOARD_QUESTIONS.task_complete, given);
    const task = await this.#hall.tasks.get(projectId, taskId(id));
    const policy = resultPolicyOf(this.#hall.projects.get(projectId));
    const target = decide({}, { type: "task-completed", by: "agent" }, policy).moves[0] ?? "review";
    const request = { key: callId, fingerprint: "" };
    if (task.status === target || this.#hall.replay(request) !== undefined) return `${task.id} is ${task.status}.`;
    this.#assertMayMove(projectId, task.id);
    if (task.status === "review")
      throw new HallError("illegal_move", `${task.id} is in review; a person decides.`, { hint: "" });
    const refusal = await this.#moments.completing({ projectId, taskId: task.id, summary, criteria });
    if (refusal !== undefined) throw new HallError("hook_refused", refusal, { hint: "" });
    const judged = judgedCriteria({ criteria: task.acceptanceCriteria, reported: criteria });
    const change = { status: target, completionNotes: summary };
    const update = checkedInput(TaskUpdate, criteria.length === 0 ? change : { ...change, acceptanceCriteria: judged });
    if (task.status !== "in-progress")
      await this.#hall.tasks.move(projectId, task.id, { status: "in-progress" }, { actor });
    const done = await this.#hall.tasks.update(projectId, task.id, update, { actor, request });
    return `${done.id} is ${done.status}.`;
  }

  #assertMayMove(projectId: string, id: string): void {
    const judged = this.#judgedRun(projectId, id);
    if (judged !== undefined)
      throw new HallError("illegal_move", `The result of run '${judged}' is in review, which moves ${id} itself.`, {
        hint: "Wait for the end of the review.",
      });
    const run = this.#runAtWork(projectId, id);
    if (run === undefined) return;
    throw new HallError("illegal_move", `Run '${run}' is working on ${id} and moves it itself.`, {
      hint: "Wait for the message that it ended.",
    });
  }
}

/** Agents write small letters, and leave zeros out. */
function taskId(given: string): string {
  return given.toUpperCase().replace(/^TASK-0*(\d+)$/, (_, digits: string) => `TASK-${digits.padStart(3, "0")}`);
}

function query(given: Record<string, unknown>) {
  return { limit: 30, sort: "id" as const, ...given } as Parameters<Hall["tasks"]["list"]>[1];
}

function lineOf({ id, status, priority, title, waitingOn, plan }: Task): string {
  const waits = waitingOn.length > 0 ? `, blocked by ${waitingOn.join(", ")}` : "";
  const belongs = plan === undefined ? "" : `, plan ${plan}`;
  return `${id} [${status}, ${priority}${waits}${belongs}] ${title}`.slice(0, LONGEST_LINE).toWellFormed();
}

function rendered(task: Task): string {
  const criteria = task.acceptanceCriteria.map(({ done, text }) => `- [${done ? "x" : " "}] ${text}`);
  const part = (heading: string, text: string | undefined) => (text ? [`${heading}:`, shortened(text)] : []);
  return [
    lineOf(task),
    shortened(task.description),
    ...(criteria.length === 0 ? [] : ["Acceptance criteria:", criteria.join("\n")]),
    ...part("Notes", task.notes),
    ...part("Completion notes", task.completionNotes),
    ...part("Result", task.result?.summary),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function shortened(text: string): string {
  return cutText(text, LONGEST_TEXT, (rest) => `\n(cut here: ${rest} more characters)`);
}
