import { ESCALATION_STATUSES, type EscalationStatus } from "../../contract/documents/escalation-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Found } from "../../store/changes/change.ts";
import { failureText, isPassing, type Stamp } from "../../store/files/regular-file.ts";
import { type EscalationRecord, escalationNumber } from "../../store/index/escalation-row.ts";
import { commit, invalidEvent, keep } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { foundFiles, newFile, stampIn, unlessTaken } from "../knowledge/document-writes.ts";
import { escalationPath } from "../layout.ts";
import type { NumberSeries } from "../number-series.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Placed } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { aboutOf, changeOf, removedEvent, summaryOf } from "./escalation-events.ts";
import { type EscalationReading, editEscalation, readEscalation, renderEscalation } from "./escalation-file.ts";
import { isAwaited, movedByHand, withdrawnByHand } from "./escalation-rules.ts";

interface Candidate {
  folder: EscalationStatus;
  path: string;
  stamp: Stamp;
  reading: EscalationReading;
}

type Readable = Candidate & { reading: EscalationReading & { ok: true } };

/** What the folders have for one id. */
interface Finding {
  winner: Readable | undefined;
  problems: Problem[];
  paths: { path: string; stamp: Stamp }[];
}

/** Keeps the index in step with files of escalations that people add, edit, drag, copy and delete. */
export class EscalationSync {
  readonly #core: IndexedCore;
  readonly #numbers: NumberSeries;

  constructor(core: IndexedCore, numbers: NumberSeries) {
    this.#core = core;
    this.#numbers = numbers;
  }

  /**
   * Brings one escalation up to date with its file, and logs what changed. The caller holds its lock. `isQuiet`: nobody has
   * touched the files for a moment, so that one that is missing was deleted and is not just being saved. Until then one that
   * agents wait for stays known, though it is `missing`.
   */
  async settle(id: string, isQuiet = false): Promise<"settled" | "missing"> {
    const known = this.#core.index.escalations.record(id);
    const isMissing = known !== undefined && isAwaited(known) && this.#examine(id, known.status).paths.length === 0;
    if (!isMissing) await this.#settle(id, known?.status);
    else if (isQuiet) await this.#withdraw(known);
    return isMissing && !isQuiet ? "missing" : "settled";
  }

  /** As settle, for a file that contradicted itself when the index was rebuilt and nothing was known. */
  async mend(id: string): Promise<void> {
    await this.#settle(id, undefined);
  }

  /** Fills the index for one id while it is rebuilt. Returns whether the file contradicts itself and has to be mended. */
  load(id: string, folders: readonly EscalationStatus[]): boolean {
    const finding = this.#examine(id, undefined, folders);
    this.#put(finding);
    return finding.winner !== undefined && isUnsettled(finding.winner, undefined);
  }

  /** After everything was loaded: numbers stay used when their files are gone. */
  loaded(): void {
    const highest = this.#core.index.escalations.highestNumber();
    if (highest > 0) this.#numbers.seen(highest);
  }

