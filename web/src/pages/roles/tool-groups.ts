import { TOOLS, withImplied } from "../../../../src/contract/words/tool-names.ts";

interface ToolGroup {
  title: string;
  hint: string;
  /** Named when the box is ticked. */
  names: readonly string[];
}

/** What a tool lets an agent do, in the words a person would ask with. */
const GROUPS: readonly ToolGroup[] = [
  { title: "Read files", hint: "read, list, search", names: ["read", "list", "search"] },
  { title: "Change files", hint: "write, edit; on a branch or with a checkpoint", names: ["write", "edit"] },
  { title: "Run commands", hint: "exec, in the sandbox", names: ["exec"] },
  { title: "Search the web", hint: "web_search, web_fetch", names: ["web_search", "web_fetch"] },
  { title: "Use memory", hint: "project memory", names: ["memory"] },
  { title: "Use knowledge", hint: "project and workspace knowledge", names: ["knowledge"] },
  { title: "Start other agents", hint: "spawn_subagent", names: ["spawn_subagent"] },
  { title: "Notify you", hint: "notify", names: ["notify"] },
  { title: "Report a result", hint: "report", names: ["report"] },
];

export interface ToolBox {
  title: string;
  hint: string;
  isTicked: boolean;
  /** Why it cannot be unticked: `always`, or what brings it along. */
  lockedBy?: string;
  /** Of its tools the ones that are given, where not all are. */
  only: string[];
  /** `skills` with and without it. */
  ticked: string[];
  unticked: string[];
}

/** What agents with these `skills` may do, by the rule that their tools are found with. */
export function toolBoxes(skills: readonly string[]): ToolBox[] {
  const given = withImplied(skills);
  const always = withImplied([]);
  return GROUPS.map(({ title, hint, names }) => {
    const tools = toolsOf(names);
    const has = (all: readonly string[]) => tools.every((tool) => all.includes(tool));
    const unticked = skills.filter((skill) => !names.includes(skill) && !tools.includes(skill));
    const isLocked = has(withImplied(unticked));
    return {
      ...{ title, hint, unticked, ticked: [...unticked, ...names], isTicked: has(given) },
      ...(isLocked ? { lockedBy: has(always) ? "always" : `with ${bringing(unticked, has)}` } : {}),
      only: has(given) ? [] : tools.filter((tool) => given.includes(tool)),
    };
  });
}

/** Names such as memory are no tools, but stand for some. */
function toolsOf(names: readonly string[]): string[] {
  const always = withImplied([]);
  return withImplied(names).filter((name) => TOOLS.includes(name) && (names.includes(name) || !always.includes(name)));
}

function bringing(skills: readonly string[], has: (all: readonly string[]) => boolean): string {
  return skills.filter((skill) => has(withImplied([skill]))).join(", ") || "others";
}
