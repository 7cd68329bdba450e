import type { Project } from "../../contract/documents/project.ts";
import { type EnvFolders, envSecrets } from "../../store/secrets/env-files.ts";
import { LatestRedactor } from "../../store/secrets/latest-redactor.ts";
import type { OwnSecrets } from "../../store/secrets/own-secrets.ts";
import { Redactor } from "../../store/secrets/redaction.ts";
import type { Core } from "../core.ts";
import { filledByTheHall, projectRoot } from "../layout.ts";
import { projectOf } from "./known-project.ts";

interface Parts {
  /** Keys, tokens and secrets of the daemon itself. */
  own: OwnSecrets;
  /** The folders of a project: its own, and that its agents work in. */
  foldersOf: (project: Project) => Pick<EnvFolders, "folders" | "passedOver">;
  find: (projectId: string) => Project | undefined;
}

/** Hides, for each project, the daemon's secrets and those of the project's env files. */
export class ProjectSecrets {
  readonly #parts: Parts;
  readonly #redactors = new Map<string, Redactor>();
  readonly #latest = new Map<string, LatestRedactor>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.own.onAdded(() => this.#redactors.clear());
  }

  /** As of the last time something was asked for in the project. */
  of(projectId: string): Redactor {
    const known = this.#redactors.get(projectId);
    if (known !== undefined) return known;
    const project = this.#parts.find(projectId);
    return project === undefined ? this.#parts.own.redactor() : this.read(project);
  }

  /** As of now. */
  fresh(projectId: string): Redactor {
    const project = this.#parts.find(projectId);
    return project === undefined ? this.of(projectId) : this.read(project);
  }

  /** Reads the env files anew: they change by hand. */
  read(project: Project): Redactor {
    const { own, foldersOf } = this.#parts;
    const found = envSecrets({ ...foldersOf(project), named: project.config.envFiles ?? [] });
    const latest = this.#latest.get(project.id) ?? new LatestRedactor((secrets) => new Redactor(secrets));
    this.#latest.set(project.id, latest);
    const redactor = latest.of([...own.all, ...found]);
    this.#redactors.set(project.id, redactor);
    return redactor;
  }
}

/** The secrets of each project are in the env files of its folders. */
export function secretsIn(
  { files, projects, workdirRecords }: Pick<Core, "files" | "projects" | "workdirRecords">,
  own: OwnSecrets,
): ProjectSecrets {
  return new ProjectSecrets({
    own,
    foldersOf: (project) => {
      const root = `${files.root}/${projectRoot(project.id)}`;
      const place = workdirRecords.placeOf(project);
      return { folders: typeof place === "string" ? [place, root] : [root], passedOver: filledByTheHall(root) };
    },
    find: (projectId) => projectOf({ projects }, projectId),
  });
}
