import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import { failureText, isPassing, type Stamp } from "../../store/files/regular-file.ts";
import { BY_HAND, commit, invalidEvent } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { foundFiles } from "../knowledge/document-writes.ts";
import { idOfGateFile, placeOf } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import { type GateReading, readGate } from "./gate-file.ts";

/** What lies at a path. */
interface Found {
  stamp: Stamp;
  etag: string;
  reading: GateReading;
}

/** Keeps the index in step with the files of gate reports and integration checks, whoever changes them. */
export class GateSync {
  readonly #core: IndexedCore;

  constructor(core: IndexedCore) {
    this.#core = core;
  }

  /** Brings one report up to date with its file, and logs what a person changed. The caller holds the lock of the file. */
  async settle(path: string): Promise<void> {
    const place = placeOf(path);
    const { index, recovered } = this.#core;
    if (place?.kind !== "gate" || index.projects.status(place.projectId) === undefined) return;
    const known = index.files.get(path);
    const found = this.#find(path);
    if (found === undefined && known === undefined) return;
    const isTold = found?.reading.ok && (known?.etag === found.etag || recovered.get(path)?.has(found.etag));
    const draft = isTold ? undefined : this.#eventFor(path, found);
    const apply = () => this.#put(path, found);
    if (draft === undefined) index.transaction(apply);
    else
      await commit(
        this.#core,
        draft,
        apply,
        foundFiles(this.#core.files, [path], () => known?.etag || undefined),
      );
  }

  /** Puts one report into the index as it is now. */
  load(path: string): void {
    this.#put(path, this.#find(path));
  }

  #find(path: string): Found | undefined {
    const place = placeOf(path);
    const stamp = this.#core.files.stamp(path);
    if (place?.kind !== "gate" || stamp === undefined) return undefined;
    try {
      const bytes = this.#core.files.readContained(path, ".");
      return { stamp, etag: etagOf(bytes), reading: readGate(bytes, { ...place, path }) };
    } catch (error) {
      if (isPassing(error)) throw error;
      return { stamp, etag: "", reading: { ok: false, line: 1, reason: failureText(error) } };
    }
  }

  #put(path: string, found: Found | undefined): void {
    const { files, gates } = this.#core.index;
    files.remove(path);
    if (found?.reading.ok !== true) gates.remove(path);
    if (found === undefined) return;
    files.put(path, found.stamp, found.etag);
    if (found.reading.ok) gates.put(found.reading.record);
    else files.putProblem(problemOf(path, found.reading));
  }

  #eventFor(path: string, found: Found | undefined): EventDraft | undefined {
    const before = this.#core.index.files.problemsOf(path)[0];
    if (found?.reading.ok === false) return invalidEvent(problemOf(path, found.reading), before);
    return {
      actor: BY_HAND,
      type: found === undefined ? "document.removed" : before === undefined ? "document.written" : "file.mended",
      ...subjectOf(path),
      file: path,
      ...(found !== undefined && { etag: found.etag }),
    };
  }
}

function subjectOf(path: string): Pick<EventDraft, "projectId" | "subject"> {
  const place = placeOf(path);
  const { projectId, name } = place?.kind === "gate" ? place : { projectId: "", name: path };
  const named = idOfGateFile(name);
  const kind = named?.kind === "check" ? "integration" : "gate";
  return { projectId, subject: { kind, id: named?.id ?? name } };
}

function problemOf(path: string, { line, reason }: GateReading & { ok: false }): Problem {
  const { projectId, subject } = subjectOf(path);
  return {
    file: path,
    kind: "gate",
    severity: "invalid",
    id: subject.id,
    line,
    reason,
    ...(projectId && { projectId }),
  };
}
