/** Tools of Claude Code and ours that do the same. */
const OURS: Record<string, string> = {
  Read: "read",
  Grep: "search",
  Glob: "list",
  LS: "list",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "write",
  Bash: "exec",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  Task: "spawn_subagent",
  Agent: "spawn_subagent",
};
const THEIRS: Record<string, readonly string[]> = {
  read: ["Read", "Glob", "Grep"],
  list: ["Glob"],
  search: ["Grep"],
  edit: ["Edit"],
  write: ["Write"],
  exec: ["Bash"],
  web_fetch: ["WebFetch"],
  web_search: ["WebSearch"],
  spawn_subagent: ["Task"],
};

export interface Translated {
  tools: string[];
  notes: string[];
}

/** A tool with a restriction is not taken over without it: that would allow more than the file does. */
export function toolsFrom(names: readonly string[]): Translated {
  const tools = names.flatMap((name) => (Object.hasOwn(OURS, name) ? [OURS[name] ?? ""] : []));
  const missing = names.filter((name) => !Object.hasOwn(OURS, name));
  const restricted = missing.filter((name) => /\(/.test(name));
  const unknown = missing.filter((name) => !restricted.includes(name));
  return {
    tools: [...new Set(tools)],
    notes: [
      ...(unknown.length === 0 ? [] : [`No equivalent tool for ${unknown.join(", ")}.`]),
      ...(restricted.length === 0
        ? []
        : [`Omitted, because tool restrictions of this kind are not supported: ${restricted.join(", ")}.`]),
    ],
  };
}

export function toolsTo(names: readonly string[]): Translated & { others: string[] } {
  const others = names.filter((name) => !Object.hasOwn(THEIRS, name));
  return { tools: [...new Set(names.flatMap((name) => THEIRS[name] ?? []))], others, notes: [] };
}
