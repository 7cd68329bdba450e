import type { HandIn } from "./teams/team-words.ts";

/** In the order in which they are shown; all that touches a memory has one of these names. */
export const MEMORY_TOOLS: readonly string[] = [
  "memory_list",
  "memory_read",
  "memory_write",
  "memory_patch",
  "memory_append",
];
const KNOWLEDGE_TOOLS: readonly string[] = ["knowledge_search", "knowledge_add"];

/** Every agent can submit its result, notify the person and ask. */
const ALWAYS_TOOLS: readonly string[] = ["report", "notify", "escalate"];

/** Offered where the run has skill packs, whatever `skills` says. */
export const USE_SKILL = "use_skill";

/** How a reviewer of a quality gate hands its review in; no role can be given it. */
export const SUBMIT_REVIEW = "submit_review";

/** How runs of teams hand in what they were started for; no role can be given them. */
export const SUBMIT_TOOLS = {
  spec: "submit_spec",
  plan: "submit_plan",
  report: "submit_report",
  check: "submit_check",
  explore: "submit_findings",
  discuss: "submit_ratings",
  "spec-change": "submit_spec_change",
} as const satisfies Record<HandIn, string>;

/** The messages, memory and files of a team; its members have it, and no role can be given it. */
export const TEAM_MSG = "team_msg";

/** What members of teams have beside the tools of their role; no role can be given them. */
export const MEMBER_TOOLS: readonly string[] = [TEAM_MSG, "task_get", "delegate"];

/** A call of one lasts until the agent that it starts is done: meanwhile, the caller waits. */
export const WAITS_FOR_AGENT: readonly string[] = ["spawn_subagent", "delegate"];

/** Tools that agents have. */
export const TOOLS: readonly string[] = [
  ...["read", "write", "edit", "list", "search", "exec", "spawn_subagent"],
  ...["web_fetch", "web_search", ...MEMORY_TOOLS, ...KNOWLEDGE_TOOLS],
  ...ALWAYS_TOOLS,
];

/** Whoever may read, or run commands that do, may also look around; some names stand for several tools. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  read: ["list", "search"],
  exec: ["read", "list", "search"],
  memory: MEMORY_TOOLS,
  knowledge: KNOWLEDGE_TOOLS,
};

/** The tools an agent may be allowed; any other entry of `skills` names a skill pack and grants nothing by itself. */
export const KNOWN_TOOLS: readonly string[] = [...new Set([...TOOLS, ...Object.keys(IMPLIED), USE_SKILL])];

/** `skills` with all that it brings along. */
export function withImplied(skills: readonly string[]): string[] {
  return [...new Set([...skills, ...skills.flatMap((name) => IMPLIED[name] ?? []), ...ALWAYS_TOOLS])];
}

/**
 * What `ask` may name: tools, and the groups of memory and knowledge tools. Not those that every agent needs to submit its
 * result and to reach the person.
 */
export const ASKABLE_TOOLS: readonly string[] = [
  ...TOOLS.filter((name) => !ALWAYS_TOOLS.includes(name)),
  ...[USE_SKILL, "memory", "knowledge"],
];

/** The tools that `ask` names. A name that is a tool means that tool alone. */
export function askedTools(names: readonly string[]): string[] {
  const tools = [...TOOLS, USE_SKILL];
  return [...new Set(names.flatMap((name) => (tools.includes(name) ? [name] : (IMPLIED[name] ?? []))))];
}

/** Whether a name stands for other tools beside itself. */
export function isGroup(name: string): boolean {
  return Object.hasOwn(IMPLIED, name);
}
