import type { AcceptedInstructions, Instruction } from "../../contract/documents/instruction.ts";
import type { Project } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import { hint } from "../../contract/words/hint.ts";
import { isFolder } from "../../store/files/folders.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit, keep } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { projectOf } from "../../workspace/projects/known-project.ts";
import { acceptedFile, acceptedWrite, entryOf, readAccepted, withGuides } from "./accepted-instructions.ts";
import { type Guide, guideHash, guidesFor } from "./code-guide.ts";
import type { NamedText } from "./prompt.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "projects">;
  /** A real path; undefined where nothing may be read now. */
  workdirOf: (project: Project) => string | undefined;
  /** The person's home folder. */
  home: string;
  /** What the person's branch has at a path: nothing gets there but by their own commit or with their approval. */
  committed: (project: Project, file: string) => Promise<string | undefined>;
}

/** How long nobody looks again: every glance asks. */
const LOOK_AGAIN_MS = 5_000;

export type WaitingInstruction = Pick<Instruction, "path" | "state" | "hash"> & { projectId: string };

const NOT_ACCEPTED = "a person has not accepted its content yet";

/** The instructions of code bases, and which of them people accepted. Others are in no prompt. */
export class Instructions {
  readonly #parts: Parts;
  #waiting: { at: number; found: Promise<WaitingInstruction[]> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What agents are told: of the nearest file, the content that was accepted, also while there is other. */
  inForce(project: Project): NamedText | undefined {
    const known = readAccepted(this.#parts.core.files, project.id);
    const record =
      known.is === "known" && known.record.workdir === this.#parts.workdirOf(project) ? known.record : undefined;
    const guides = this.#guidesOf(project);
    for (const { path, file } of guides) {
      const entry = record && entryOf(record, file);
      if (entry !== undefined && entry.text.trim() !== "") return { path, text: entry.text };
    }
    const [nearest] = guides;
    return nearest && { path: nearest.path, text: "", leftOut: NOT_ACCEPTED };
  }

  /**
   * To be called before a run is planned. What is there when a folder is named counts as accepted, and so does what the
   * person's branch has.
   */
  async settle(projectId: string, { isNamed = false } = {}): Promise<void> {
    const { core } = this.#parts;
    await core.locks.run(`instructions ${projectId}`, async () => {
      const project = this.#find(projectId);
      if (project === undefined) return;
      const known = readAccepted(core.files, projectId);
      const workdir = this.#parts.workdirOf(project);
      // A folder that is not there yet is named in vain: what is there when it is made counts.
      if (workdir === undefined || !isFolder(workdir)) return;
      const at = core.clock().toISOString();
      if (isNamed || known.is === "none" || (known.is === "known" && known.record.workdir !== workdir)) {
        const record = withGuides({ version: 1, workdir, at, files: {} }, this.#guidesOf(project), { by: "named", at });
        await keep(core, [acceptedWrite(projectId, record)]);
      } else if (known.is === "known") await this.#acceptCommitted(project, known.record);
    });
  }

  async #acceptCommitted(project: Project, record: AcceptedInstructions): Promise<void> {
    const open = this.#guidesOf(project).filter(({ file, hash }) => entryOf(record, file)?.hash !== hash);
    const committed: Guide[] = [];
    for (const guide of open)
      if ((await this.#parts.committed(project, guide.file)) === guide.text) committed.push(guide);
    if (committed.length === 0) return;
    const { clock } = this.#parts.core;
    const after = withGuides(record, committed, { by: "commit", at: clock().toISOString() });
    await keep(this.#parts.core, [acceptedWrite(project.id, after)]);
  }

  async list(projectId: string): Promise<{ instructions: Instruction[] }> {
    const project = this.#parts.hall.projects.get(projectId);
    await this.settle(projectId);
    return { instructions: this.#shown(project) };
  }

  /** Of all active projects, as they were some seconds ago at most. */
  async waiting(): Promise<WaitingInstruction[]> {
    const now = this.#parts.core.clock().getTime();
    if (this.#waiting === undefined || Math.abs(now - this.#waiting.at) >= LOOK_AGAIN_MS)
      this.#waiting = { at: now, found: this.#findWaiting() };
    return this.#waiting.found;
  }

  async #findWaiting(): Promise<WaitingInstruction[]> {
    const { projects } = this.#parts.core;
    const found: WaitingInstruction[] = [];
    for (const projectId of projects.ids().filter((id) => projects.status(id) === "active")) {
      if (this.#unaccepted(projectId).length === 0) continue;
      // The person's branch may have it by now.
      await this.settle(projectId);
      found.push(...this.#unaccepted(projectId).map(({ path, state, hash }) => ({ projectId, path, state, hash })));
    }
    return found;
  }

  #unaccepted(projectId: string): Instruction[] {
    const project = this.#find(projectId);
    return project === undefined ? [] : this.#shown(project).filter(({ state }) => state !== "accepted");
  }

  /** From now on notes what is there whenever a folder is named. Resolves when those that were named before are noted. */
  async follow(onTrouble: (what: string, error: unknown) => void): Promise<() => void> {
    const { core } = this.#parts;
    for (const id of core.projects.ids()) if (readAccepted(core.files, id).is === "none") await this.settle(id);
    return core.events.subscribe(({ type, projectId }) => {
      if (projectId === undefined || (type !== "project.created" && type !== "project.updated")) return;
      const isNamed = type === "project.created";
      const noted = core.shown.caughtUp().then(() => this.settle(projectId, { isNamed }));
      noted.catch((error) => onTrouble(`the instructions of ${projectId} could not be recorded`, error));
    });
  }

  /** Doing it again changes nothing. */
  async accept(
    projectId: string,
    { path, hash }: { path: string; hash: string },
    change: Change,
  ): Promise<Instruction> {
    const { core, hall } = this.#parts;
    if (change.actor.kind !== "person") throw new HallError("forbidden", "Only a person can accept instructions.");
    const project = hall.projects.get(projectId);
    await this.settle(projectId);
    return core.locks.run(`instructions ${projectId}`, async () => {
      const guide = this.#guidesOf(project).find((one) => one.path === path);
      const shown = this.#shown(project).find((one) => one.path === path);
      if (guide === undefined || shown === undefined)
        throw new HallError("file_not_found", `No instructions '${path.slice(0, 200)}' here.`);
      if (guide.hash !== hash)
        throw new HallError("version_mismatch", `'${path}' changed since you viewed it.`, {
          hint: hint("instructions-show", { path, project: projectId }),
        });
      if (shown.state === "accepted") return shown;
      await this.#keep(project, [guide], {
        ...byChange(change),
        type: "instructions.accepted",
        projectId,
        subject: { kind: "file", id: path },
        after: { hash, was: shown.state },
      });
      return this.#shown(project).find((one) => one.path === path) ?? shown;
    });
  }

  /** What a person approved as part of a run's result. Absolute paths. */
  async acceptApproved(projectId: string, texts: ReadonlyMap<string, string>): Promise<void> {
    const project = this.#find(projectId);
    if (project === undefined || texts.size === 0) return;
    await this.settle(projectId);
    await this.#parts.core.locks.run(`instructions ${projectId}`, () =>
      this.#keep(
        project,
        [...texts].map(([file, text]) => ({ file, text, hash: guideHash(text) })),
      ),
    );
  }

  async #keep(project: Project, guides: Pick<Guide, "file" | "text" | "hash">[], draft?: EventDraft): Promise<void> {
    const { core } = this.#parts;
    const known = readAccepted(core.files, project.id);
    if (known.is !== "known")
      throw new HallError("file_invalid", "The record of accepted instructions cannot be read.", {
        file: acceptedFile(project.id),
        hint: "Fix the file, or delete it to accept the current instructions.",
      });
    this.#waiting = undefined;
    const after = withGuides(known.record, guides, { by: "person", at: core.clock().toISOString() });
    const writes = [acceptedWrite(project.id, after)];
    if (draft === undefined) await keep(core, writes);
    else await commit(core, draft, () => undefined, writes);
  }

  problems(projectIds: readonly string[]): Problem[] {
    const { files } = this.#parts.core;
    return projectIds.flatMap((projectId): Problem[] => {
      if (readAccepted(files, projectId).is !== "damaged") return [];
      const reason = "the record of accepted instructions cannot be read, so none apply";
      return [{ file: acceptedFile(projectId), kind: "skill", projectId, severity: "invalid", reason }];
    });
  }

  #shown(project: Project): Instruction[] {
    const guides = this.#guidesOf(project);
    if (guides.length === 0) return [];
    const known = readAccepted(this.#parts.core.files, project.id);
    return guides.map(({ path, file, hash, text }) => {
      const entry = known.is === "known" ? entryOf(known.record, file) : undefined;
      if (entry === undefined) return { path, hash, text, state: "new" };
      if (entry.hash === hash) return { path, hash, text, state: "accepted" };
      return { path, hash, text, state: "changed", acceptedText: entry.text };
    });
  }

  #guidesOf(project: Project): Guide[] {
    const workdir = this.#parts.workdirOf(project);
    return workdir === undefined
      ? []
      : guidesFor(workdir, project.workdir === undefined ? undefined : this.#parts.home);
  }

  #find(projectId: string): Project | undefined {
    return projectOf(this.#parts.core, projectId);
  }
}
