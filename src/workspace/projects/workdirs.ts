import { type RepositoryIdentity, WorkdirRecord, type WorkdirView } from "../../contract/documents/workdir.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import { hint, toldHint } from "../../contract/words/hint.ts";
import { isSameIdentity } from "../../store/files/path-identity.ts";
import { gitAround } from "../../store/git/git-checkout.ts";
import type { Change } from "../change.ts";
import { BY_DAEMON, byChange, commit } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { type ProjectDirectory, projectLock } from "./project-directory.ts";
import { workdirFile } from "./workdir-records.ts";
import { fingerprintOf, type WorkdirSight } from "./workdir-sight.ts";
import { FolderOverlaps, filterWarnings } from "./workdir-warnings.ts";

/** Every glance at the hall asks for problems, and each folder takes a dozen looks at the disk. */
const LOOK_AGAIN_MS = 1_000;

/** The working folders of all projects: recorded, compared, confirmed. */
export class Workdirs {
  readonly #core: IndexedCore;
  readonly #directory: ProjectDirectory;
  /** Filters that were found below the top of a repository, when a run was planned in it. */
  readonly #deepFilters = new Map<string, readonly string[]>();
  #problems: { at: number; found: Problem[] } | undefined;

  constructor(core: IndexedCore, directory: ProjectDirectory) {
    this.#core = core;
    this.#directory = directory;
  }

  /** Folders that an older version, or a crash, left without a record: what is there now is taken as what was named. */
  async recordAll(): Promise<void> {
    const { index, locks, workdirRecords: workdirs } = this.#core;
    for (const named of index.projects.workdirs().filter((project) => workdirs.isDue(project))) {
      await locks.run(projectLock(named.id), async () => {
        if (!workdirs.isDue(named)) return;
        const text = workdirs.textFor(named.workdir, { before: workdirs.recordOf(named.id) });
        await this.#record(named.id, text, { type: "workdir.recorded", actor: BY_DAEMON });
      });
    }
  }

  view(id: string): WorkdirView {
    const { workdirRecords: workdirs } = this.#core;
    const { workdir } = this.#directory.read(id);
    const sight = workdirs.look({ id, workdir });
    if (workdir === undefined || sight === undefined)
      throw new HallError("workdir_missing", `Project '${id}' has no working folder of its own.`, {
        hint: hint("project-workdir", { project: id }),
      });
    const record = workdirs.recordOf(id);
    const now = workdirs.stateOf(workdir);
    return {
      workdir,
      state: sight.state,
      changes: sight.changes,
      warnings: this.warningsFor(id),
      ...(record === undefined ? {} : { recordedAt: record.recordedAt, recorded: shown(record) }),
      ...(now === undefined ? {} : { now, fingerprint: fingerprintOf(record, workdir, now) }),
    };
  }

  /** Takes the folder as it is now for the one that was named. Only the person may. */
  async confirm(id: string, fingerprint: string, change: Change): Promise<WorkdirView> {
    if (change.actor.kind !== "person")
      throw new HallError("forbidden", "Only the person can confirm a working folder.", { hint: "Ask the person." });
    const { locks, workdirRecords: workdirs } = this.#core;
    return locks.run(projectLock(id), async () => {
      const { workdir = "" } = this.#directory.read(id);
      const { state, now, fingerprint: seen } = this.view(id);
      if (now === undefined) throw new HallError("workdir_missing", `There is no folder '${workdir}' to confirm.`);
      if (seen !== fingerprint)
        throw new HallError("version_mismatch", `The folder '${workdir}' changed since you viewed it.`, {
          hint: hint("project-folder", { project: id }),
        });
      if (state === "ok") return this.view(id);
      const before = workdirs.recordOf(id);
      const told = { ...byChange(change), type: "workdir.confirmed" as const };
      const was = before === undefined ? null : shown(before);
      await this.#record(id, workdirs.textFor(workdir, { before, now }), { ...told, before: { folder: was } });
      return this.view(id);
    });
  }

