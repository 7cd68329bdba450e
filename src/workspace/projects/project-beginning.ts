import { basename, dirname } from "node:path";
import { AbsolutePath, ProjectJson, TAKEN_PROJECT_ID } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { BegunProject, ProjectBeginning, WelcomeFolder } from "../../contract/routes/welcome-routes.ts";
import { hint } from "../../contract/words/hint.ts";
import { line } from "../../contract/words/text.ts";
import type { Files } from "../../store/files/files.ts";
import { isFolder, isWithin, realPlaceOf } from "../../store/files/folders.ts";
import { glanceAt } from "../../store/files/listing/folder-glance.ts";
import type { Change } from "../change.ts";
import type { Hall } from "../hall/hall.ts";
import { PROJECTS_FOLDER } from "../layout.ts";
import { detectFolder } from "./folder-detection.ts";
import { slugOf } from "./project-rules.ts";

/** Templates of the roles that a first project gets: one who works and one who looks at it. */
export const PROPOSED_ROLES: readonly string[] = ["coder", "reviewer"];

const PAGE = 1_000;

export interface KnownProject {
  id: string;
  workdir?: string | undefined;
}

/** What a folder is looked at from. */
export interface Surroundings {
  home: string;
  /** The workspace. */
  root: string;
  /** Where this program lies: whoever starts it there does not mean it. */
  program: string;
  projects: readonly KnownProject[];
}

/**
 * The folder to begin with: the one given when it looks like a project, or the repository around it. None, when it is the
 * home folder or this program, holds the workspace, lies in it, or is a project's already.
 */
export function folderToBegin(start: string, around: Surroundings): WelcomeFolder | undefined {
  const home = realPlaceOf(around.home);
  const first = realPlaceOf(start);
  for (let path = first; path !== "/" && path !== home && path !== dirname(path); path = dirname(path)) {
    const glance = glanceAt(path);
    if (glance === undefined) return undefined;
    const { isProject, isGit, techStack } = detectFolder(glance);
    if (!isProject || (path !== first && !isGit)) continue;
    if (AbsolutePath.safeParse(path).data !== path || isTheHalls(path, around)) return undefined;
    if (projectAt(path, around.projects) !== undefined) return undefined;
    const name = nameOf(path);
    return { path, name, isGit, suggestedId: freeId(name, around.projects), techStack };
  }
  return undefined;
}

/**
 * Makes a project of a folder and assigns roles to it, made from templates where the hall has none of that name. All that
 * can be refused is refused before anything is made.
 */
export async function beginProject(
  hall: Hall,
  { path, id, name = nameOf(path), roles = [...PROPOSED_ROLES] }: ProjectBeginning,
  { change, home }: { change: Change; home: string },
): Promise<BegunProject> {
  const projects = knownProjects(hall);
  assertFolder(path, { home, projects });
  const wanted = [...new Set(roles)];
  const missing = wanted.filter((role) => !hasRole(hall, role));
  assertTemplates(hall, missing);
  const glance = glanceAt(path);
  const techStack = glance === undefined ? undefined : detectFolder(glance).techStack;
  const body = { id: id ?? freeId(name, projects), name, description: "", background: "", workdir: path };
  const project = await hall.projects.create({ ...body, template: "software", techStack }, change);
  return completeBeginning(hall, { projectId: project.id, roles: wanted }, change);
}

/** The rest of a beginning whose project is there, as far as it is not done. */
export async function completeBeginning(
  hall: Hall,
  { projectId, roles = [...PROPOSED_ROLES] }: { projectId: string; roles?: readonly string[] | undefined },
  { actor }: Pick<Change, "actor">,
): Promise<BegunProject> {
  for (const role of new Set(roles)) {
    if (!hasRole(hall, role)) await hall.roles.create({ template: role }, { actor }).catch(unlessThere);
    if (hall.team.list(projectId).some(({ roleId }) => roleId === role)) continue;
    const assignment = { roleId: role, status: "active", mode: "on-demand" } as const;
    await hall.team.create(projectId, assignment, { actor }).catch(unlessThere);
  }
  const { name, workdir = "", team } = hall.projects.get(projectId);
  return { projectId, name, workdir, roles: team.map(({ roleId }) => roleId) };
}

/** All projects that can be read. */
export function knownProjects(hall: Hall): KnownProject[] {
  const known: KnownProject[] = [];
  let cursor: string | undefined;
  do {
    const page = hall.projects.list({ limit: PAGE, cursor });
    for (const { id, status } of page.projects)
      known.push(status === "invalid" ? { id } : { id, workdir: hall.projects.get(id).workdir });
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return known;
}

function assertFolder(path: string, { home, projects }: Pick<Surroundings, "home" | "projects">): void {
  const refuse = (reason: string) =>
    new HallError("invalid", `path: can't create a project from '${path}': ${reason}.`, {
      hint: "Choose the folder with the code.",
    });
  if (!isFolder(path)) throw refuse("there is no such folder");
  const place = realPlaceOf(path);
  if (place === "/" || place === realPlaceOf(home)) throw refuse("it is the root or home folder");
  const taken = projectAt(place, projects);
  if (taken !== undefined)
    throw new HallError("already_exists", `'${path}' is the folder of project '${taken.id}' already.`, {
      hint: hint("project-show", { project: taken.id }),
    });
}

function assertTemplates(hall: Hall, ids: readonly string[]): void {
  const templates = hall.roles.templates().map((template) => template.id);
  const unknown = ids.find((id) => !templates.includes(id));
  if (unknown === undefined) return;
  throw new HallError(
    "template_not_found",
    `No role or template '${unknown}'. The templates are: ${templates.join(", ")}.`,
  );
}

function hasRole(hall: Hall, id: string): boolean {
  try {
    hall.roles.get(id);
    return true;
  } catch (error) {
    if (error instanceof HallError && error.code === "role_not_found") return false;
    throw error;
  }
}

/** Somebody else made the same a moment ago. */
function unlessThere(error: unknown): void {
  if (!(error instanceof HallError && error.code === "already_exists")) throw error;
}

function isTheHalls(path: string, { root, program }: Surroundings): boolean {
  return isWithin(path, root) || isWithin(root, path) || path === realPlaceOf(program);
}

function projectAt(path: string, projects: readonly KnownProject[]): KnownProject | undefined {
  return projects.find(({ workdir }) => workdir !== undefined && realPlaceOf(workdir) === path);
}

/** Of a folder whose name cannot be shown as it is, a plain word. */
function nameOf(path: string): string {
  return line(120).safeParse(basename(path)).data ?? "Project";
}

function freeId(name: string, projects: readonly KnownProject[]): string {
  const taken = new Set([TAKEN_PROJECT_ID, ...projects.map(({ id }) => id)]);
  const base = slugOf(name) ?? "project";
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** The projects of a workspace that nobody has open, from their files alone; nothing is written. */
export function projectsAtRest(files: Files): KnownProject[] {
  return files.folders(PROJECTS_FOLDER).map((id) => {
    const workdir = workdirIn(files, `${PROJECTS_FOLDER}/${id}/PROJECT.json`);
    return workdir === undefined ? { id } : { id, workdir };
  });
}

/** Of a file that cannot be read, nothing is known. */
function workdirIn(files: Files, path: string): string | undefined {
  try {
    return ProjectJson.safeParse(JSON.parse(files.text(path))).data?.workdir ?? undefined;
  } catch {
    return undefined;
  }
}
