import { BOARD_QUESTIONS, type BoardQuestion } from "../agent/tools/board-tools.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { Task, TaskStatus } from "../contract/task.ts";
import { TaskCreate } from "../contract/task.ts";
import type { Hall } from "../workspace/hall.ts";

const LONGEST_LINE = 160;

/** Who asks, of which project, with which call. */
export interface BoardAsker {
  projectId: string;
  actor: Actor;
  /** Asking again with the same one changes nothing more. */
  callId: string;
}

/** What agents ask of the board and do to it, in words. Rejects with HallError when something is refused. */
export class BoardDesk {
  readonly #hall: Hall;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  async ask(what: BoardQuestion, given: unknown, asker: BoardAsker): Promise<string> {
    switch (what) {
      case "task_list":
        return this.#list(BOARD_QUESTIONS[what].parse(given), asker.projectId);
      case "task_get":
        return rendered(
          await this.#hall.tasks.get(asker.projectId, BOARD_QUESTIONS[what].parse(given).id.toUpperCase()),
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
    const counts = Object.entries(taskCount).map(([folder, count]) => `${folder} ${count}`);
    const shown = (["in-progress", "review", "todo"] as const).flatMap(
      (status) => this.#hall.tasks.list(projectId, query({ status, limit: most })).tasks,
    );
    const left = taskCount.todo + taskCount.inProgress + taskCount.review - Math.min(shown.length, most);
    const rest = left > 0 ? [`(${left} more; see task_list)`] : [];
    return [counts.join(", "), ...shown.slice(0, most).map(lineOf), ...rest].join("\n");
  }

  #list({ status, query: q, ready, limit }: ReturnType<(typeof BOARD_QUESTIONS)["task_list"]["parse"]>, id: string) {
    const { tasks, nextCursor } = this.#hall.tasks.list(id, query({ status, q, ready, limit }));
    if (tasks.length === 0) return "No task fits.";
    return [...tasks.map(lineOf), ...(nextCursor === undefined ? [] : ["(there are more; ask for fewer kinds)"])].join(
      "\n",
    );
  }

  async #create(given: unknown, { projectId, actor, callId }: BoardAsker): Promise<string> {
    const { acceptanceCriteria, ...fields } = BOARD_QUESTIONS.task_create.parse(given);
    const body = TaskCreate.safeParse({ ...fields, acceptanceCriteria });
    if (!body.success) throw new HallError("invalid", body.error.issues.map(({ message }) => message).join("; "));
    const request = { key: callId, fingerprint: "" };
    const known = this.#hall.replay(request);
    if (known !== undefined) return `${known.subjectId} was put on the board.`;
    const task = await this.#hall.tasks.create(projectId, body.data, { actor, request });
    return `${task.id} was put on the board: ${task.title}`;
  }

  async #update(given: unknown, { projectId, actor }: BoardAsker): Promise<string> {
    const { id, note, status, ...fields } = BOARD_QUESTIONS.task_update.parse(given);
    if (status === "done")
      throw new HallError("invalid", "A task is finished with task_complete, which asks for a summary.");
    const change = { actor, why: note };
    const task = await this.#hall.tasks.update(
      projectId,
      id.toUpperCase(),
      { ...fields, ...(status === undefined ? {} : { status }) },
      change,
    );
    return `${lineOf(task)}`;
  }

  /** Nobody closes what a run is at work on, and where a project asks for review, a person has the last word. */
  async #complete(given: unknown, { projectId, actor }: BoardAsker): Promise<string> {
    const { id, summary } = BOARD_QUESTIONS.task_complete.parse(given);
    const task = await this.#hall.tasks.get(projectId, id.toUpperCase());
    const { config } = this.#hall.projects.get(projectId);
    const target: TaskStatus = config.constraints.requireReview === true ? "review" : "done";
    if (task.status === target) return `${task.id} is ${target} already.`;
    if (task.status === "review")
      throw new HallError("illegal_move", `${task.id} is in review; a person decides about it.`);
    const change = { actor, why: summary };
    if (task.status !== "in-progress")
      await this.#hall.tasks.move(projectId, task.id, { status: "in-progress" }, change);
    const done = await this.#hall.tasks.move(projectId, task.id, { status: target }, change);
    return `${done.id} is ${done.status}.`;
  }
}

function query(given: Record<string, unknown>) {
  return { limit: 30, sort: "id" as const, ...given } as Parameters<Hall["tasks"]["list"]>[1];
}

function lineOf({ id, status, priority, title, ready, blockedBy }: Task): string {
  const waits = ready === false && blockedBy.length > 0 ? `, waits on ${blockedBy.join(", ")}` : "";
  return `${id} [${status}, ${priority}${waits}] ${title}`.slice(0, LONGEST_LINE);
}

function rendered(task: Task): string {
  const criteria = task.acceptanceCriteria.map(({ done, text }) => `- [${done ? "x" : " "}] ${text}`);
  return [lineOf(task), task.description, ...(criteria.length === 0 ? [] : ["Acceptance criteria:", ...criteria])]
    .filter((text) => text !== "")
    .join("\n\n");
}
