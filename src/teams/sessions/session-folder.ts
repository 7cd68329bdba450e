import type { z } from "zod";
import { readPlan } from "../../agent/hand-ins/plan.ts";
import type { TeamPlan } from "../../contract/documents/teams/team-plan.ts";
import { SessionTeam } from "../../contract/documents/teams/team-session.ts";
import type { TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { Slug } from "../../contract/words/text.ts";
import { routeOf } from "../machine/routing.ts";
import { parseSpecText } from "../machine/spec-text.ts";
import { lintRoleSpec } from "../role-specs/lint.ts";
import { prefixOf, roleSpecFor } from "../role-specs/responsibility.ts";
import { changedIn } from "./changed-plan.ts";

/** Files of a session folder, by path. */
export type SessionFiles = Readonly<Record<string, string>>;

/** What keeps a session from being carried out. */
export interface SessionFault {
  path: string;
  line?: number;
  reason: string;
}

export interface SessionRoleSpec {
  name: string;
  prefix: string;
  text: string;
}

export interface Session {
  team: SessionTeam;
  spec: TeamSpec;
  plan: TeamPlan;
  roleSpecs: SessionRoleSpec[];
  /** Results and notes of the session's members so far, by path. */
  carried: Map<string, string>;
}

export type ReadSession = { ok: true; session: Session } | { ok: false; faults: SessionFault[] };

const TEAM = "team.json";
const SPEC = "spec.md";
const PLAN = "plan.json";
const ROLE_SPECS = "role-specs/";
/** What members of the session left for those after them. */
const CARRIED = /^(?:artifacts|wisdom)\//;
const PART = /^[A-Za-z0-9][\w.-]{0,100}$/;
const MOST_FOLDERS = 4;

type Add = (path: string, reason: string, line?: number) => void;

/**
 * Reads a session that is handed over. Everything that is missing or broken is named at once, and nothing is repaired: whoever wrote the
 * session knows what was meant. Pure. `roles`: those that a task may name. `unreadable`: parts that are there, and why they are not among the files.
 */
export function readSession(
  files: SessionFiles,
  { roles, unreadable = [] }: { roles: readonly string[]; unreadable?: readonly SessionFault[] },
): ReadSession {
  const faults: SessionFault[] = unreadable.map(({ path, reason }) => ({ path, reason }));
  const known = new Set(unreadable.map(({ path }) => path));
  const add: Add = (path, reason, line) => {
    if (!known.has(path)) faults.push({ path, reason, ...(line === undefined ? {} : { line }) });
  };
  const team = teamIn(files, add);
  const spec = specIn(files, add);
  const plan = planIn(files, { spec, roles }, add);
  const roleSpecs = roleSpecsIn(files, { unreadable: known }, add);
  if (plan !== undefined) checkPrefixes(plan, roleSpecs, add);
  const carried = new Map(Object.entries(files).filter(([path]) => CARRIED.test(path)));
  for (const [path, text] of carried)
    if (text.includes("\0")) add(path, "is not text");
    else if (!isCarried(path)) add(path, "can't be carried over: use letters, digits, '.', '_' and '-' in names");
  if (faults.length > 0 || team === undefined || spec === undefined || plan === undefined) return { ok: false, faults };
  return { ok: true, session: { team, spec, plan, roleSpecs: roleSpecs.good, carried } };
}

function isCarried(path: string): boolean {
  const parts = path.split("/");
  return parts.length <= MOST_FOLDERS + 1 && parts.every((part) => PART.test(part));
}

/** Undefined, and said so, where the file is missing or has nothing in it. */
function textIn(files: SessionFiles, path: string, add: Add): string | undefined {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text === undefined) add(path, "is missing");
  else if (text.trim() === "") add(path, "is empty");
  else return text;
  return undefined;
}

function jsonIn(files: SessionFiles, path: string, add: Add): unknown {
  const text = textIn(files, path, add);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    add(path, "is not valid JSON");
    return undefined;
  }
}

function teamIn(files: SessionFiles, add: Add): SessionTeam | undefined {
  const value = jsonIn(files, TEAM, add);
  if (value === undefined) return undefined;
  const read = SessionTeam.safeParse(value);
  if (read.success) return read.data;
  for (const issue of read.error.issues) add(TEAM, placed(issue));
  return undefined;
}

function placed({ path, message }: Pick<z.core.$ZodIssue, "path" | "message">): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

