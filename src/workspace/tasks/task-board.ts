import type { TaskCard } from "../../contract/documents/card.ts";
import { TASK_ID, type Task, type TaskMove, type TaskUpdate } from "../../contract/documents/task.ts";
import { TASK_FOLDERS, type TaskStatus } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor, EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { TaskQuery } from "../../contract/routes/task-routes.ts";
import type { Put } from "../../store/changes/change.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import type { Stamp } from "../../store/files/regular-file.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import type { Change } from "../change.ts";
import { byChange, commit, difference } from "../core.ts";
import type { NewTask, TaskEdit } from "../hall/hall.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { newFile, stampIn, unlessTaken } from "../knowledge/document-writes.ts";
import { folderOf, projectPaths, projectRoot, taskPath } from "../layout.ts";
import { assertMayDecide } from "../own-work.ts";
import type { ProjectDirectory } from "../projects/project-directory.ts";
import { resultPolicyOf } from "../result-policy.ts";
import type { Placed, Together } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import type { Initiatives } from "./initiatives.ts";
import { applyUpdate, newTask } from "./task-change.ts";
import { editTask, etagOf, renderTask } from "./task-file.ts";
import { TaskGraph } from "./task-graph.ts";
import { listTasks, type TaskPage } from "./task-list.ts";
import type { TaskNumbers } from "./task-numbers.ts";
import { assertLegalMove, isLegalMove } from "./task-rules.ts";
import type { TaskSync } from "./task-sync.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
  numbers: TaskNumbers;
  sync: TaskSync;
  initiatives: Initiatives;
}

interface Made {
  change: Change;
  together: Together;
}

const ALONE: Together = { events: [], writes: [], apply: () => undefined };

