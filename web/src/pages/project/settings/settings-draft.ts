import { MERGE_METHODS } from "../../../../../src/contract/documents/merge-method.ts";
import type { ProjectView } from "../../../../../src/contract/routes/project-routes.ts";
import type { RouteBodyInput } from "../../../../../src/contract/routes/routes.ts";
import { AUTONOMY } from "../../../../../src/contract/words/autonomy/orchestrator-words.ts";
import { minutesOf, secondsOf } from "../../../ui/text/minutes.ts";

/** The settings of a project as a person writes them. */
export interface SettingsDraft {
  name: string;
  description: string;
  workdir: string;
  model: string;
  goals: string;
  scopeIn: string;
  scopeOut: string;
  languages: string;
  frameworks: string;
  tools: string;
  requireReview: boolean;
  /** Minutes. */
  defaultTimeout: string;
  maxTokensPerTask: string;
  maxToolCallsPerRun: string;
  repoUrl: string;
  branch: string;
  mergeMethod: string;
  autonomy: string;
  envFiles: string;
  network: string;
  readable: string;
  writable: string;
  memoryMb: string;
  processes: string;
  unsandboxed: boolean;
  setup: string;
  teardown: string;
  setupTimeout: string;
}

type Update = RouteBodyInput<"updateProject">;
type Config = NonNullable<Update["config"]>;

export function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

function wordsOf(text: string): string[] {
  return text.split(/[,\n]/).flatMap((word) => word.trim() || []);
}

const written = (value: number | string | undefined) => (value === undefined ? "" : String(value));

export function draftOf({ name, description, workdir, model, config, requiresReview }: ProjectView): SettingsDraft {
  const { goals, scope, techStack, constraints, sandbox = {}, worktree = {} } = config;
  return {
    name,
    description,
    workdir: workdir ?? "",
    model: model ?? "",
    goals: goals.join("\n"),
    scopeIn: scope.in.join("\n"),
    scopeOut: scope.out.join("\n"),
    languages: techStack.languages.join(", "),
    frameworks: techStack.frameworks.join(", "),
    tools: techStack.tools.join(", "),
    requireReview: requiresReview,
    defaultTimeout: minutesOf(constraints.defaultTimeout),
    maxTokensPerTask: written(constraints.maxTokensPerTask),
    maxToolCallsPerRun: written(constraints.maxToolCallsPerRun),
    repoUrl: config.repoUrl ?? "",
    branch: config.branch ?? "",
    mergeMethod: config.mergeMethod ?? "",
    autonomy: config.autonomy ?? "",
    envFiles: (config.envFiles ?? []).join("\n"),
    network: sandbox.network === undefined ? "" : sandbox.network ? "yes" : "no",
    readable: (sandbox.readable ?? []).join("\n"),
    writable: (sandbox.writable ?? []).join("\n"),
    memoryMb: written(sandbox.memoryMb),
    processes: written(sandbox.processes),
    unsandboxed: sandbox.unsandboxed ?? false,
    setup: (worktree.setup ?? []).join("\n"),
    teardown: (worktree.teardown ?? []).join("\n"),
    setupTimeout: written(worktree.timeoutSeconds),
  };
}

const text = (value: string) => value.trim() || null;
const list = (value: string) => (linesOf(value).length === 0 ? null : linesOf(value));
const number = (value: string) => (value.trim() === "" ? null : Number(value));

/** Where each field goes, and how what was written is said there. */
const PLACES: { [Key in keyof SettingsDraft]: (value: SettingsDraft[Key]) => Update } = {
  name: (name) => ({ name }),
  description: (description) => ({ description }),
  workdir: (workdir) => ({ workdir: text(workdir) }),
  model: (model) => ({ model: text(model) }),
  goals: (goals) => ({ config: { goals: linesOf(goals) } }),
  scopeIn: (lines) => ({ config: { scope: { in: linesOf(lines) } } }),
  scopeOut: (lines) => ({ config: { scope: { out: linesOf(lines) } } }),
  languages: (words) => ({ config: { techStack: { languages: wordsOf(words) } } }),
  frameworks: (words) => ({ config: { techStack: { frameworks: wordsOf(words) } } }),
  tools: (words) => ({ config: { techStack: { tools: wordsOf(words) } } }),
  requireReview: (requireReview) => ({ config: { constraints: { requireReview } } }),
  defaultTimeout: (value) => ({ config: { constraints: { defaultTimeout: secondsOf(value) ?? null } } }),
  maxTokensPerTask: (value) => ({ config: { constraints: { maxTokensPerTask: number(value) } } }),
  maxToolCallsPerRun: (value) => ({ config: { constraints: { maxToolCallsPerRun: number(value) } } }),
  repoUrl: (value) => ({ config: { repoUrl: text(value) } }),
  branch: (value) => ({ config: { branch: text(value) } }),
  mergeMethod: (value) => ({ config: { mergeMethod: MERGE_METHODS.find((method) => method === value) ?? null } }),
  autonomy: (value) => ({ config: { autonomy: AUTONOMY.find((level) => level === value) ?? null } }),
  envFiles: (value) => ({ config: { envFiles: list(value) } }),
  network: (value) => ({ config: { sandbox: { network: value === "" ? null : value === "yes" } } }),
  readable: (value) => ({ config: { sandbox: { readable: list(value) } } }),
  writable: (value) => ({ config: { sandbox: { writable: list(value) } } }),
  memoryMb: (value) => ({ config: { sandbox: { memoryMb: number(value) } } }),
  processes: (value) => ({ config: { sandbox: { processes: number(value) } } }),
  unsandboxed: (value) => ({ config: { sandbox: { unsandboxed: value || null } } }),
  setup: (value) => ({ config: { worktree: { setup: list(value) } } }),
  teardown: (value) => ({ config: { worktree: { teardown: list(value) } } }),
  setupTimeout: (value) => ({ config: { worktree: { timeoutSeconds: number(value) } } }),
};

/** Only what the person changed, so that what others changed meanwhile in other fields stays. Nothing: there is no change. */
export function changeOf(before: SettingsDraft, after: SettingsDraft): Update | undefined {
  const keys = (Object.keys(PLACES) as (keyof SettingsDraft)[]).filter((key) => before[key] !== after[key]);
  if (keys.length === 0) return undefined;
  return keys.map((key) => placed(key, after)).reduce(joined, {});
}

/** What others made of the fields that the person is changing, in words. */
export function overtakenBy(now: SettingsDraft, from: Partial<SettingsDraft>, typed: Partial<SettingsDraft>): string[] {
  const keys = Object.keys(typed) as (keyof SettingsDraft)[];
  return keys
    .filter((key) => now[key] !== from[key] && now[key] !== typed[key])
    .map((key) => `${key} is now: ${String(now[key]) || "empty"}`);
}

function placed<Key extends keyof SettingsDraft>(key: Key, draft: SettingsDraft): Update {
  return PLACES[key](draft[key]);
}

function joined(one: Update, other: Update): Update {
  if (one.config === undefined || other.config === undefined) return { ...one, ...other };
  return { ...one, ...other, config: joinedConfig(one.config, other.config) };
}

function joinedConfig(one: Config, other: Config): Config {
  const both: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other))
    both[key] = isRecord(value) && isRecord(both[key]) ? { ...both[key], ...value } : value;
  return both as Config;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
