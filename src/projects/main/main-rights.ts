import type { Tool, ToolOutcome } from "../../agent/tool.ts";
import { HallError } from "../../contract/errors.ts";
import { hintText } from "../../contract/words/hint.ts";
import { notesPath, projectOfNotes } from "../../workspace/knowledge/memory-rules.ts";
import { type Action, assertMay, type Caller, type Target } from "../../workspace/rights.ts";

type Input = Readonly<Record<string, unknown>>;
type Asked = { action: Action } & Target;

/** The turn a call is made in. */
export interface MainTurn {
  /** Asked for anew with each call: a project that was just made counts. */
  caller: () => Caller;
  /** Whether the message that is answered says a text word for word, in whole sentences. */
  isSaid: (text: string) => boolean;
  /** Whether it mentions an id. */
  isMentioned: (id: string) => boolean;
  /** Whether it says yes to a proposal of answers. */
  isConfirmed: (proposalId: string) => boolean;
}

type Question = { caller: Caller } & Omit<MainTurn, "caller">;

const ofProject =
  (action: Action, key: string) =>
  (input: Input): Asked => ({ action, project: textOf(input[key]) });
const always = (action: Action) => (): Asked => ({ action });

/** What each call of the main agent asks for. A tool that is not in here is not offered. */
const ASKED: Record<string, (input: Input, question: Question) => Asked> = {
  create_project: always("createProject"),
  list_projects: (_, { caller }) => ({ action: "listProjects", project: ownOf(caller) }),
  needs_attention: (_, { caller }) => ({ action: "listProjects", project: ownOf(caller) }),
  project_status: ofProject("readProject", "name"),
  edit_project: ofProject("describeProject", "name"),
  suspend_project: ofProject("moveProject", "name"),
  resume_project: ofProject("moveProject", "name"),
  complete_project: ofProject("moveProject", "name"),
  archive_project: ofProject("archiveProject", "name"),
  reply: (input) =>
    input.channelType === "project"
      ? { action: "messageProject", project: textOf(input.channelId) }
      : { action: "tell" },
  // Whether the role is of the team is asked where the run is started.
  spawn_subagent: ofProject("spawnTeamRole", "project"),
  escalate: (input, { caller }) => ({ action: "ask", project: textOf(input.project) ?? ownOf(caller) }),
  task_list: ofProject("readProject", "project"),
  task_get: ofProject("readProject", "project"),
  task_create: ofProject("changeBoard", "project"),
  task_update: ofProject("changeBoard", "project"),
  task_complete: ofProject("changeBoard", "project"),
  read: inFolder,
  list: inFolder,
  search: inFolder,
  memory_list: inMemory,
  memory_read: inMemory,
  memory_write: (_, { caller }) => ({ action: "writeMainMemory", project: ownOf(caller) }),
  memory_patch: (_, { caller }) => ({ action: "writeMainMemory", project: ownOf(caller) }),
  memory_append: (_, { caller }) => ({ action: "writeMainMemory", project: ownOf(caller) }),
  session_archive_read: always("readMainSession"),
  knowledge_add: (input, { isSaid }) =>
    input.project === undefined
      ? { action: "writeHallKnowledge", isSaid: isSaid(textOf(input.text) ?? "") }
      : { action: "writeProjectKnowledge", project: textOf(input.project) },
  knowledge_promote: (input, { isMentioned }) => ({
    action: "writeHallKnowledge",
    isSaid: isMentioned(textOf(input.id) ?? ""),
  }),
  knowledge_search: ofProject("readProject", "project"),
  use_skill: always("readMainMemory"),
  list_escalations: (_, { caller }) => ({ action: "listProjects", project: ownOf(caller) }),
  // A proposal only tells the person something; no other turn is about their answers.
  answer_escalations: (_, { caller }) => ({ action: caller.kind === "mainForPerson" ? "tell" : "answer" }),
  confirm_answers: (input, { isConfirmed }) => ({
    action: "answer",
    isConfirmed: isConfirmed(textOf(input.proposalId) ?? ""),
  }),
};

/** The tools of the main agent as they are in one turn: each call is checked against the table before it is carried out. */
export function underRights(tools: readonly Tool[], { caller, ...words }: MainTurn): Tool[] {
  return tools.map((tool) => {
    const asked = ASKED[tool.spec.name];
    if (asked === undefined) throw new Error(`No rights are defined for ${tool.spec.name}.`);
    return {
      ...tool,
      run: async (text, use) => {
        const input = parsed(text);
        // The tool itself says what is wrong with it.
        if (input === undefined) return tool.run(text, use);
        const by = caller();
        try {
          const { action, ...target } = asked(input, { caller: by, ...words });
          assertMay(by, action, target);
          return await tool.run(kept(tool.spec.name, input, by) ?? text, use);
        } catch (error) {
          return refused(error);
        }
      },
    };
  });
}

/** What a project says is kept in a file of that project's, wherever the agent wants it; undefined: as it is. */
function kept(name: string, input: Input, caller: Caller): string | undefined {
  if (caller.kind !== "mainForProject" || !name.startsWith("memory_")) return undefined;
  if (name === "memory_append") return JSON.stringify({ ...input, path: notesPath(caller.project) });
  if (name === "memory_write" || name === "memory_patch")
    throw new HallError("forbidden", `You can't change your memory in a turn about project '${caller.project}'.`, {
      hint: "Use memory_append; it marks the text as the project's words.",
    });
  return undefined;
}

/**
 * Paths are those of the workspace. The files themselves are opened without links and without '..', so that a path is in the
 * project that it names; one that names none is of all.
 */
function inFolder(input: Input): Asked {
  return { action: "readProject", project: projectIn(textOf(input.path) ?? ".") };
}

function inMemory(input: Input): Asked {
  const path = textOf(input.path) ?? "";
  const project = projectIn(path);
  if (project !== undefined) return { action: "readProject", project };
  const noted = projectOfNotes(path.replace(/^(?:\.\/)?(?:memory\/)?/, ""));
  return noted === undefined ? { action: "readMainMemory" } : { action: "readNotes", project: noted };
}

/** The project that a path of the workspace is in. */
function projectIn(path: string): string | undefined {
  return /^(?:\.\/)*projects\/+([^/]+)(?:\/|$)/.exec(path)?.[1];
}

function ownOf(caller: Caller): string | undefined {
  return "project" in caller ? caller.project : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function parsed(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null ? (value as Input) : undefined;
  } catch {
    return undefined;
  }
}

function refused(error: unknown): ToolOutcome {
  if (!(error instanceof HallError)) throw error;
  return { output: `${error.message} ${hintText(error.hint)}`.trimEnd(), failed: true };
}