/** The board of every project: tasks as files that move between status folders. */
export class TaskBoard {
  readonly #parts: Parts;
  readonly #graph: TaskGraph;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#graph = new TaskGraph(parts.core);
  }

  list(projectId: string | undefined, query: TaskQuery): TaskPage {
    if (projectId !== undefined) this.#parts.projects.assertKnown(projectId);
    return listTasks(this.#parts.core.index, projectId, query);
  }

  async cards(projectId: string): Promise<{ cards: TaskCard[]; invalid: Problem[]; seq: number }> {
    const { projects, core } = this.#parts;
    const seq = core.events.head();
    await core.index.caughtUp();
    projects.assertKnown(projectId);
    const invalid = core.index.files.problems({ kind: "task", projectId });
    return { cards: core.index.cards.of(projectId), invalid, seq };
  }

  /** Reads through to the file, so that an edit made by hand a moment ago is seen. */
  async get(projectId: string, id: string): Promise<Task> {
    this.#parts.projects.assertKnown(projectId);
    const { index, files, locks } = this.#parts.core;
    const record = index.tasks.record(projectId, id);
    const stamp = record === undefined ? undefined : files.stamp(record.path);
    if (record !== undefined && stamp !== undefined && index.files.isCurrent(record.path, stamp))
      return index.tasks.view(record);
    return locks.run(lockKey(projectId, id), async () => index.tasks.view(await this.#load(projectId, id)));
  }

  nextId(projectId: string): string {
    return this.#parts.numbers.peek(projectId);
  }

  reserve<Result>(projectId: string, use: (id: string) => Result): Result {
    return this.#parts.numbers.next(projectId, use);
  }

  /** With something else, its maker has had the task checked. */
  async create(projectId: string, body: NewTask, change: Change, together = ALONE): Promise<Task> {
    this.#parts.projects.assertKnown(projectId);
    if (together === ALONE) await this.#parts.core.taskGate.assertAllowed(projectId, body, change);
    return this.#parts.projects.working(projectId, () => this.#create(projectId, body, { change, together }));
  }

  async update(projectId: string, id: string, body: TaskEdit, change: Change): Promise<Task> {
    if (body.status === "done") await this.#assertMayComplete(projectId, id, body, change);
    return this.#parts.projects.working(projectId, () => {
      if (body.blocks === undefined && body.blockedBy === undefined) return this.#change(projectId, id, body, change);
      return this.#graph.change(projectId, () => this.#updateWithEdges(projectId, id, body, change));
    });
  }

  async move(projectId: string, id: string, body: TaskMove, change: Change): Promise<Task> {
    if (body.status === "done") await this.#assertMayComplete(projectId, id, body, change);
    return this.#parts.projects.working(projectId, () => this.#change(projectId, id, body, change, body.status));
  }

  /** Outside of the task's lock: hooks take their time. What would be refused anyway is refused later. */
  async #assertMayComplete(projectId: string, id: string, body: TaskUpdate, change: Change): Promise<void> {
    const { index, taskGate } = this.#parts.core;
    const task = index.tasks.record(projectId, id);
    if (task === undefined || task.status === "done" || !isLegalMove(task.status, "done")) return;
    const { acceptanceCriteria = task.acceptanceCriteria, completionNotes = task.completionNotes } = body;
    const done = { projectId, taskId: id, acceptanceCriteria, completionNotes: completionNotes ?? undefined };
    await taskGate.assertMayComplete(done, change);
  }

  async #create(projectId: string, body: NewTask, made: Made): Promise<Task> {
    this.#assertRole(body.assignedRoleId);
    if (body.blocks.length === 0 && body.blockedBy.length === 0) return this.#createFile(projectId, body, made);
    return this.#graph.change(projectId, async () => {
      this.#graph.assertKnown(projectId, [...body.blocks, ...body.blockedBy]);
      this.#graph.assertNoCycle(projectId, { id: "the new task", blockedBy: body.blockedBy, blocks: body.blocks });
      return this.#createFile(projectId, body, made);
    });
  }

  async #updateWithEdges(projectId: string, id: string, body: TaskUpdate, change: Change): Promise<Task> {
    const task = await this.get(projectId, id);
    // An edge of a task to itself stands on both sides; the side that is named decides.
    const blockedBy = body.blockedBy ?? task.blockedBy.filter((other) => other !== id);
    const blocks = body.blocks ?? task.blocks.filter((other) => other !== id);
    this.#graph.assertAdded(task, { blockedBy, blocks });
    const cuts = this.#graph.foreignCuts(task, { blockedBy, blocks });
    const own = this.#graph.ownEdges(task, { blockedBy, blocks });
    const changed = await this.#change(projectId, id, { ...body, ...own }, change);
    // An edge may be declared in the other task's file; taking it away means changing that file too.
    for (const cut of cuts) await this.#change(projectId, cut.id, cut.update, { actor: change.actor });
    return cuts.length === 0 ? changed : this.get(projectId, id);
  }

  /** After everything that may refuse the request. */
  async #beginPlan(projectId: string, plan: string | null | undefined, change: Change): Promise<void> {
    if (typeof plan === "string") await this.#parts.initiatives.ensure(projectId, plan, change);
  }

  async #createFile(projectId: string, body: NewTask, made: Made): Promise<Task> {
    const { core } = this.#parts;
    const { change, together } = made;
    await this.#beginPlan(projectId, body.plan, change);
    // A person may have removed an empty folder of the board; its mark is there too.
    core.files.makeFolder(projectPaths(projectId).tasks);
    const id = body.id ?? this.reserve(projectId, (free) => free);
    const created = await core.locks.run(lockKey(projectId, id), async () => {
      const task = newTask({ body, id, projectId, at: core.clock().toISOString(), by: change.actor.kind });
      const text = renderTask(task, change.request?.key);
      const record = { ...task, etag: etagOf(text) };
      const draft: EventDraft = {
        ...byChange(change),
        ...about(record),
        type: "task.created",
        after: summaryOf(record),
      };
      const apply = (placed: Placed) => {
        core.index.files.put(record.path, stampIn(placed.stamps, record.path), record.etag);
        core.index.tasks.add(record);
        together.apply(placed);
      };
      const writes = [newFile(task.path, text, projectRoot(projectId)), ...together.writes];
      const isMade = await unlessTaken(commit(core, [...together.events, draft], apply, writes));
      // Someone else made a file of this name in the meantime: their number counts, we take the next.
      return isMade ? core.index.tasks.view(record) : undefined;
    });
    core.overviews.boardChanged(projectId);
    if (created === undefined && body.id !== undefined)
      throw new HallError("already_exists", `There is already a task '${id}' in project '${projectId}'.`);
    return created ?? this.#createFile(projectId, body, made);
  }

  #change(projectId: string, id: string, body: TaskUpdate, change: Change, moveTo?: TaskStatus): Promise<Task> {
    const work = async () => {
      const before = await this.#load(projectId, id);
      assertVersion(before, change.ifMatch);
      if (moveTo !== undefined || (body.status !== undefined && body.status !== before.status))
        assertLegalMove(before, moveTo ?? body.status ?? before.status);
      if ((moveTo ?? body.status) === "done") this.#assertNotOwnWork(before, change.actor);
      // A person may have named a role that is gone; clients send it back as they read it.
      if (body.assignedRoleId !== before.assignedRoleId) this.#assertRole(body.assignedRoleId ?? undefined);
      const at = this.#parts.core.clock().toISOString();
      const after = applyUpdate(before, body, { at, by: change.actor.kind, request: change.request?.key });
      if (after === undefined) return this.#parts.core.index.tasks.view(before);
      await this.#beginPlan(projectId, body.plan, change);
      return this.#save(before, after, change);
    };
    return this.#parts.core.locks.run(lockKey(projectId, id), () => untilUndisturbed(work));
  }

  /** A client does not complete a task around the review of what it had done. */
  #assertNotOwnWork({ status, projectId, assignedSubAgentId: id }: TaskRecord, actor: Actor): void {
    if (actor.kind !== "client" || status === "done" || id === undefined) return;
    const { runs, projects } = this.#parts.core.index;
    const waits = runs.get(id)?.run.delivery?.state === "review";
    if (waits || resultPolicyOf(projects.get(projectId)).requiresReview)
      assertMayDecide(actor, { id, projectId }, runs);
  }

  async #save(before: TaskRecord, after: TaskRecord, change: Change): Promise<Task> {
    const { core } = this.#parts;
    const { text: old, stamp: from } = await this.#text(before);
    const text = editTask(old, before, after);
    const target = taskPath(after.projectId, folderOf(after.status), after.id);
    const record = { ...after, path: target, etag: etagOf(text) };
    const type = before.status === after.status ? "task.updated" : "task.moved";
    const changes = difference(before, record, ["etag", "history", "path"]);
    const apply = ({ stamps }: Placed) => {
      if (before.path !== target) core.index.files.remove(before.path);
      core.index.files.put(target, stampIn(stamps, target), record.etag);
      core.index.tasks.put(record);
    };
    const draft: EventDraft = { ...byChange(change), ...about(record), type, ...changes };
    await commit(core, draft, apply, [{ ...this.#written(before, text, target), from }], change.gathered);
    core.overviews.boardChanged(record.projectId);
    if (before.path !== target && this.#hasCopies(record)) await this.#parts.sync.settle(record.projectId, record.id);
    return core.index.tasks.view(record);
  }

  /** Other files with its id, which are told to be in the way of the file that the task is in. */
  #hasCopies({ projectId, id }: TaskRecord): boolean {
    const { files } = this.#parts.core.index;
    return TASK_FOLDERS.some((folder) => files.hasProblems(taskPath(projectId, folder, id)));
  }

  /** The text of a task's file, which is the one that the task was read from. */
  async #text({ projectId, id, path, etag }: TaskRecord): Promise<{ text: string; stamp: Stamp }> {
    const { bytes, stamp } = this.#parts.core.files.readStamped(path);
    if (etagOf(bytes) === etag) return { text: bytes.toString("utf8"), stamp };
    await this.#parts.sync.settle(projectId, id);
    throw new ChangedMeanwhile(`${path} was changed in the meantime`);
  }

  /** A link on the way may lead into another project, where the file would not be this task's. */
  #written({ path, etag, projectId }: TaskRecord, content: string, to: string): Put {
    const put = { kind: "put" as const, path, content, base: etag, within: projectRoot(projectId) };
    if (path === to) return put;
    if (this.#parts.core.files.exists(to))
      throw new HallError("file_invalid", `Another file already exists at ${path}.`, { file: to });
    return { ...put, to };
  }

  /** The task as its file is now, after the index has caught up. The caller holds the task's lock. */
  async #load(projectId: string, id: string): Promise<TaskRecord> {
    const { core, sync } = this.#parts;
    const known = core.index.tasks.record(projectId, id);
    const stamp = known === undefined ? undefined : core.files.stamp(known.path);
    if (known !== undefined && stamp !== undefined && core.index.files.isCurrent(known.path, stamp)) return known;
    if (!TASK_ID.test(id)) throw notFound(projectId, id);
    await sync.settle(projectId, id);
    const record = core.index.tasks.record(projectId, id);
    if (record !== undefined) return record;
    throw this.#invalid(projectId, id) ?? notFound(projectId, id);
  }

  #invalid(projectId: string, id: string): HallError | undefined {
    const { index } = this.#parts.core;
    const problem = TASK_FOLDERS.flatMap((folder) => index.files.problemsOf(taskPath(projectId, folder, id)))[0];
    return (
      problem &&
      new HallError("file_invalid", `${id} cannot be read: ${problem.reason}.`, {
        file: problem.file,
        line: problem.line,
      })
    );
  }

  #assertRole(roleId: string | undefined): void {
    const { roles } = this.#parts.core.index;
    if (roleId === undefined || roles.get(roleId) !== undefined) return;
    throw new HallError(
      "invalid",
      `assignedRoleId: there is no role '${roleId}'. The roles are: ${roles.ids().slice(0, 20).join(", ") || "none yet"}.`,
    );
  }
}

export function lockKey(projectId: string, taskId: string): string {
  return `task ${projectId} ${taskId}`;
}

function about(record: TaskRecord) {
  return {
    projectId: record.projectId,
    subject: { kind: "task" as const, id: record.id },
    file: record.path,
    etag: record.etag,
  };
}

function summaryOf(record: TaskRecord): Record<string, unknown> {
  const { title, status, type, priority, assignedRoleId } = record;
  return { title, status, type, priority, assignedRoleId };
}

function assertVersion(task: TaskRecord, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === task.etag) return;
  throw new HallError("version_mismatch", `${task.id} was changed since you read it (at ${task.updatedAt}).`, {
    file: task.path,
  });
}

function notFound(projectId: string, id: string): HallError {
  return new HallError("task_not_found", `There is no task '${id}' in project '${projectId}'.`);
}
