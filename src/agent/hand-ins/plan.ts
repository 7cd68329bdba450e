import { TaskTypeInput } from "../../contract/documents/task.ts";
import { TASK_TYPES } from "../../contract/documents/task-status.ts";
import { TeamPlan } from "../../contract/documents/teams/team-plan.ts";
import type { TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { DOMAINS, type Domain, TEAM_LIMITS } from "../../contract/words/teams/team-words.ts";
import { classifyDomain } from "./classify-domain.ts";
import { cycleIn } from "./cycle.ts";
import { Faults, type Fields, isRecord, linesOf, listOf, oneLine, type Read, refused } from "./reading.ts";

interface Compared {
  /** Undefined where it can't be read: then nothing is said about requirements. */
  spec: TeamSpec | undefined;
  /** Roles that a task may name. */
  roles: readonly string[];
}

/** A task as it is read, before the whole was looked at. */
interface Draft {
  key: string;
  title: unknown;
  description: unknown;
  type: string;
  domain: Domain;
  requirements: string[];
  criteria: string[];
  phase: string;
  dependsOn: string[];
  role?: string;
  files: string[];
  sections?: unknown[];
  dimensions?: unknown[];
}

interface Reading {
  compared: Compared;
  faults: Faults;
  /** Ids of the phases, in order. */
  phases: readonly string[];
}

/** Reads a plan that a model sent, and checks it as a whole against the spec. */
export function readPlan(value: unknown, compared: Compared): Read<TeamPlan> {
  if (!isRecord(value)) return refused("input: must be an object with phases and tasks");
  const faults = new Faults();
  const entries = listOf(value.tasks);
  if (entries.length === 0) return refused("tasks: must have at least one task");
  if (entries.length > TEAM_LIMITS.tasks)
    return refused(`tasks: has ${entries.length} tasks; a plan has at most ${TEAM_LIMITS.tasks}`);
  const phases = phasesIn(value.phases, faults);
  const reading = { compared, faults, phases: phases.map(({ id }) => id) };
  const tasks = entries.map((entry, at) => draftOf(entry, at, reading));
  checkKeys(tasks, faults);
  checkOrder(tasks, reading);
  if (compared.spec !== undefined) checkCoverage(tasks, compared.spec, reading);
  return faults.judge(TeamPlan, { phases, tasks });
}

function phasesIn(value: unknown, faults: Faults): { id: string; name: unknown }[] {
  const entries = listOf(value);
  if (entries.length === 0) return [{ id: "work", name: "Work" }];
  const seen = new Set<string>();
  return entries.map((entry, at) => {
    const { id, name } = isRecord(entry) ? entry : { id: entry, name: entry };
    const slug = slugOf(id ?? name);
    if (slug === "") faults.add(`phases.${at}.id`, "is missing");
    else if (seen.has(slug)) faults.add(`phases.${at}.id`, `'${slug}' is used twice`);
    seen.add(slug);
    return { id: slug, name: oneLine(name ?? id) };
  });
}

function draftOf(entry: unknown, at: number, { compared, faults, phases }: Reading): Draft {
  const path = `tasks.${at}`;
  if (!isRecord(entry)) faults.add(path, "must be an object with key, title and requirements");
  const task: Fields = isRecord(entry) ? entry : {};
  const description = typeof task.description === "string" ? task.description : "";
  const title = oneLine(task.title);
  const type = typeOf(task, path, faults);
  const files = filesIn(task, path, faults);
  return {
    key: slugOf(task.key ?? task.id ?? `task-${at + 1}`),
    title,
    description,
    type,
    domain: domainOf(task, path, faults) ?? classifyDomain(`${title}\n${description}`),
    requirements: namesIn(task.requirements),
    criteria: namesIn(task.criteria),
    phase: phaseOf(task, { path, phases, faults }),
    dependsOn: [...new Set(listOf(task.dependsOn).map(slugOf))],
    ...roleOf(task, path, { roles: compared.roles, faults }),
    files,
    ...headingsIn(task),
  };
}

/** Headings that its document must have. */
function headingsIn(task: Fields): Pick<Draft, "sections" | "dimensions"> {
  const [sections, dimensions] = [linesOf(task.sections), linesOf(task.dimensions)];
  return {
    ...(sections.length === 0 ? {} : { sections }),
    ...(dimensions.length === 0 ? {} : { dimensions }),
  };
}

function typeOf({ type }: Fields, path: string, faults: Faults): string {
  const read = TaskTypeInput.safeParse(type ?? "other");
  if (!read.success) faults.add(`${path}.type`, `must be one of ${TASK_TYPES.join(", ")}`);
  return read.data ?? "other";
}

function domainOf({ domain }: Fields, path: string, faults: Faults): Domain | undefined {
  if (domain === undefined || domain === null || domain === "") return undefined;
  const named = String(domain).toLowerCase().replaceAll("-", "_");
  const found = DOMAINS.find((one) => one === named);
  if (found === undefined) faults.add(`${path}.domain`, `must be one of ${DOMAINS.join(", ")}`);
  return found;
}

function phaseOf(
  { phase }: Fields,
  { path, phases, faults }: { path: string; phases: readonly string[]; faults: Faults },
): string {
  const [only = ""] = phases;
  if (phase === undefined || phase === null || phase === "") {
    if (phases.length > 1) faults.add(`${path}.phase`, `is missing; the phases are ${phases.join(", ")}`);
    return only;
  }
  const slug = slugOf(phase);
  if (!phases.includes(slug))
    faults.add(`${path}.phase`, `unknown phase '${slug}'; the phases are ${phases.join(", ")}`);
  return slug;
}

function roleOf(
  { role }: Fields,
  path: string,
  { roles, faults }: { roles: readonly string[]; faults: Faults },
): { role?: string } {
  if (role === undefined || role === null || role === "") return {};
  const named = String(role).trim();
  if (roles.includes(named)) return { role: named };
  const known = roles.length === 0 ? "leave it out" : `the roles are ${roles.join(", ")}`;
  faults.add(`${path}.role`, `unknown role '${named}'; ${known}`);
  return {};
}

function filesIn({ files }: Fields, path: string, faults: Faults): string[] {
  return listOf(files).flatMap((file, at) => {
    const where = `${path}.files.${at}`;
    if (typeof file !== "string" || file.trim() === "") {
      faults.add(where, "must be a path");
      return [];
    }
    const named = file
      .trim()
      .replaceAll("\\", "/")
      .replace(/^(\.\/)+/, "");
    if (named.startsWith("/") || named.startsWith("~") || /^[a-z]:/i.test(named) || named.split("/").includes(".."))
      faults.add(where, `'${file.trim()}' is outside the repository; use paths relative to its root`);
    return [named];
  });
}

function checkKeys(tasks: readonly Draft[], faults: Faults): void {
  const seen = new Set<string>();
  for (const [at, { key }] of tasks.entries()) {
    if (seen.has(key)) faults.add(`tasks.${at}.key`, `'${key}' is used twice`);
    seen.add(key);
  }
}

function checkOrder(tasks: readonly Draft[], { faults, phases }: Reading): void {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const place = new Map(phases.map((id, at) => [id, at]));
  for (const [at, { key, phase, dependsOn }] of tasks.entries())
    for (const needed of dependsOn) {
      const other = byKey.get(needed);
      const path = `tasks.${at}.dependsOn`;
      if (other === undefined) faults.add(path, `unknown task '${needed}'`);
      else if (needed === key) faults.add(path, `'${key}' depends on itself`);
      else if ((place.get(other.phase) ?? 0) > (place.get(phase) ?? 0))
        faults.add(path, `'${needed}' is in the later phase '${other.phase}'`);
    }
  const cycle = cycleIn(new Map(tasks.map(({ key, dependsOn }) => [key, dependsOn.filter((one) => one !== key)])));
  if (cycle !== undefined) faults.add("tasks", `circular dependency: ${cycle.join(" → ")}`);
}

/** Every requirement has a task, and every criterion belongs to exactly one: the last that has its requirement, unless said. */
function checkCoverage(tasks: Draft[], spec: TeamSpec, { faults, phases }: Reading): void {
  const known = new Map(spec.requirements.map((requirement) => [requirement.id, requirement]));
  const owners = new Map<string, string>();
  const criteria = new Map(
    spec.requirements.flatMap(({ id, acceptance }) => acceptance.map((criterion) => [criterion.id, id] as const)),
  );
  for (const [at, task] of tasks.entries()) {
    for (const id of task.requirements)
      if (!known.has(id)) faults.add(`tasks.${at}.requirements`, `unknown requirement '${id}'`);
    for (const id of task.criteria) {
      const requirement = criteria.get(id);
      const owner = owners.get(id);
      if (requirement === undefined) faults.add(`tasks.${at}.criteria`, `unknown criterion '${id}'`);
      else if (owner !== undefined) faults.add(`tasks.${at}.criteria`, `${id} belongs to '${owner}' already`);
      else if (!task.requirements.includes(requirement)) task.requirements.push(requirement);
      owners.set(id, task.key);
    }
  }
  const inOrder = phases.flatMap((phase) => tasks.filter((task) => task.phase === phase));
  for (const { id, acceptance } of spec.requirements) {
    const last = inOrder.findLast(({ requirements }) => requirements.includes(id));
    if (last === undefined) faults.add("tasks", `no task covers ${id}`);
    for (const criterion of acceptance) if (!owners.has(criterion.id)) last?.criteria.push(criterion.id);
  }
}

function namesIn(value: unknown): string[] {
  return [...new Set(listOf(value).map((name) => String(name).trim().toUpperCase()))];
}

/** As models write names: `Task 1` is `task-1`. */
function slugOf(value: unknown): string {
  return String(value ?? "")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/[-_]{2,}/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "");
}
