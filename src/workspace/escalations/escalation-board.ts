import { ESCALATION_ID, EscalationDocument } from "../../contract/documents/escalation.ts";
import { ESCALATION_STATUSES } from "../../contract/documents/escalation-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { EscalationQuery } from "../../contract/routes/people/escalation-routes.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { Put } from "../../store/changes/change.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import { type EscalationRecord, isUndelivered } from "../../store/index/escalation-row.ts";
import { EscalationTable } from "../../store/index/escalation-table.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import type { Change } from "../change.ts";
import { byChange, commit, difference } from "../core.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { describeIssue } from "../hall/issues.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { newFile, stampIn, unlessTaken } from "../knowledge/document-writes.ts";
import { ESCALATIONS_FOLDER, escalationPath } from "../layout.ts";
import type { NumberSeries } from "../number-series.ts";
import { dropUndefined, etagOf } from "../tasks/task-file.ts";
import type { Placed, Together } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { namedIn, summaryOf } from "./escalation-events.ts";
import { editEscalation, renderEscalation } from "./escalation-file.ts";
import { escalationLock } from "./escalation-lock.ts";
import { keptSteps } from "./escalation-rules.ts";
import type { EscalationSync } from "./escalation-sync.ts";
import type { EscalationChange, EscalationFields, Escalations, StoredEscalation } from "./escalations.ts";

interface Parts {
  core: IndexedCore;
  numbers: NumberSeries;
  sync: EscalationSync;
  redactorOf: (projectId: string | undefined) => Redactor;
}

const ALONE: Together = { events: [], writes: [], apply: () => undefined };

/** Escalations as files that move between the folders of their status. */
export class EscalationBoard implements Escalations {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(query: EscalationQuery): ReturnType<Escalations["list"]> {
    const { index, clock } = this.#parts.core;
    const { status, type, project: projectId, q: text, snoozed, limit, cursor } = query;
    const awakeAt = snoozed === true ? undefined : clock().getTime();
    const after = positionOf(cursor);
    const found = index.escalations.list({ status, type, projectId, text, awakeAt }, { limit: limit + 1, after });
    const escalations = found.records.slice(0, limit);
    const last = escalations.at(-1);
    const invalid = cursor === undefined ? index.files.problems({ kind: "escalation" }) : [];
    const page = { escalations, invalid, total: found.total };
    if (found.records.length <= limit || last === undefined) return page;
    return { ...page, nextCursor: encodeCursor(EscalationTable.position(last)) };
  }

  open(): StoredEscalation[] {
    return this.#due(({ status }) => status !== "resolved");
  }

  undelivered(): StoredEscalation[] {
    return this.#due(isUndelivered);
  }

  #due(isWanted: (record: EscalationRecord) => boolean): StoredEscalation[] {
    const found = [...this.#parts.core.index.escalations.due()].filter(isWanted);
    return found.sort((left, right) => Date.parse(left.createdAt) - Date.parse(right.createdAt));
  }

  async get(id: string): Promise<StoredEscalation> {
    const { locks } = this.#parts.core;
    return this.#current(id) ?? locks.run(escalationLock(id), () => this.#load(id));
  }

  async ofCall(call: { runId: string; callId: string }): Promise<StoredEscalation | undefined> {
    const id = this.#parts.core.index.escalations.ofCall(call);
    return id === undefined ? undefined : this.get(id);
  }

