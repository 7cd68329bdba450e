import {
  type Project,
  ProjectConfig,
  type ProjectCreate,
  type ProjectStatus,
  type ProjectUpdate,
} from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { withoutCredentials } from "../../contract/words/repository-address.ts";
import { Slug } from "../../contract/words/text.ts";
import { projectPaths } from "../layout.ts";
import { withReviewStated } from "../result-policy.ts";
import { dropUndefined } from "../tasks/task-file.ts";

const LEGAL_MOVES: Record<ProjectStatus, readonly ProjectStatus[]> = {
  active: ["suspended", "completed"],
  suspended: ["active", "completed"],
  completed: ["active", "archived"],
  archived: [],
};

export function assertLegalProjectMove(project: Pick<Project, "id" | "status">, to: ProjectStatus): void {
  const legal = LEGAL_MOVES[project.status];
  if (legal.includes(to)) return;
  const already =
    project.status === to
      ? `Project '${project.id}' is already ${to}.`
      : `Project '${project.id}' is ${project.status} and cannot become ${to}.`;
  const next = legal.length === 0 ? "An archived project can't be changed." : `It can become ${legal.join(" or ")}.`;
  throw new HallError("illegal_move", `${already} ${next}`);
}

/** Throws project_closed; `consequence` says what does not happen in a project that is not active. */
export function assertActive({ id, status }: Pick<Project, "id" | "status">, consequence: string): void {
  if (status === "active") return;
  const help = status === "suspended" ? { hint: hint("project-resume", { project: id }) } : {};
  throw new HallError("project_closed", `Project '${id}' is ${status}; ${consequence}.`, help);
}

/** The steps by which DELETE brings a project into the archive: only a completed one can be archived. */
export function stepsToArchive(status: ProjectStatus): ProjectStatus[] {
  switch (status) {
    case "archived":
      return [];
    case "completed":
      return ["archived"];
    default:
      return ["completed", "archived"];
  }
}

export function withStatus(project: Project, status: ProjectStatus, at: string): Project {
  return dropUndefined({
    ...project,
    status,
    suspendedAt: status === "suspended" ? at : project.suspendedAt,
    completedAt: status === "completed" ? at : status === "active" ? undefined : project.completedAt,
  }) as Project;
}

export function newProject(id: string, body: ProjectCreate, at: string): Project {
  const { name, description, model, workdir, techStack, goals } = body;
  const config = withPlainUrl(ProjectConfig.parse({ ...body.config, ...dropUndefined({ techStack, goals }) }));
  const fields = { id, name, description, status: "active", config, model, workdir, paths: projectPaths(id) };
  return withReviewStated(dropUndefined({ ...fields, team: [], createdAt: at, updatedAt: at }) as Project);
}

/** The project after a change of everything but its status. */
export function applyProjectUpdate(project: Project, body: ProjectUpdate): Project {
  const config = mergeConfig(project.config, {
    ...body.config,
    ...dropUndefined({ techStack: body.techStack, goals: body.goals }),
  });
  const after = dropUndefined({
    ...project,
    name: body.name ?? project.name,
    description: body.description ?? project.description,
    config,
    model: body.model === undefined ? project.model : (body.model ?? undefined),
    workdir: body.workdir === undefined ? project.workdir : (body.workdir ?? undefined),
  }) as Project;
  return withReviewStated(after);
}

function mergeConfig(config: ProjectConfig, change: NonNullable<ProjectUpdate["config"]>): ProjectConfig {
  const optional = (name: "repoUrl" | "branch" | "envFiles" | "mergeMethod" | "autonomy") =>
    change[name] === undefined ? config[name] : (change[name] ?? undefined);
  const budget = { ...config.budget, ...dropNull(change.budget ?? {}) };
  const after = dropUndefined({
    techStack: { ...config.techStack, ...dropUndefined(change.techStack ?? {}) },
    goals: change.goals ?? config.goals,
    scope: { ...config.scope, ...dropUndefined(change.scope ?? {}) },
    constraints: dropUndefined({ ...config.constraints, ...dropNull(change.constraints ?? {}) }),
    budget: Object.values(budget).some((limit) => limit !== undefined) ? dropUndefined(budget) : undefined,
    qualityGates: mergeGates(config.qualityGates, change.qualityGates),
    repoUrl: optional("repoUrl"),
    branch: optional("branch"),
    mergeMethod: optional("mergeMethod"),
    envFiles: optional("envFiles"),
    sandbox: mergePart(config.sandbox, change.sandbox),
    worktree: mergePart(config.worktree, change.worktree),
    autonomy: optional("autonomy"),
  }) as ProjectConfig;
  return withPlainUrl(after);
}

/** A password or token in the repository's address is not stored. */
function withPlainUrl(config: ProjectConfig): ProjectConfig {
  return config.repoUrl === undefined ? config : { ...config, repoUrl: withoutCredentials(config.repoUrl) };
}

/** What was taken away is left out. */
function dropNull<Value>(change: Record<string, Value | null>): Record<string, Value | undefined> {
  return Object.fromEntries(Object.entries(change).map(([key, value]) => [key, value ?? undefined]));
}

/** Null takes a setting away, or all of them. */
function mergePart<Part extends object>(
  settings: Part | undefined,
  change: { [Key in keyof Part]?: Part[Key] | null } | null | undefined,
): Part | undefined {
  if (change === undefined || change === null) return change === null ? undefined : settings;
  const entries = Object.entries({ ...settings, ...dropUndefined(change) }).filter(([, value]) => value !== null);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Part);
}

type Gates = ProjectConfig["qualityGates"];

/** Null takes a setting away, or all of them; commands and time limits change one by one. */
function mergeGates(settings: Gates, change: NonNullable<ProjectUpdate["config"]>["qualityGates"]): Gates {
  if (change === undefined || change === null) return change === null ? undefined : settings;
  const merged: Record<string, unknown> = { ...settings };
  for (const [key, value] of Object.entries(change)) {
    const isPart = typeof value === "object" && value !== null && !Array.isArray(value);
    const whole = isPart ? withChanges({ ...(merged[key] as object | undefined) }, value) : value;
    if (whole === null || whole === undefined || (isPart && Object.keys(whole).length === 0)) delete merged[key];
    else merged[key] = whole;
  }
  return Object.keys(merged).length === 0 ? undefined : (merged as Gates);
}

function withChanges(before: object, change: object): object {
  const entries = Object.entries({ ...before, ...dropUndefined(change) });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

const COMBINING = /\p{M}/gu;

/** A folder name for a title; undefined when nothing of it can stand in one. */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize("NFKD")
    .replace(COMBINING, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48)
    .replace(/-+$/, "");
  return Slug.safeParse(slug).success ? slug : undefined;
}
