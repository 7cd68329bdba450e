import { dirname } from "node:path";
import type { Files } from "../../store/files/files.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import { projectPaths, projectRoot } from "../layout.ts";
import {
  NOTICE,
  renderArtifactList,
  renderBoard,
  renderProjectTeam,
  renderRoleTeam,
  renderWorkspaceTeam,
} from "./overview-text.ts";

const DELAY_MS = 200;
/** While changes keep coming, pages are written this often at most. */
const PAUSE_MS = 1_000;
const SHOWN = 20;
const BOARD_COLUMNS = [
  { heading: "In progress", statuses: ["in-progress"] },
  { heading: "In review", statuses: ["review"] },
  { heading: "Blocked", statuses: ["blocked"] },
  { heading: "To do", statuses: ["assigned", "pending"] },
  { heading: "Failed", statuses: ["failed"] },
  { heading: "Done", statuses: ["done"] },
] as const;

/**
 * The pages that are generated from everything else: boards, teams, artifact lists. They follow changes after a short
 * delay, so that a burst of changes costs one page, and cost the same however many tasks there are.
 */
export class Overviews {
  readonly #files: Files;
  readonly #index: HallIndex;
  readonly #due = new Map<string, () => void>();
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(files: Files, index: HallIndex) {
    this.#files = files;
    this.#index = index;
  }

  boardChanged(projectId: string): void {
    this.#schedule(`board ${projectId}`, () => this.#writeBoard(projectId));
  }

  artifactsChanged(projectId: string): void {
    this.#schedule(`artifacts ${projectId}`, () => this.#writeArtifacts(projectId));
  }

  teamChanged(projectId: string): void {
    this.#schedule(`team ${projectId}`, () => this.#writeProjectTeam(projectId));
    this.rolesChanged();
  }

  projectChanged(projectId: string): void {
    this.boardChanged(projectId);
    this.teamChanged(projectId);
  }

  rolesChanged(): void {
    this.#schedule("roles", () => this.#writeWorkspaceTeam());
  }

  /** Writes every page that is due. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#due.values()];
    this.#due.clear();
    for (const write of due) attempt(write);
    this.#writtenAt = performance.now();
  }

  #schedule(key: string, write: () => void): void {
    this.#due.set(key, write);
    if (this.#timer !== undefined) return;
    const pause = this.#writtenAt + PAUSE_MS - performance.now();
    this.#timer = setTimeout(() => this.flush(), Math.max(DELAY_MS, pause));
    this.#timer.unref();
  }

  #writeBoard(projectId: string): void {
    const project = this.#index.projects.get(projectId);
    if (project === undefined) return;
    const counts = this.#index.tasks.counts(projectId);
    const columns = BOARD_COLUMNS.map(({ heading, statuses }) => {
      const order = { sort: heading === "Done" ? "updated" : "priority", descending: true, limit: SHOWN } as const;
      const isEmpty = statuses.every((status) => (counts.get(status) ?? 0) === 0);
      return { heading, tasks: isEmpty ? [] : this.#index.tasks.list({ projectId, statuses }, order) };
    });
    const invalid = this.#index.files.problems({ kind: "task", projectId });
    this.#write(
      `${projectPaths(projectId).tasks}/README.md`,
      renderBoard({ name: project.name, counts, columns, invalid }),
    );
  }

  #writeArtifacts(projectId: string): void {
    const artifacts = this.#index.documents.list({ projectId, kind: "artifact", limit: 50 });
    const total = this.#index.documents.count(projectId, "artifact");
    this.#write(`${projectPaths(projectId).artifacts}/README.md`, renderArtifactList(artifacts, total));
  }

  #writeProjectTeam(projectId: string): void {
    const project = this.#index.projects.get(projectId);
    if (project === undefined || project.status === "invalid") return;
    this.#write(
      `${projectRoot(projectId)}/TEAM.md`,
      renderProjectTeam(project, (id) => this.#index.roles.get(id)),
    );
    if (!this.#files.exists(`${projectPaths(projectId).artifacts}/README.md`)) this.#writeArtifacts(projectId);
  }

  #writeWorkspaceTeam(): void {
    const roles = this.#index.roles.all();
    const projectsOf = (roleId: string) => this.#index.projects.projectsWithRole(roleId);
    this.#write("TEAM.md", renderWorkspaceTeam(roles, projectsOf));
    for (const role of roles) this.#write(`agents/${role.id}/TEAM.md`, renderRoleTeam(role, projectsOf(role.id)));
    this.#removePagesOf(new Set(this.#files.folders("agents")).difference(new Set(roles.map((role) => role.id))));
  }

  /** A page we wrote goes with its role; whatever else lies in the folder stays. */
  #removePagesOf(gone: Iterable<string>): void {
    for (const roleId of gone) {
      const page = `agents/${roleId}/TEAM.md`;
      attempt(() => {
        if (this.#files.exists(page) && this.#files.text(page).startsWith(NOTICE)) this.#files.discard(page);
      });
    }
  }

  /** Only into the very folder that the path names: a link there may lead to the files of another project. */
  #write(path: string, text: string): void {
    attempt(() => {
      const folder = dirname(path);
      if (!this.#files.exists(folder)) {
        if (!folder.startsWith("agents/")) return;
        this.#files.makeFolder("agents");
        this.#files.makeFolder(folder, "agents");
      }
      if (this.#files.exists(path) && this.#files.text(path) === text) return;
      this.#files.replaceGenerated(path, text, folder);
    });
  }
}

/** A page that cannot be written now (disk full, a link in its place) is written with the next change; nothing is lost. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
