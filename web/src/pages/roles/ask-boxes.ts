import { askedTools } from "../../../../src/contract/words/tool-names.ts";

interface AskGroup {
  title: string;
  hint: string;
  /** Named when the box is ticked. */
  names: readonly string[];
}

/** Tools by what a person would want to be asked about. */
const GROUPS: readonly AskGroup[] = [
  { title: "Running commands", hint: "exec", names: ["exec"] },
  { title: "Changing files", hint: "write, edit", names: ["write", "edit"] },
  { title: "Fetching web pages", hint: "web_fetch", names: ["web_fetch"] },
  { title: "Searching the web", hint: "web_search", names: ["web_search"] },
  { title: "Starting other agents", hint: "spawn_subagent", names: ["spawn_subagent"] },
  { title: "Reading files", hint: "read, list, search", names: ["read", "list", "search"] },
  { title: "Using memory", hint: "memory tools", names: ["memory"] },
  { title: "Using knowledge", hint: "knowledge tools", names: ["knowledge"] },
  { title: "Using skills", hint: "use_skill", names: ["use_skill"] },
];

export interface AskBox {
  title: string;
  hint: string;
  isTicked: boolean;
  /** The role asks already. */
  isInherited: boolean;
  /** `ask` with and without it. */
  ticked: string[];
  unticked: string[];
}

/** The boxes of a form. `inherited`: what the role asks before, which an assignment can add to but not take from. */
export function askBoxes(ask: readonly string[], inherited: readonly string[]): AskBox[] {
  const given = askedTools([...ask, ...inherited]);
  return GROUPS.map(({ title, hint, names }) => {
    const tools = askedTools(names);
    const unticked = ask.filter((name) => !names.includes(name) && !tools.includes(name));
    const some = tools.filter((tool) => given.includes(tool));
    const isTicked = some.length === tools.length;
    return {
      ...{ title, isTicked, unticked, ticked: [...unticked, ...names] },
      isInherited: tools.every((tool) => askedTools(inherited).includes(tool)),
      hint: isTicked || some.length === 0 ? hint : `${hint}; now only ${some.join(", ")}`,
    };
  });
}
