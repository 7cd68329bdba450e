import type { Config } from "../../contract/documents/config.ts";
import type { Assignment, Project } from "../../contract/documents/project.ts";
import type { Resolved } from "../../contract/documents/rank.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { RunLimits, SpawnRequest } from "../../contract/runs/run.ts";
import { askedTools, isGroup, KNOWN_TOOLS, TOOLS, USE_SKILL, withImplied } from "../../contract/words/tool-names.ts";
import { resolveRank } from "../../models/team-models.ts";

export interface ResolveInput {
  role: Role;
  project: Project;
  assignment: Assignment | undefined;
  overrides: SpawnRequest["overrides"];
  config: Config;
  defaultModel: string;
  /** Why a model cannot be asked; undefined when it can. */
  whyNot: (model: string) => string | undefined;
  /** Why no commands are run; undefined when they are. */
  whyNoCommands?: string | undefined;
  /** It reviews a result: it is given no tool that could change it. */
  review?: { mayRunCommands: boolean } | undefined;
  /** It is given words from outside: it is given no tool that changes something, or that could send away what it reads. */
  isOutside?: boolean | undefined;
  /** The skill packs that it may use. */
  packs?: readonly string[] | undefined;
  /** Tools that the run which starts it asks about: what it can't do without consent, it can't have done by another. */
  inheritedAsk?: readonly string[] | undefined;
}

/** The first of the candidates that says something decides, and its name is kept as the reason. */
function first<Value>(candidates: [Value | undefined, string][]): Resolved<Value> | undefined {
  for (const [value, because] of candidates) if (value !== undefined) return { value, because };
  return undefined;
}

export function resolveModel(input: ResolveInput): Resolved<string> {
  const { role, project, assignment, overrides, defaultModel } = input;
  const named = (model: string | undefined) => (model === "default" ? undefined : model);
  const nearest = first([
    [named(overrides.model), "set by this request"],
    [named(assignment?.modelConfig?.model), "set by the assignment"],
    [named(project.model), "set by the project"],
  ]);
  if (nearest !== undefined) return nearest;
  const usual = first([[named(role.modelConfig.model), "set by the role"]]) ?? {
    value: defaultModel,
    because: "the default model",
  };
  return rankModel(input, usual);
}

/** A rank has a say only where the request names one. */
function rankModel({ overrides, config, whyNot }: ResolveInput, fallback: Resolved<string>): Resolved<string> {
  if (overrides.rank === undefined) return fallback;
  return resolveRank({ settings: config.agentTeams, preset: overrides.preset, whyNot }, overrides.rank, fallback);
}

export function resolveThinking({
  role,
  assignment,
  overrides,
}: ResolveInput): Resolved<Role["modelConfig"]["thinking"]> {
  return (
    first([
      [overrides.thinking, "set by this request"],
      [assignment?.modelConfig?.thinking, "set by the assignment"],
    ]) ?? { value: role.modelConfig.thinking, because: "set by the role" }
  );
}

export function resolveTimeout({ role, project, assignment, overrides }: ResolveInput): Resolved<number> {
  return (
    first([
      [overrides.timeout, "set by this request"],
      [assignment?.modelConfig?.timeout, "set by the assignment"],
      [project.config.constraints.defaultTimeout, "set by the project"],
    ]) ?? { value: role.modelConfig.timeout, because: "set by the role" }
  );
}

/** What there is in this hall; nobody searches the web unless it is said who does it. */
function availableTools({ web }: Config): Set<string> {
  return new Set(TOOLS.filter((name) => name !== "web_search" || web.search !== undefined));
}

/** What `skills` says: names of tools and of packs. */
function resolveNames({ role, assignment, overrides }: ResolveInput): Resolved<readonly string[]> {
  return (
    first<readonly string[]>([
      [overrides.skills, "set by this request"],
      [assignment?.skills, "set by the assignment"],
    ]) ?? { value: role.skills, because: "set by the role" }
  );
}

/** The names among them that are no tools, and so of packs. */
export function listedPacks(input: ResolveInput): string[] {
  return resolveNames(input).value.filter((name) => !isToolName(name));
}

function isToolName(name: string): boolean {
  return KNOWN_TOOLS.includes(name);
}

export function resolveTools(input: ResolveInput): Resolved<string[]> {
  const withheld = withheldFrom(input);
  const { value, because } = resolveNames(input);
  const reading = readingOf(input);
  const all = [...withImplied(value), ...reading];
  const available = new Set([...availableTools(input.config), ...reading]);
  const isOffered = (name: string) => available.has(name) && !withheld.has(name);
  return { value: [...new Set(all)].filter(isOffered), because: [because, ...lackingTools(input)].join("; ") };
}

/** Tools whose calls need consent. Everyone who has a say can only add to them. */
export function resolveAsk({ role, assignment, overrides, inheritedAsk = [] }: ResolveInput): string[] {
  const named = [...(role.ask ?? []), ...(assignment?.ask ?? []), ...(overrides.ask ?? [])];
  return [...new Set([...askedTools(named), ...inheritedAsk])];
}

/** What of the named tools a run is not given, each with the reason. */
export function lackingTools(input: ResolveInput): string[] {
  const { config, packs = [] } = input;
  const { value } = resolveNames(input);
  const available = new Set([...availableTools(config), ...readingOf(input), USE_SKILL, ...packs]);
  const without = value.filter((name) => !available.has(name) && !isGroup(name));
  const withheld = [...withheldFrom(input)].filter(([name]) => value.includes(name));
  return [...missing(without), ...withheld.map(([name, why]) => `${name} is not offered: ${why}`)];
}

/** It only reads, and only packs that were given to the run. */
function readingOf({ packs = [] }: ResolveInput): string[] {
  return packs.length === 0 ? [] : [USE_SKILL];
}

/** What a run has at most that is given words from outside. */
const OUTSIDE_TOOLS: ReadonlySet<string> = new Set([
  "read",
  "list",
  "search",
  "knowledge_search",
  "report",
  "notify",
  "escalate",
]);

/** Tools that a run is not given although its role has them, each with the reason. */
function withheldFrom({ review, whyNoCommands, isOutside }: ResolveInput): Map<string, string> {
  const withheld = new Map(whyNoCommands === undefined ? [] : [["exec", whyNoCommands]]);
  if (isOutside === true)
    for (const name of TOOLS)
      if (!OUTSIDE_TOOLS.has(name)) withheld.set(name, "words from outside only start runs that read");
  if (review === undefined) return withheld;
  for (const name of ["write", "edit", "spawn_subagent"]) withheld.set(name, "a review changes no files");
  if (!review.mayRunCommands && !withheld.has("exec"))
    withheld.set("exec", "the result is not on a branch of its own, and a command could change it");
  return withheld;
}

function missing(names: readonly string[]): string[] {
  const tools = names.filter(isToolName);
  const others = names.filter((name) => !isToolName(name));
  return [
    // Of those that are tools, only this one can be missing.
    ...(tools.length === 0
      ? []
      : [`${tools.join(", ")} is not offered: no search service is set up (web.search in config.yml)`]),
    ...(others.length === 0 ? [] : [`there is no tool or skill ${others.join(", ")}`]),
  ];
}

/** A run ends at these; at those of the budget it waits. */
export function resolveLimits({ project, config }: ResolveInput, seconds: number): RunLimits {
  const { maxTokensPerTask: tokens, maxToolCallsPerRun: toolCalls } = project.config.constraints;
  return {
    ...{ turns: config.limits.turns, seconds, repeats: 5 },
    ...(tokens === undefined ? {} : { tokens }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
  };
}
