import type { EventDraft } from "../contract/event.ts";
import type { Problem } from "../contract/routes.ts";
import { TASK_FOLDERS, type TaskFolder } from "../contract/task.ts";
import type { Stamp } from "../store/regular-file.ts";
import { numberOf, type TaskRecord } from "../store/task-table.ts";
import { BY_HAND, type Core, commit, difference } from "./core.ts";
import { folderOf, taskPath } from "./layout.ts";
import { editTask, readTask, type TaskReading } from "./task-file.ts";
import type { TaskNumbers } from "./task-numbers.ts";
import { statusFields } from "./task-rules.ts";

interface Candidate {
  folder: TaskFolder;
  path: string;
  stamp: Stamp;
  reading: TaskReading;
}

/** What the board's folders hold for one id. */
interface Finding {
  winner: Candidate | undefined;
  problems: Problem[];
  paths: { path: string; stamp: Stamp }[];
}

/** Keeps the index in step with task files that people add, edit, drag, copy and delete. */
export class TaskSync {
  readonly #core: Core;
  readonly #numbers: TaskNumbers;

  constructor(core: Core, numbers: TaskNumbers) {
    this.#core = core;
    this.#numbers = numbers;
  }

  /** Brings one task up to date with its file. The caller holds the task's lock. */
  async settle(projectId: string, id: string): Promise<void> {
    const known = this.#core.index.tasks.record(projectId, id);
    let finding = this.#examine(projectId, id);
    if (await this.#heal(finding.winner)) finding = this.#examine(projectId, id);
    const found = finding.winner === undefined ? undefined : recordOf(finding.winner);
    if (known === undefined && found === undefined) return this.#showProblems(projectId, id, finding);
    this.#numbers.seen(projectId, numberOf(id));
    const draft = this.#eventFor(known, found, requestOf(finding.winner));
    const apply = () => this.#apply(projectId, id, finding);
    if (draft === undefined) this.#core.index.transaction(apply);
    else await commit(this.#core, draft, apply);
    this.#core.overviews.boardChanged(projectId);
  }

  /**
   * Fills the index for one id while it is built anew: nothing is known, so nothing is told. Answers whether folder and
   * frontmatter disagree and `settle` has to mend that.
   */
  load(projectId: string, id: string, folders: readonly TaskFolder[]): boolean {
    const finding = this.#examine(projectId, id, folders);
    this.#put(finding);
    return finding.winner !== undefined && isMisplaced(finding.winner);
  }

  #examine(projectId: string, id: string, folders: readonly TaskFolder[] = TASK_FOLDERS): Finding {
    const known = this.#core.index.tasks.record(projectId, id)?.status;
    const candidates = folders.flatMap((folder) => this.#candidate({ projectId, id, folder, known }));
    const winner = candidates.filter((candidate) => candidate.reading.ok).sort(byClaim)[0];
    return {
      winner,
      problems: candidates
        .filter((candidate) => candidate !== winner)
        .map((loser) => problemOf(projectId, loser, winner)),
      paths: candidates.map(({ path, stamp }) => ({ path, stamp })),
    };
  }

  #candidate(at: {
    projectId: string;
    id: string;
    folder: TaskFolder;
    known: TaskRecord["status"] | undefined;
  }): Candidate[] {
    const path = taskPath(at.projectId, at.folder, at.id);
    const stamp = this.#core.files.stamp(path);
    if (stamp === undefined) return [];
    const changedAt = new Date(stamp.mtime).toISOString();
    try {
      const reading = readTask(this.#core.files.read(path), { ...at, path, name: `${at.id}.md`, changedAt });
      return [{ folder: at.folder, path, stamp, reading }];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ folder: at.folder, path, stamp, reading: { ok: false, id: at.id, line: 1, reason } }];
    }
  }

  /** Makes the file say what was settled: its status, then its folder. Answers whether anything was written. */
  async #heal(candidate: Candidate | undefined): Promise<boolean> {
    if (candidate === undefined || !candidate.reading.ok || !isMisplaced(candidate)) return false;
    const { record, text, status } = candidate.reading;
    const target = taskPath(record.projectId, folderOf(record.status), record.id);
    if (status !== undefined && status !== record.status) {
      const at = this.#core.clock().toISOString();
      const before = { ...record, status };
      const after = {
        ...record,
        ...statusFields(before, { at, from: status, to: record.status, by: "person" }),
        updatedAt: at,
      };
      await this.#core.files.replace(candidate.path, editTask(text, before, after));
    }
    if (target !== candidate.path && !this.#core.files.exists(target))
      await this.#core.files.move(candidate.path, target);
    return true;
  }

  #eventFor(
    known: TaskRecord | undefined,
    found: TaskRecord | undefined,
    request: string | undefined,
  ): EventDraft | undefined {
    const task = found ?? known;
    if (task === undefined || (known !== undefined && known.etag === found?.etag && known.path === found.path))
      return undefined;
    if (found !== undefined && this.#core.recovered.get(found.path)?.has(found.etag)) return undefined;
    const draft = {
      actor: BY_HAND,
      projectId: task.projectId,
      subject: { kind: "task" as const, id: task.id },
      file: task.path,
    };
    const asked = request === undefined ? {} : { request: { key: request, fingerprint: "" } };
    if (found === undefined)
      return { ...draft, type: "task.removed", before: { title: task.title, status: task.status } };
    if (known === undefined)
      return {
        ...draft,
        type: "task.created",
        etag: found.etag,
        after: { title: found.title, status: found.status },
        ...asked,
      };
    const type = known.status === found.status ? "task.updated" : "task.moved";
    return { ...draft, type, etag: found.etag, ...difference(known, found, ["etag", "history"]), ...asked };
  }

  #apply(projectId: string, id: string, finding: Finding): void {
    for (const folder of TASK_FOLDERS) this.#core.index.files.remove(taskPath(projectId, folder, id));
    if (finding.winner === undefined) this.#core.index.tasks.remove(projectId, id);
    this.#put(finding);
  }

  #put(finding: Finding): void {
    const { tasks, files } = this.#core.index;
    for (const { path, stamp } of finding.paths) files.put(path, stamp, "");
    for (const problem of finding.problems) files.putProblem(problem);
    if (finding.winner === undefined) return;
    const record = recordOf(finding.winner);
    files.put(record.path, finding.winner.stamp, record.etag);
    tasks.put(record);
  }

  #showProblems(projectId: string, id: string, finding: Finding): void {
    this.#core.index.transaction(() => this.#apply(projectId, id, finding));
    this.#core.overviews.boardChanged(projectId);
  }
}

function recordOf(candidate: Candidate): TaskRecord {
  if (!candidate.reading.ok) throw new Error(`${candidate.path} is not readable`);
  return candidate.reading.record;
}

function requestOf(candidate: Candidate | undefined): string | undefined {
  return candidate?.reading.ok ? candidate.reading.request : undefined;
}

function isMisplaced(candidate: Candidate): boolean {
  if (!candidate.reading.ok) return false;
  const { record, status } = candidate.reading;
  return folderOf(record.status) !== candidate.folder || (status !== undefined && status !== record.status);
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
    reason: `id: ${loser.reading.record.id} also stands in ${winner?.path}; keep one of the two files`,
  };
}