  async create(fields: EscalationFields, change: Change, together = ALONE): Promise<StoredEscalation> {
    const { core, numbers } = this.#parts;
    core.files.makeFolder(ESCALATIONS_FOLDER);
    const id = numbers.next((free) => free);
    const created = await core.locks.run(escalationLock(id), async () => {
      const record = this.#written({ ...fields, id, path: escalationPath(fields.status, id), etag: "" });
      const text = renderEscalation(record);
      return this.#save(
        { ...record, etag: etagOf(text) },
        { writes: [newFile(record.path, text)], draft: { type: "escalation.created", after: summaryOf(record) } },
        { change, together },
      );
    });
    // A person made a file of this name in the same moment: theirs counts.
    return created ?? this.create(fields, change, together);
  }

  change(
    id: string,
    edit: (current: StoredEscalation) => EscalationFields | undefined,
    what: EscalationChange,
    change: Change,
  ): Promise<StoredEscalation> {
    const work = async () => {
      const before = await this.#load(id);
      assertVersion(before, change.ifMatch);
      const fields = edit(before);
      return fields === undefined ? before : this.#replace(before, fields, { what, change });
    };
    // What goes along was made from what its caller read: where that has changed, the caller begins again.
    const tries = what.together === undefined ? () => untilUndisturbed(work) : work;
    return this.#parts.core.locks.run(escalationLock(id), tries);
  }

  async #replace(
    before: StoredEscalation,
    fields: EscalationFields,
    { what, change }: { what: EscalationChange; change: Change },
  ): Promise<StoredEscalation> {
    const { core, sync } = this.#parts;
    const old = await this.#text(before);
    const updatedAt = core.clock().toISOString();
    const path = escalationPath(fields.status, before.id);
    const after = this.#written({ ...fields, updatedAt, id: before.id, path, etag: "" });
    const text = editEscalation(old, before, after);
    const record = { ...after, etag: etagOf(text) };
    const changes = difference(before, record, ["etag", "history", "path", "updatedAt"]);
    const about = namedIn(what.type, record);
    const draft = { type: what.type, before: changes.before, after: { ...changes.after, ...about, ...what.after } };
    const made = { change, together: what.together ?? ALONE };
    const saved = await this.#save(record, { writes: [this.#put(before, text, path)], draft, before }, made);
    if (saved === undefined) throw new ChangedMeanwhile(`${before.path} was changed in the meantime`);
    const hasCopies = ESCALATION_STATUSES.some((folder) =>
      core.index.files.hasProblems(escalationPath(folder, before.id)),
    );
    if (hasCopies) await sync.settle(before.id);
    return saved;
  }

  /** Undefined when the name of a new file was taken in the meantime. */
  async #save(
    record: StoredEscalation,
    {
      writes,
      draft,
      before,
    }: { writes: Put[]; draft: Pick<EventDraft, "type" | "before" | "after">; before?: StoredEscalation },
    { change, together }: { change: Change; together: Together },
  ): Promise<StoredEscalation | undefined> {
    const { core } = this.#parts;
    const event: EventDraft = {
      ...byChange(change),
      ...(record.projectId === undefined ? {} : { projectId: record.projectId }),
      subject: { kind: "escalation", id: record.id },
      file: record.path,
      etag: record.etag,
      ...draft,
    };
    const apply = (placed: Placed) => {
      if (before !== undefined && before.path !== record.path) core.index.files.remove(before.path);
      core.index.files.put(record.path, stampIn(placed.stamps, record.path), record.etag);
      core.index.escalations.put(record);
      together.apply(placed);
    };
    const made = commit(core, [event, ...together.events], apply, [...writes, ...together.writes], change.gathered);
    if (before !== undefined) await made;
    else if (!(await unlessTaken(made))) return undefined;
    return record;
  }

  #put({ path, etag }: StoredEscalation, content: string, to: string): Put {
    const put = { kind: "put" as const, path, content, base: etag };
    if (path === to) return put;
    if (this.#parts.core.files.exists(to))
      throw new HallError("file_invalid", `Another file already exists at ${to}.`, { file: to });
    return { ...put, to };
  }

  /** As it goes into its file: without secrets, and in the form that can be read back. */
  #written({ path, etag, ...fields }: StoredEscalation): StoredEscalation {
    const shown = this.#parts.redactorOf(fields.projectId).deep({ ...fields, history: keptSteps(fields.history) });
    const parsed = EscalationDocument.safeParse(dropUndefined(shown), { error: plainWords });
    if (!parsed.success) throw new HallError("invalid", `${describeIssue(parsed.error, shown).reason}.`);
    return { ...parsed.data, path, etag };
  }

  /** The text of the file that it was read from. */
  async #text({ id, path, etag }: StoredEscalation): Promise<string> {
    const bytes = this.#parts.core.files.read(path);
    if (etagOf(bytes) === etag) return bytes.toString("utf8");
    await this.#parts.sync.settle(id);
    throw new ChangedMeanwhile(`${path} was changed in the meantime`);
  }

  #current(id: string): StoredEscalation | undefined {
    const { index, files } = this.#parts.core;
    const known = index.escalations.record(id);
    const stamp = known === undefined ? undefined : files.stamp(known.path);
    return known !== undefined && stamp !== undefined && index.files.isCurrent(known.path, stamp) ? known : undefined;
  }

  /** As its file is now, after the index has caught up. The caller holds its lock. */
  async #load(id: string): Promise<StoredEscalation> {
    const { core, sync } = this.#parts;
    const known = this.#current(id);
    if (known !== undefined) return known;
    if (!ESCALATION_ID.test(id)) throw notFound(id);
    if ((await sync.settle(id)) === "missing") throw notFound(id);
    const record = core.index.escalations.record(id);
    if (record !== undefined) return record;
    throw this.#invalid(id) ?? notFound(id);
  }

  #invalid(id: string): HallError | undefined {
    const { files } = this.#parts.core.index;
    const problem = ESCALATION_STATUSES.flatMap((folder) => files.problemsOf(escalationPath(folder, id)))[0];
    if (problem === undefined) return undefined;
    const { file, line, reason } = problem;
    return new HallError("file_invalid", `${id} cannot be read: ${reason}.`, { file, line });
  }
}

function assertVersion({ id, etag, updatedAt, path }: StoredEscalation, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === etag) return;
  throw new HallError("version_mismatch", `${id} was changed since you read it (at ${updatedAt}).`, { file: path });
}

/** Of a list that is sorted by three numbers. */
function positionOf(cursor: string | undefined): [number, number, number] | undefined {
  const position = decodeCursor(cursor, 3);
  if (position === undefined) return undefined;
  const [resolved = 0, rank = 0, number = 0] = position.map(Number);
  return [resolved, rank, number];
}

function notFound(id: string): HallError {
  return new HallError("escalation_not_found", `There is no escalation '${id}'.`);
}
