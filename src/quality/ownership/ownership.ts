import { isAbsolute, relative, resolve } from "node:path";
import { z } from "zod";
import { FileConflict, type FileOwner } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Permit } from "../../contract/runs/guarding.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { GuardedCall, RunGuard } from "../../runs/guarding.ts";
import { filesNamedIn } from "../../runs/schedule/writing-turn.ts";
import { BY_DAEMON, type Core, commit } from "../../workspace/core.ts";
import { soon } from "../../workspace/soon.ts";
import { type Changer, FileOwners } from "./file-owners.ts";

interface Parts {
  core: Core;
  settingsOf: (projectId: string) => Pick<QualityGates, "ownership">;
  /** Where a run works that has a worktree. */
  workplaceOf: (runId: string) => Workplace | undefined;
  journalOf: (runId: string) => readonly JournalEntry[];
  /** Has runs asked about their calls anew. */
  guardAnew: () => void;
  onTrouble: (what: string, error: unknown) => void;
}

/** Tools that name the file that they change. */
const WRITING_TOOLS = ["write", "edit"];
const MOST_CONFLICTS = 50;
const Named = z.object({ path: z.string() });

/**
 * Which run changes which file of a project. Runs are asked about their writes only while several of one project may collide;
 * what commands changed is known when their run ends.
 */
export class Ownership {
  readonly #parts: Parts;
  readonly #projects = new Map<string, FileOwners>();
  /** Projects with several writers at the moment. */
  readonly #guarded = new Set<string>();
  readonly #told = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(projectId: string): { owners: FileOwner[]; conflicts: FileConflict[] } {
    return { owners: this.#ownersOf(projectId).list(), conflicts: this.#conflictsIn(projectId) };
  }

  /** Runs are asked about their writes. */
  guard(): RunGuard {
    return {
      guardsOf: (run) => (this.#isGuarded(run) ? { before: WRITING_TOOLS } : undefined),
      permit: async (call) => {
        const isWrite = WRITING_TOOLS.includes(call.tool) && this.#isGuarded(call.run);
        return (isWrite ? await this.#permit(call) : undefined) ?? { allowed: true };
      },
    };
  }

  /** While another run of its project may collide with it. */
  #isGuarded(run: Run): boolean {
    const own = this.#changerOf(run);
    return own !== undefined && this.#modeOf(run.projectId) !== "off" && this.#hasSeveral(run.projectId, own.branch);
  }

  /** Before a file is changed. Undefined: nothing speaks against it. */
  async #permit({ run, input }: Pick<GuardedCall, "run" | "input">): Promise<Permit | undefined> {
    const changer = this.#changerOf(run);
    const path = changer && this.#pathIn(run.id, input);
    if (changer === undefined || path === undefined) return undefined;
    const mode = this.#modeOf(run.projectId);
    const owner = await this.#claim(run.projectId, changer, path);
    if (owner === undefined) return undefined;
    const who = `run ${owner.runId} (${owner.taskId})`;
    return mode === "strict"
      ? { allowed: false, reason: `${path} is being changed by ${who} and can't be changed until that is done.` }
      : { allowed: true, remark: `${path} is also being changed by ${who}. Keep your change small.` };
  }