  async #settle(id: string, status: EscalationStatus | undefined): Promise<void> {
    const known = this.#core.index.escalations.record(id);
    const finding = await untilUndisturbed(() => this.#mended(id, status));
    if (finding.winner !== undefined) this.#numbers.seen(escalationNumber(id));
    const apply = () => this.#apply(id, finding);
    const draft = this.#eventFor(known, finding, this.#brokenBefore(id));
    if (draft === undefined) this.#core.index.transaction(apply);
    else await commit(this.#core, draft, apply, this.#found(known, finding));
  }

  /** An agent that waits for it must hear that there will be no answer. */
  async #withdraw(known: EscalationRecord): Promise<void> {
    const after = withdrawnByHand(known, this.#core.clock().toISOString());
    const path = escalationPath("resolved", known.id);
    const text = renderEscalation(after);
    const record = { ...after, path, etag: etagOf(text) };
    const draft = { ...aboutOf(record), etag: record.etag, ...changeOf(known, record) };
    const apply = ({ stamps }: Placed) => {
      const { files, escalations } = this.#core.index;
      files.remove(known.path);
      files.put(path, stampIn(stamps, path), record.etag);
      escalations.put(record);
    };
    const gone: Found = { kind: "found", path: known.path, content: undefined, base: known.etag };
    await unlessTaken(commit(this.#core, draft, apply, [gone, newFile(path, text)]));
  }

  #found(known: EscalationRecord | undefined, { paths }: Finding): Found[] {
    const all = new Set([...(known === undefined ? [] : [known.path]), ...paths.map(({ path }) => path)]);
    return foundFiles(this.#core.files, [...all], (path) => (path === known?.path ? known.etag : undefined));
  }

  /** What the folders have once the file says what was settled. A file that can't be made to say it is a broken one. */
  async #mended(id: string, status: EscalationStatus | undefined): Promise<Finding> {
    const finding = this.#examine(id, status);
    const { winner } = finding;
    try {
      return (await this.#heal(winner, status)) ? this.#examine(id, status) : finding;
    } catch (error) {
      if (winner === undefined || !(error instanceof HallError) || error.code !== "file_invalid") throw error;
      const reading = { ok: false as const, line: error.line ?? 1, reason: error.message };
      const problem = problemOf(id, { ...winner, reading }, undefined);
      return { ...finding, winner: undefined, problems: [problem, ...finding.problems] };
    }
  }

  #examine(
    id: string,
    known: EscalationStatus | undefined,
    folders: readonly EscalationStatus[] = ESCALATION_STATUSES,
  ): Finding {
    const candidates = folders.flatMap((folder) => this.#candidate(id, folder, known));
    const winner = candidates.filter(isReadable).sort(byClaim)[0];
    return {
      winner,
      problems: candidates
        .filter((candidate) => candidate.path !== winner?.path)
        .map((loser) => problemOf(id, loser, winner)),
      paths: candidates.map(({ path, stamp }) => ({ path, stamp })),
    };
  }

  #candidate(id: string, folder: EscalationStatus, known: EscalationStatus | undefined): Candidate[] {
    const path = escalationPath(folder, id);
    const stamp = this.#core.files.stamp(path);
    if (stamp === undefined) return [];
    const changedAt = new Date(stamp.mtime).toISOString();
    try {
      const place = { folder, path, name: `${id}.json`, changedAt, known };
      return [{ folder, path, stamp, reading: readEscalation(this.#core.files.read(path), place) }];
    } catch (error) {
      if (isPassing(error)) throw error;
      return [{ folder, path, stamp, reading: { ok: false, line: 1, reason: failureText(error) } }];
    }
  }

  /** Makes the file say what was settled, then moves it to its folder. Returns whether it had to. */
  async #heal(winner: Readable | undefined, known: EscalationStatus | undefined): Promise<boolean> {
    if (winner === undefined || this.#isLogged(winner) || !isUnsettled(winner, known)) return false;
    const { record, text, status = record.status } = winner.reading;
    const after = movedByHand(record, known, this.#core.clock().toISOString());
    const content = editEscalation(text, { ...record, status }, after);
    const target = escalationPath(record.status, record.id);
    const to = target === record.path || this.#core.files.exists(target) ? undefined : target;
    if (to === undefined && etagOf(content) === record.etag) return false;
    await keep(this.#core, [{ kind: "put", path: record.path, content, base: record.etag, to }]);
    return true;
  }

  /** Whether the log has this very version already: the daemon wrote it, and a crash came before the index had it. */
  #isLogged({ reading: { record } }: Readable): boolean {
    return this.#core.recovered.get(record.path)?.has(record.etag) === true;
  }

  #brokenBefore(id: string): Problem | undefined {
    const { files } = this.#core.index;
    return ESCALATION_STATUSES.flatMap((folder) => files.problemsOf(escalationPath(folder, id)))[0];
  }

  #eventFor(
    known: EscalationRecord | undefined,
    finding: Finding,
    brokenBefore: Problem | undefined,
  ): EventDraft | undefined {
    const { winner } = finding;
    const broken = finding.problems[0];
    if (winner === undefined && broken !== undefined) return invalidEvent(broken, brokenBefore);
    const found = winner?.reading.record;
    const escalation = found ?? known;
    if (escalation === undefined && brokenBefore !== undefined) return removedEvent(brokenBefore);
    if (escalation === undefined || (known?.etag === found?.etag && known?.path === found?.path)) return undefined;
    if (winner !== undefined && this.#isLogged(winner)) return undefined;
    const about = aboutOf(escalation);
    const { question, status } = escalation;
    if (found === undefined) return { ...about, type: "escalation.removed", before: { question, status } };
    if (known !== undefined) return { ...about, etag: found.etag, ...changeOf(known, found) };
    const after = summaryOf(found);
    const type = brokenBefore === undefined ? "escalation.created" : "file.mended";
    return { ...about, type, etag: found.etag, after };
  }

  #apply(id: string, finding: Finding): void {
    const { files, escalations } = this.#core.index;
    for (const folder of ESCALATION_STATUSES) files.remove(escalationPath(folder, id));
    if (finding.winner === undefined) escalations.remove(id);
    this.#put(finding);
  }

  #put({ winner, problems, paths }: Finding): void {
    const { escalations, files } = this.#core.index;
    const record = winner?.reading.record;
    for (const { path, stamp } of paths) files.put(path, stamp, path === record?.path ? record.etag : "");
    for (const problem of problems) files.putProblem(problem);
    if (record !== undefined) escalations.put(record);
  }
}

function isReadable(candidate: Candidate): candidate is Readable {
  return candidate.reading.ok;
}

/** Whether folder, status and what was last known disagree, or an answer written by hand lacks when and by whom. */
function isUnsettled(candidate: Readable, known: EscalationStatus | undefined): boolean {
  const { record } = candidate.reading;
  const isMoved = known !== undefined && known !== record.status;
  const isIncomplete = record.status === "resolved" && (record.resolvedAt === null || record.outcome === undefined);
  return isMoved || isIncomplete || isMisplaced(candidate);
}

function isMisplaced({ folder, reading: { record, status = record.status } }: Readable): boolean {
  return record.status !== folder || status !== record.status;
}

/** Of two readable files with one id: the one in its own folder, then the newer one, then the first by path. */
function byClaim(left: Readable, right: Readable): number {
  const claim = (candidate: Readable) => (isMisplaced(candidate) ? 1 : 0);
  const updated = ({ reading }: Readable) => reading.record.updatedAt;
  return (
    claim(left) - claim(right) || updated(right).localeCompare(updated(left)) || left.path.localeCompare(right.path)
  );
}

function problemOf(id: string, { path: file, reading }: Candidate, winner: Candidate | undefined): Problem {
  const about = { file, kind: "escalation" as const, id, severity: "invalid" as const };
  if (!reading.ok) return { ...about, line: reading.line, reason: reading.reason };
  return { ...about, line: 1, reason: `id: ${id} is also in ${winner?.path}; keep one of the two files` };
}