  async #record(
    id: string,
    text: string,
    draft: Pick<EventDraft, "actor" | "request" | "why" | "type" | "before">,
  ): Promise<void> {
    const record = WorkdirRecord.parse(JSON.parse(text));
    const event: EventDraft = {
      ...draft,
      projectId: id,
      subject: { kind: "project", id },
      after: { workdir: record.workdir, folder: shown(record) },
    };
    await commit(this.#core, event, () => undefined, [this.#core.workdirRecords.write(id, text)]);
    this.#problems = undefined;
  }

  /** For whoever names the folder, and for as long as it is so. */
  warningsFor(id: string): string[] {
    const record = this.#core.workdirRecords.recordOf(id);
    return record === undefined ? [] : this.#warnings(id, record, this.#overlaps());
  }

  #warnings(id: string, record: WorkdirRecord, overlaps: FolderOverlaps): string[] {
    const shared = record.folder === undefined ? [] : overlaps.warningsFor(id, record.folder.path);
    return [...shared, ...filterWarnings(record, this.#deepFilters.get(id))];
  }

  #overlaps(): FolderOverlaps {
    const { index, workdirRecords: workdirs } = this.#core;
    const open = index.projects.workdirs().filter(({ status }) => status === "active" || status === "suspended");
    return new FolderOverlaps(
      open.flatMap(({ id }) => {
        const path = workdirs.recordOf(id)?.folder?.path;
        return path === undefined ? [] : [{ id, path }];
      }),
    );
  }

  /** What agents miss in the checkouts they work in. */
  leftOutFor(id: string): string[] {
    const record = this.#core.workdirRecords.recordOf(id);
    return record === undefined ? [] : filterWarnings(record, this.#deepFilters.get(id));
  }

  noteFilters(id: string, names: readonly string[]): void {
    this.#deepFilters.set(id, names);
  }

  problems(): Problem[] {
    const now = performance.now();
    if (this.#problems === undefined || now - this.#problems.at >= LOOK_AGAIN_MS)
      this.#problems = { at: now, found: this.#findProblems() };
    return this.#problems.found;
  }

  #findProblems(): Problem[] {
    const { index, workdirRecords: workdirs } = this.#core;
    const overlaps = this.#overlaps();
    const open = index.projects.workdirs().filter(({ status }) => status === "active" || status === "suspended");
    return open.flatMap(({ id, workdir }) => {
      const sight = workdirs.look({ id, workdir });
      const record = workdirs.recordOf(id);
      const warnings = record === undefined ? [] : this.#warnings(id, record, overlaps);
      const changed = sight === undefined ? [] : changeProblem(id, sight);
      return [...changed, ...warnings.map((text) => problem(id, "warning", `working folder '${workdir}': ${text}`))];
    });
  }

  /**
   * The repository at this path, or of the checkout records at this path, if a person has confirmed it for some project and
   * it is still the same one. Git may be run on nothing else.
   */
  trustedRepository(path: string): (RepositoryIdentity["repository"] & { alternates: string[] }) | undefined {
    const { index, workdirRecords: workdirs } = this.#core;
    for (const { id } of index.projects.workdirs()) {
      const record = workdirs.recordOf(id);
      const known = [...(record?.git.state === "repository" ? [record.git] : []), ...(record?.earlier ?? [])];
      const found = known.find(({ repository }) => path === repository.path || isRecordsOf(path, repository.path));
      if (found !== undefined && isStill(found)) return { ...found.repository, alternates: found.alternates };
    }
    return undefined;
  }

  /** The inode of the checkout at this path, where it was recorded. */
  trustedCheckout(path: string): string | undefined {
    const { index, workdirRecords: workdirs } = this.#core;
    for (const { id } of index.projects.workdirs()) {
      const record = workdirs.recordOf(id);
      if (record?.git.state === "repository" && record.git.checkout.path === path) return record.git.checkout.inode;
    }
    return undefined;
  }
}

/** The records of a linked checkout, in the repository that it belongs to. */
function isRecordsOf(path: string, repository: string): boolean {
  const name = path.startsWith(`${repository}/worktrees/`) ? path.slice(`${repository}/worktrees/`.length) : "";
  return name !== "" && !name.includes("/") && name !== "." && name !== "..";
}

function isStill(known: RepositoryIdentity): boolean {
  const now = gitAround(known.checkout.path, "");
  if (now.state !== "repository") return false;
  const isSame = (["checkout", "dotGit", "records", "repository"] as const).every((part) =>
    isSameIdentity(known[part], now[part]),
  );
  return isSame && now.kind === known.kind && JSON.stringify(now.alternates) === JSON.stringify(known.alternates);
}

function shown({ folder, git }: WorkdirRecord): NonNullable<WorkdirView["recorded"]> {
  return { ...(folder === undefined ? {} : { folder }), git };
}

function changeProblem(id: string, { state, changes }: WorkdirSight): Problem[] {
  const text = changes.join(" ");
  switch (state) {
    case "ok":
    case "missing":
      return [];
    case "git_appeared":
      return [problem(id, "warning", `${text} The repository is not used; agents work in the folder itself.`)];
    case "git_changed":
      return [problem(id, "invalid", `${text} Runs that write are refused.`)];
    case "folder_changed":
    case "unrecorded":
      return [problem(id, "invalid", `${text} Agents can't use it.`)];
  }
}

function problem(projectId: string, severity: Problem["severity"], reason: string): Problem {
  const help = toldHint(hint("project-folder", { project: projectId }));
  return { file: workdirFile(projectId), kind: "workdir", projectId, severity, reason, ...help };
}