  /** Must not throw: what it asks the index, which may be lost, it asks later. */
  heed({ type, subject, projectId }: HallEvent): void {
    if (projectId === undefined || !RELEASING.has(type)) return;
    // A result that passed its gate is merged when its task is done.
    const settled =
      type === "task.moved" ? this.#settleTask(projectId, subject.id) : this.#settle(projectId, subject.id);
    settled.catch((error) => this.#parts.onTrouble("a run's files could not be released", error));
  }

  forget(projectId: string): void {
    this.#projects.delete(projectId);
    this.#guarded.delete(projectId);
  }

  /** With a second writer, each is asked about its writes; with the last but one, none any more. */
  #hasSeveral(projectId: string, ...own: string[]): boolean {
    const writers = this.#parts.core.runs.unsettled(projectId);
    const branches = new Set([...own, ...writers.flatMap(({ run }) => this.#changerOf(run)?.branch ?? [])]);
    const isWanted = branches.size > 1;
    if (isWanted === this.#guarded.has(projectId)) return isWanted;
    if (isWanted) this.#guarded.add(projectId);
    else this.#guarded.delete(projectId);
    // What was changed before anyone asked is known from the journals.
    if (isWanted) for (const { run } of writers) this.#recall(run);
    const { core, guardAnew, onTrouble } = this.#parts;
    soon(core.shown, guardAnew, (error) => onTrouble("the owners of files could not be updated", error));
    return isWanted;
  }

  #recall(run: Run): void {
    const changer = this.#changerOf(run);
    if (changer === undefined) return;
    const named = filesNamedIn(this.#parts.journalOf(run.id)) ?? [];
    for (const path of named) this.#ownersOf(run.projectId).claim(changer, this.#placed(run.id, path), this.#now());
  }

  async #settleTask(projectId: string, taskId: string): Promise<void> {
    await this.#shown();
    const runId = this.#parts.core.tasks.record(projectId, taskId)?.assignedSubAgentId;
    if (runId !== undefined) await this.#settle(projectId, runId);
  }

  /** What a run changed in the end, or that it holds nothing any more. */
  async #settle(projectId: string, runId: string): Promise<void> {
    await this.#shown();
    const run = this.#parts.core.runs.get(runId)?.run;
    const changer = run && this.#changerOf(run);
    if (run === undefined || changer === undefined || !isOver(run) || this.#modeOf(projectId) === "off") return;
    this.#hasSeveral(projectId);
    if (!HOLDING.has(run.delivery?.state ?? "")) return this.#ownersOf(projectId).release(changer.branch);
    for (const path of run.result?.filesChanged ?? []) await this.#claim(projectId, changer, path);
  }

  /** The index shows a change only after the log has told of it. */
  async #shown(): Promise<void> {
    const { shown } = this.#parts.core;
    await shown.caughtUp();
    await shown.available();
  }

  /** The owner that a change is in conflict with. The log tells of it once. */
  async #claim(projectId: string, changer: Changer, path: string): Promise<FileOwner | undefined> {
    const at = this.#now();
    const claimed = this.#ownersOf(projectId).claim(changer, path, at);
    if (claimed.is === "owned") return undefined;
    const { owner } = claimed;
    const key = `${projectId} ${path} ${owner.runId} ${changer.runId}`;
    if (this.#told.has(key)) return owner;
    this.#told.add(key);
    const conflict: FileConflict = { path, owner, runId: changer.runId, at, mode: this.#modeOf(projectId) };
    const subject = { kind: "run" as const, id: changer.runId };
    const after = { ...conflict, taskId: changer.taskId };
    await commit(
      this.#parts.core,
      { type: "file.conflict", actor: BY_DAEMON, projectId, subject, after },
      () => undefined,
    );
    return owner;
  }

  /** The newest, the oldest of them first. */
  #conflictsIn(project: string): FileConflict[] {
    const told = this.#parts.core.events.tail({ type: "file.conflict", project, count: MOST_CONFLICTS });
    return told.flatMap(({ after = {} }) => {
      const { taskId: _, ...conflict } = after;
      const parsed = FileConflict.safeParse(conflict);
      return parsed.success ? [parsed.data] : [];
    });
  }

  #ownersOf(projectId: string): FileOwners {
    const known = this.#projects.get(projectId) ?? new FileOwners();
    if (!this.#projects.has(projectId)) {
      this.#projects.set(projectId, known);
      this.#fill(projectId, known);
    }
    return known;
  }

  /** After a restart: what waits for review, and what runs at work have named so far. */
  #fill(projectId: string, owners: FileOwners): void {
    const { runs } = this.#parts.core;
    for (const { run } of runs.list({ projectId, review: true, limit: MOST_FILLED })) {
      const changer = this.#changerOf(run);
      if (changer === undefined) continue;
      for (const path of run.result?.filesChanged ?? []) owners.claim(changer, path, run.endedAt ?? run.createdAt);
    }
    for (const { run } of runs.unsettled(projectId)) this.#recall(run);
  }

  /** Undefined where a run changes nothing on a branch: in a folder, runs take turns. A child works on its parent's branch. */
  #changerOf({ id, taskId, purpose, delivery, parentRunId }: Run): Changer | undefined {
    if (purpose !== "work") return undefined;
    const shared = parentRunId === undefined ? undefined : this.#parts.workplaceOf(id)?.branch;
    const branch = delivery?.kind === "branch" ? delivery.name : shared;
    return branch === undefined ? undefined : { runId: id, taskId, branch };
  }

  #pathIn(runId: string, input: string): string | undefined {
    const named = Named.safeParse(parsed(input)).data?.path;
    return named === undefined ? undefined : this.#placed(runId, named);
  }

  /** Relative to the root of the repository. */
  #placed(runId: string, path: string): string {
    const place = this.#parts.workplaceOf(runId);
    if (place === undefined) return path;
    return relative(place.worktree, isAbsolute(path) ? path : resolve(place.workdir, path));
  }

  #modeOf(projectId: string): QualityGates["ownership"] {
    return this.#parts.settingsOf(projectId).ownership;
  }

  #now(): string {
    return this.#parts.core.clock().toISOString();
  }
}

const MOST_FILLED = 500;
/** After these a run may hold other files than before. */
const RELEASING: ReadonlySet<string> = new Set([
  ...["run.ended", "run.approved", "run.rejected", "run.reverted", "run.discarded", "run.restored"],
  ...["review.failed", "review.escalated", "task.moved"],
]);
/** What waits, or is being improved on the same branch. */
const HOLDING: ReadonlySet<string> = new Set(["working", "review", "rejected"]);

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
