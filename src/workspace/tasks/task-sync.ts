import { TASK_FOLDERS, type TaskFolder, type TaskStatus } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Found } from "../../store/changes/change.ts";
import { failureText, isPassing, type Stamp, stampOf } from "../../store/files/regular-file.ts";
import { numberOf, type TaskRecord } from "../../store/index/task-row.ts";
import { BY_HAND, commit, difference, invalidEvent, keep } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { foundFiles } from "../knowledge/document-writes.ts";
import { folderOf, taskPath } from "../layout.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { editTask, etagOf, readTask, type TaskReading } from "./task-file.ts";
import type { TaskNumbers } from "./task-numbers.ts";
import { statusFields } from "./task-rules.ts";

interface Candidate {
  folder: TaskFolder;
  path: string;
  stamp: Stamp;
  reading: TaskReading;
}

/** A task and the status that the hall last knew of it. */
interface Memory {
  projectId: string;
  id: string;
  known: TaskStatus | undefined;
}

/** What the board's folders hold for one id. */
interface Finding {
  winner: Candidate | undefined;
  problems: Problem[];
  paths: { path: string; stamp: Stamp }[];
}

/** Keeps the index in step with task files that people add, edit, drag, copy and delete. */
export class TaskSync {
  readonly #core: IndexedCore;
  readonly #numbers: TaskNumbers;

  constructor(core: IndexedCore, numbers: TaskNumbers) {
    this.#core = core;
    this.#numbers = numbers;
  }

  /** Brings one task up to date with its file and tells of what changed. The caller holds the task's lock. */
  async settle(projectId: string, id: string): Promise<void> {
    await this.#settle({ projectId, id, known: this.#core.index.tasks.record(projectId, id)?.status });
  }

  /** As settle, for a file whose folder and frontmatter disagreed when the index was built anew and nothing was known. */
  async mend(projectId: string, id: string): Promise<void> {
    await this.#settle({ projectId, id, known: undefined });
  }

  async #settle(memory: Memory): Promise<void> {
    const { projectId, id } = memory;
    const known = this.#core.index.tasks.record(projectId, id);
    const finding = await untilUndisturbed(() => this.#mended(memory));
    if (finding.winner !== undefined) this.#numbers.seen(projectId, numberOf(id));
    const apply = () => this.#apply(projectId, id, finding);
    const draft = this.#eventFor(known, finding, this.#brokenBefore(projectId, id));
    if (draft === undefined) this.#core.index.transaction(apply);
    else await commit(this.#core, draft, apply, this.#found(known, finding));
    this.#core.overviews.boardChanged(projectId);
  }

  #found(known: TaskRecord | undefined, { paths }: Finding): Found[] {
    const { files } = this.#core;
    const all = new Set([...(known === undefined ? [] : [known.path]), ...paths.map(({ path }) => path)]);
    return foundFiles(files, [...all], (path) => (path === known?.path ? known.etag : undefined));
  }

  /** What the folders hold once the file says what was settled. A file that cannot be made to say it is a broken one. */
  async #mended(memory: Memory): Promise<Finding> {
    const { projectId, id } = memory;
    const finding = this.#examine(memory);
    const { winner } = finding;
    try {
      return (await this.#heal(winner)) ? this.#examine(memory) : finding;
    } catch (error) {
      if (winner === undefined || !(error instanceof HallError) || error.code !== "file_invalid") throw error;
      const loser: Candidate = { ...winner, reading: { ok: false, id, line: error.line ?? 1, reason: error.message } };
      return { ...finding, winner: undefined, problems: [problemOf(projectId, loser, undefined), ...finding.problems] };
    }
  }

  /**
   * Fills the index for one id while it is built anew: nothing is known, so nothing is told. Answers whether folder,
   * frontmatter and history disagree and have to be mended.
   */
  load(projectId: string, id: string, folders: readonly TaskFolder[]): boolean {
    const finding = this.#examine({ projectId, id, known: undefined }, folders);
    this.#put(finding, "add");
    return finding.winner !== undefined && (isMisplaced(finding.winner) || isUntold(finding.winner));
  }

  /** After everything was loaded: the numbers on the board stay used when their files go. */
  loaded(projectId: string): void {
    const highest = this.#core.index.tasks.highestNumber(projectId);
    if (highest > 0) this.#numbers.seen(projectId, highest);
  }

