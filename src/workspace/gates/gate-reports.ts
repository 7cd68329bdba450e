import type { GateLine, GateReport } from "../../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import type { Change } from "../change.ts";
import { byChange, commit } from "../core.ts";
import { decodeTextCursor, encodeCursor } from "../cursor.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { changedFile } from "../knowledge/document-writes.ts";
import { gatePath, idOfGateFile, placeOf, projectRoot } from "../layout.ts";
import { type ProjectDirectory, projectLock } from "../projects/project-directory.ts";
import { etagOf } from "../tasks/task-file.ts";
import { type GateDocument, type GateSummary, readGate, renderGate } from "./gate-file.ts";
import type { GateSync } from "./gate-sync.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
  sync: GateSync;
}

type Told = Pick<EventDraft, "type" | "before" | "after">;

/** Gate reports and integration checks: one JSON file each, in the folder of the day on which it was begun. */
export class GateReports {
  readonly #parts: Parts;
  /** Files that were looked up in the log: a long one takes a while. */
  readonly #looked = new Map<string, { etag: string; isOwn: boolean }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(projectId: string, query: RouteQuery<"listGates">): { gates: GateLine[]; nextCursor?: string } {
    this.#parts.projects.assertKnown(projectId);
    const { task: taskId, verdict, limit, cursor } = query;
    const page = { limit: limit + 1, before: decodeTextCursor(cursor) };
    const rows = this.#parts.core.index.gates.list({ projectId, kind: "gate", taskId, verdict }, page);
    const gates = rows.slice(0, limit).map((row) => summaryIn(row).line);
    const last = gates.at(-1);
    return rows.length > limit && last !== undefined ? { gates, nextCursor: encodeCursor([last.id]) } : { gates };
  }

  /** The newest finished ones, the newest first. */
  finished(projectId: string, limit: number): GateSummary[] {
    this.#parts.projects.assertKnown(projectId);
    return this.#parts.core.index.gates.list({ projectId, kind: "gate", state: "finished" }, { limit }).map(summaryIn);
  }

  checks(projectId: string, limit: number): IntegrationCheck[] {
    this.#parts.projects.assertKnown(projectId);
    return this.#parts.core.index.gates
      .list({ projectId, kind: "check" }, { limit })
      .map(({ doc }) => JSON.parse(String(doc)) as IntegrationCheck);
  }

  get(id: string): GateReport {
    const found = this.#document(id);
    if (found.kind !== "gate") throw notFound(id);
    return found.report;
  }

  getCheck(id: string): IntegrationCheck {
    const found = this.#document(id);
    if (found.kind !== "check") throw notFound(id);
    return found.check;
  }

  /** Reports of one run, the oldest first. Files that can't be read are left out; they are problems of the workspace. */
  ofRun(runId: string): GateReport[] {
    return this.#readable(this.#parts.core.index.gates.pathsOf(runId));
  }

  /** The newest finished report with this key, unless somebody else wrote or edited it: then nothing proves its verdict. */
  withKey(projectId: string, key: string): GateReport | undefined {
    const path = this.#parts.core.index.gates.pathOfKey(projectId, key);
    return path === undefined ? undefined : this.#ownAt(path);
  }

  /** A report that was written here and by nobody else since. */
  own(id: string): GateReport | undefined {
    const path = this.#parts.core.index.gates.pathOf(id);
    return path === undefined ? undefined : this.#ownAt(path);
  }

  /** The log has the etag of each report that was written here. */
  #ownAt(path: string): GateReport | undefined {
    const { files, events } = this.#parts.core;
    const place = placeOf(path);
    if (place?.kind !== "gate" || !files.exists(path)) return undefined;
    const { projectId } = place;
    const bytes = files.readContained(path, projectRoot(projectId));
    const reading = readGate(bytes, { ...place, path });
    if (!reading.ok || reading.kind !== "gate") return undefined;
    const etag = etagOf(bytes);
    const known = this.#looked.get(path);
    const query = { project: projectId, subject: reading.report.id, types: WRITTEN_HERE, count: 1 };
    const isOwn =
      known?.etag === etag
        ? known.isOwn
        : events.tail(query).some((event) => event.file === path && event.etag === etag);
    this.#looked.set(path, { etag, isOwn });
    return isOwn ? reading.report : undefined;
  }

  /** Reports and checks that nobody has ended. */
  running(): GateDocument[] {
    return this.#parts.core.index.gates.running().flatMap((path) => {
      const reading = this.#read(path);
      return reading?.ok ? [reading] : [];
    });
  }

  /** Writes a report as it is now, with the event that tells of it. A file that can't be read is left as it is. */
  async save(document: GateReport | IntegrationCheck, told: Told, change: Change): Promise<void> {
    const { core, projects } = this.#parts;
    const { id, projectId = "", startedAt } = document;
    const path = gatePath(projectId, id, startedAt);
    // Also in a project that was suspended meanwhile: what was begun comes to its end.
    await core.locks.share(projectLock(projectId), async () => {
      projects.assertKnown(projectId);
      await core.locks.run(`file ${path}`, () => this.#write({ path, document, told, change }));
    });
  }

  async #write(save: { path: string; document: GateReport | IntegrationCheck; told: Told; change: Change }) {
    const { core, sync } = this.#parts;
    const { path, document, told, change } = save;
    const { id, projectId = "" } = document;
    const content = renderGate(document);
    const draft: EventDraft = {
      ...byChange(change),
      ...told,
      projectId,
      subject: { kind: idOfGateFile(`${id}.json`)?.kind === "check" ? "integration" : "gate", id },
      file: path,
      etag: etagOf(content),
    };
    for (let attempt = 1; ; attempt++) {
      const before = core.files.exists(path) ? core.files.readContained(path, projectRoot(projectId)) : undefined;
      if (before !== undefined) this.#assertReadable(path);
      try {
        const write = changedFile(path, content, before, projectRoot(projectId));
        await commit(core, draft, () => sync.load(path), [write], change.gathered);
        return;
      } catch (error) {
        // A person saved the file in this moment; the report is the hall's, and is written over what can be read.
        if (!(error instanceof ChangedMeanwhile) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  #document(id: string): GateDocument {
    const path = this.#parts.core.index.gates.pathOf(id);
    if (path === undefined) throw this.#brokenOrGone(id);
    this.#assertReadable(path);
    const reading = this.#read(path);
    if (reading?.ok !== true) throw notFound(id);
    return reading;
  }

  #brokenOrGone(id: string): HallError {
    const problem = this.#parts.core.index.files.problems({ kind: "gate" }).find((each) => each.id === id);
    return problem === undefined
      ? notFound(id)
      : new HallError("file_invalid", problem.reason, { file: problem.file, line: problem.line });
  }

  #assertReadable(path: string): void {
    const reading = this.#read(path);
    if (reading?.ok === false) throw new HallError("file_invalid", reading.reason, { file: path, line: reading.line });
  }

  #readable(paths: readonly string[]): GateReport[] {
    return paths.flatMap((path) => {
      const reading = this.#read(path);
      return reading?.ok && reading.kind === "gate" ? [reading.report] : [];
    });
  }

  #read(path: string): ReturnType<typeof readGate> | undefined {
    const { files } = this.#parts.core;
    const place = placeOf(path);
    if (place?.kind !== "gate" || !files.exists(path)) return undefined;
    return readGate(files.readContained(path, projectRoot(place.projectId)), { ...place, path });
  }
}

const MOST_ATTEMPTS = 5;
/** Events of a finished report. A person's edit of the file has another type. */
const WRITTEN_HERE = ["gate.finished", "gate.waived"];

function summaryIn({ doc }: { doc?: unknown }): GateSummary {
  return JSON.parse(String(doc)) as GateSummary;
}

function notFound(id: string): HallError {
  return new HallError("gate_not_found", `There is no gate report '${id}'.`);
}
