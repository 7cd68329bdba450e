/** Names of Claude Code's tools, which people know from there, and ours. */
const CLAUDE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  Bash: ["exec"],
  Read: ["read"],
  Write: ["write"],
  Edit: ["edit"],
  MultiEdit: ["edit"],
  Glob: ["list"],
  LS: ["list"],
  Grep: ["search"],
  Task: ["spawn_subagent"],
  Agent: ["spawn_subagent"],
  WebFetch: ["web_fetch"],
  WebSearch: ["web_search"],
  Skill: ["use_skill"],
};

/** What Claude Code calls one of our tools; its own name where there is no counterpart. */
export function claudeName(tool: string): string {
  return Object.entries(CLAUDE_TOOLS).find(([, ours]) => ours.includes(tool))?.[0] ?? tool;
}

/** `all`: every tool. Otherwise exact names. */
export type Matched = "all" | readonly string[];

/** A part that is more than a name, such as a pattern, matches every tool: a hook must not miss a call. */
export function matchedTools(matcher: string | undefined): Matched {
  if (matcher === undefined) return "all";
  const parts = matcher.split("|").map((part) => part.trim().replace(/^\^|\$$/g, ""));
  if (parts.some((part) => !NAME.test(part))) return "all";
  return [
    ...new Set(parts.flatMap((part) => (Object.hasOwn(CLAUDE_TOOLS, part) ? (CLAUDE_TOOLS[part] ?? []) : [part]))),
  ];
}

const NAME = /^[A-Za-z][\w-]*$/;

export function matches(matcher: string | undefined, tool: string): boolean {
  const tools = matchedTools(matcher);
  return tools === "all" || tools.includes(tool);
}

/** Names in a matcher that no tool has. */
export function unknownTools(matcher: string | undefined, known: readonly string[]): string[] {
  const tools = matchedTools(matcher);
  return tools === "all" ? [] : tools.filter((tool) => !known.includes(tool) && !tool.startsWith("mcp__"));
}