  /** `listed`: the folders in which it was seen just now. */
  #examine(memory: Memory, listed?: readonly TaskFolder[]): Finding {
    const { projectId } = memory;
    const candidates = (listed ?? TASK_FOLDERS).flatMap((folder) => {
      const at = { ...memory, folder };
      return (listed && this.#readable(at)) ?? this.#candidate(at);
    });
    const winner = candidates.filter((candidate) => candidate.reading.ok).sort(byClaim)[0];
    return {
      winner,
      problems: candidates
        .filter((candidate) => candidate !== winner)
        .map((loser) => problemOf(projectId, loser, winner)),
      paths: candidates.map(({ path, stamp }) => ({ path, stamp })),
    };
  }

  /** A file that is there and can be read, with one look less; undefined says nothing about it. */
  #readable(at: Memory & { folder: TaskFolder }): Candidate | undefined {
    const path = taskPath(at.projectId, at.folder, at.id);
    try {
      return candidateOf(at, path, this.#core.files.readStamped(path));
    } catch {
      return undefined;
    }
  }

  #candidate(at: Memory & { folder: TaskFolder }): Candidate[] {
    const path = taskPath(at.projectId, at.folder, at.id);
    const stats = this.#core.files.stat(path);
    const stamp = stampOf(stats);
    // A folder of that name is no task, not even a broken one.
    if (stamp === undefined || stats?.isDirectory()) return [];
    try {
      return [candidateOf(at, path, { bytes: this.#core.files.read(path), stamp })];
    } catch (error) {
      if (isPassing(error)) throw error;
      const reason = failureText(error);
      return [{ folder: at.folder, path, stamp, reading: { ok: false, id: at.id, line: 1, reason } }];
    }
  }

  /** Makes the file say what was settled: its status and how it came by it, then its folder. Answers whether it had to. */
  async #heal(candidate: Candidate | undefined): Promise<boolean> {
    if (candidate === undefined || !candidate.reading.ok) return false;
    const { record, text, status } = candidate.reading;
    const isUnwritten = status !== undefined && status !== record.status;
    const target = taskPath(record.projectId, folderOf(record.status), record.id);
    if (isUnwritten || isUntold(candidate)) {
      const before = { ...record, status: status ?? record.status };
      const healed = editTask(text, before, this.#told(record, candidate));
      await this.#rewrite(record, { content: healed, target });
    } else if (target === candidate.path) return false;
    else await this.#rewrite(record, { content: text, target });
    return true;
  }

  /** Where another file is in the way, the task stays in its folder. */
  async #rewrite({ path, etag }: TaskRecord, file: { content: string; target: string }): Promise<void> {
    const { content, target } = file;
    const to = target === path || this.#core.files.exists(target) ? undefined : target;
    if (to !== undefined || etagOf(content) !== etag)
      await keep(this.#core, [{ kind: "put", path, content, base: etag, to }]);
  }

  /** The task with the step that a person took by dragging the file or by writing another status into it. */
  #told(record: TaskRecord, candidate: Candidate): TaskRecord {
    const at = this.#core.clock().toISOString();
    if (!isUntold(candidate)) return { ...record, updatedAt: at };
    const step = { at, from: lastTold(candidate) ?? null, to: record.status, by: "person" };
    return { ...record, ...statusFields(record, step), updatedAt: at };
  }

  #brokenBefore(projectId: string, id: string): Problem | undefined {
    const { files } = this.#core.index;
    return TASK_FOLDERS.flatMap((folder) => files.problemsOf(taskPath(projectId, folder, id)))[0];
  }