const NO_SPEC: TeamSpec = {
  ...{ title: "", goals: [], nonGoals: [], requirements: [], risks: [], definitionOfDone: [] },
};

function specIn(files: SessionFiles, add: Add): TeamSpec | undefined {
  const text = textIn(files, SPEC, add);
  if (text === undefined) return undefined;
  const read = parseSpecText(text, NO_SPEC);
  if ("spec" in read) return read.spec;
  for (const { line, reason } of read.faults) add(SPEC, reason, line);
  return undefined;
}

/** Without a spec, what the plan says about requirements can't be compared: the rest of it is checked. */
function planIn(
  files: SessionFiles,
  { spec, roles }: { spec: TeamSpec | undefined; roles: readonly string[] },
  add: Add,
): TeamPlan | undefined {
  const value = jsonIn(files, PLAN, add);
  if (value === undefined) return undefined;
  const plan = typeof value === "object" && value !== null && "plan" in value ? value.plan : value;
  const read = readPlan(plan, { spec, roles });
  // A lead may write a plan as it likes. What another team planned is carried out as it is, or not at all.
  const faults = read.ok ? changedIn(plan, read.value) : read.faults;
  for (const fault of faults) add(PLAN, fault);
  return read.ok && faults.length === 0 ? read.value : undefined;
}

interface ReadRoleSpecs {
  good: SessionRoleSpec[];
  /** Of all that say it, also of broken ones. */
  prefixes: string[];
  /** Whether each of them says its prefix: else what is missing is not known. */
  isWhole: boolean;
}

function roleSpecsIn(
  files: SessionFiles,
  { unreadable }: { unreadable: ReadonlySet<string> },
  add: Add,
): ReadRoleSpecs {
  const paths = Object.keys(files).filter((path) => path.startsWith(ROLE_SPECS));
  const good: SessionRoleSpec[] = [];
  const prefixes: string[] = [];
  for (const path of paths.toSorted()) {
    const name = path.slice(ROLE_SPECS.length).replace(/\.md$/, "");
    if (!path.endsWith(".md") || !Slug.safeParse(name).success) {
      add(path, "is no role-spec: the files there are named <role-name>.md, in lower case");
      continue;
    }
    const text = files[path] ?? "";
    const linted = lintRoleSpec(text, { name });
    for (const { rule, line, message, severity } of linted.faults)
      if (severity === "error") add(path, `${rule}: ${message}`, line);
    if (linted.fields !== undefined) prefixes.push(linted.fields.prefix);
    if (linted.good !== undefined) good.push({ name, prefix: linted.good.fields.prefix, text });
  }
  if (paths.length === 0) {
    const isOld = Object.keys(files).some((path) => path.startsWith("roles/"));
    add(ROLE_SPECS, isOld ? "is missing; roles/ is an older layout and is not read" : "is missing");
  }
  const isSent = ![...unreadable].some((path) => path.startsWith(ROLE_SPECS));
  return { good, prefixes, isWhole: isSent && paths.length > 0 && prefixes.length === paths.length };
}

/** Every task finds one role-spec by its prefix, and every role-spec has tasks. */
function checkPrefixes({ tasks }: TeamPlan, { good, prefixes, isWhole }: ReadRoleSpecs, add: Add): void {
  if (!isWhole) return;
  const isBroken = (prefix: string) => !good.some((one) => one.prefix === prefix);
  const used = new Set<string>();
  const collided = new Set<string>();
  for (const [at, task] of tasks.entries()) {
    const prefix = prefixOf(task, prefixes);
    const { roleId } = routeOf(task, "single");
    const found = roleSpecFor(good, { roleId, prefix });
    if (found !== undefined) used.add(found.name);
    else if (prefixes.includes(prefix)) {
      if (!isBroken(prefix)) collided.add(prefix);
    } else add(PLAN, `tasks.${at}: no role-spec has the prefix ${prefix} of '${task.key}'`);
  }
  for (const prefix of collided) {
    const paths = good.filter((one) => one.prefix === prefix).map(pathOf);
    for (const path of paths.slice(1))
      add(path, `prefix: ${paths[0]} has ${prefix}, too; a task must find one role-spec by its prefix`);
  }
  for (const one of good)
    if (!used.has(one.name) && !collided.has(one.prefix))
      add(pathOf(one), `prefix: no task of the plan has ${one.prefix}`);
}

function pathOf({ name }: SessionRoleSpec): string {
  return `${ROLE_SPECS}${name}.md`;
}