  #eventFor(
    known: TaskRecord | undefined,
    finding: Finding,
    brokenBefore: Problem | undefined,
  ): EventDraft | undefined {
    const { winner } = finding;
    const broken = finding.problems[0];
    if (winner === undefined && broken !== undefined) return invalidEvent(broken, brokenBefore);
    const found = winner === undefined ? undefined : recordOf(winner);
    const task = found ?? known;
    if (task === undefined || (known?.etag === found?.etag && known?.path === found?.path)) return undefined;
    if (found !== undefined && this.#core.recovered.get(found.path)?.has(found.etag)) return undefined;
    const about = {
      actor: BY_HAND,
      projectId: task.projectId,
      subject: { kind: "task" as const, id: task.id },
      file: task.path,
    };
    if (found === undefined)
      return { ...about, type: "task.removed", before: { title: task.title, status: task.status } };
    const after = { title: found.title, status: found.status };
    if (known !== undefined) return { ...about, etag: found.etag, ...changeOf(known, found) };
    if (brokenBefore !== undefined) return { ...about, type: "file.mended", etag: found.etag, after };
    return { ...about, type: "task.created", etag: found.etag, after, ...requestOf(winner) };
  }

  #apply(projectId: string, id: string, finding: Finding): void {
    for (const folder of TASK_FOLDERS) this.#core.index.files.remove(taskPath(projectId, folder, id));
    if (finding.winner === undefined) this.#core.index.tasks.remove(projectId, id);
    this.#put(finding, "put");
  }

  #put(finding: Finding, how: "put" | "add"): void {
    const { tasks, files } = this.#core.index;
    const record = finding.winner && recordOf(finding.winner);
    for (const { path, stamp } of finding.paths) files.put(path, stamp, path === record?.path ? record.etag : "");
    for (const problem of finding.problems) files.putProblem(problem);
    if (record !== undefined) tasks[how](record);
  }
}

function candidateOf(
  at: Memory & { folder: TaskFolder },
  path: string,
  { bytes, stamp }: { bytes: Buffer; stamp: Stamp },
): Candidate {
  const changedAt = new Date(stamp.mtime).toISOString();
  return { folder: at.folder, path, stamp, reading: readTask(bytes, { ...at, path, name: `${at.id}.md`, changedAt }) };
}

function recordOf(candidate: Candidate): TaskRecord {
  if (!candidate.reading.ok) throw new Error(`${candidate.path} is not readable`);
  return candidate.reading.record;
}

/** A request that was interrupted between its file and the log is told of here, key and all. */
function requestOf(candidate: Candidate | undefined): Pick<EventDraft, "request"> {
  const key = candidate?.reading.ok ? candidate.reading.request : undefined;
  return key === undefined ? {} : { request: { key, fingerprint: "" } };
}

function changeOf(known: TaskRecord, found: TaskRecord): Pick<EventDraft, "type" | "before" | "after" | "request"> {
  const changes = difference(known, found, ["etag", "history"]);
  if (known.status === found.status) return { type: "task.updated", ...changes };
  const key = found.history.length > known.history.length ? found.history.at(-1)?.request : undefined;
  return { type: "task.moved", ...changes, ...(key === undefined ? {} : { request: { key, fingerprint: "" } }) };
}

function isMisplaced(candidate: Candidate): boolean {
  if (!candidate.reading.ok) return false;
  const { record, status } = candidate.reading;
  return folderOf(record.status) !== candidate.folder || (status !== undefined && status !== record.status);
}

/** The status in which the file says the task last arrived: the end of its history, or what the frontmatter says. */
function lastTold(candidate: Candidate): TaskStatus | undefined {
  return candidate.reading.ok ? (candidate.reading.record.history.at(-1)?.to ?? candidate.reading.status) : undefined;
}

function isUntold(candidate: Candidate): boolean {
  const last = lastTold(candidate);
  return candidate.reading.ok && last !== undefined && last !== candidate.reading.record.status;
}

/** Of two readable files with one id, the one that lies in its own folder, then the newer one, then the first by path. */
function byClaim(left: Candidate, right: Candidate): number {
  const claim = (candidate: Candidate) => (isMisplaced(candidate) ? 1 : 0);
  const updated = (candidate: Candidate) => (candidate.reading.ok ? candidate.reading.record.updatedAt : "");
  return (
    claim(left) - claim(right) || updated(right).localeCompare(updated(left)) || left.path.localeCompare(right.path)
  );
}

function problemOf(projectId: string, loser: Candidate, winner: Candidate | undefined): Problem {
  const about = { file: loser.path, kind: "task" as const, projectId, severity: "invalid" as const };
  if (!loser.reading.ok)
    return {
      ...about,
      ...(loser.reading.id === undefined ? {} : { id: loser.reading.id }),
      line: loser.reading.line,
      reason: loser.reading.reason,
    };
  return {
    ...about,
    id: loser.reading.record.id,
    line: 1,
    reason: `id: ${loser.reading.record.id} is also in ${winner?.path}; keep one of the two files`,
  };
}
