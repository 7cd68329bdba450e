import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";

/** Who calls: decided by the daemon from the message a turn answers, or the process a question comes from. */
export const CALLERS = {
  person: "the person",
  client: "a client with a token of its own",
  mainForPerson: "main agent, answering the person",
  mainForProject: "main agent, answering a project",
  mainForOthers: "main agent, reading a forwarded message",
  projectAgent: "a project's agent",
  run: "a run",
  stranger: "a stranger",
} as const;
export type CallerKind = keyof typeof CALLERS;

/** What a cell of the table says. */
export const RIGHTS = {
  yes: "always",
  named: "only for a project that the person's message names, or for the only project there is",
  asked: "for all projects; if the person's message names some, for those",
  own: "only for its own project, or the one it answers",
  quoted: "saved in a separate file as that project's words, and shown as a quote",
  said: "only what the person's message says word for word, in whole sentences",
  confirmed: "only what it proposed before, when the person's next message says yes to it",
  weaker: "only a role with no more tools than the run itself has",
  others: "only for the work of others: not for what it did or started itself",
  no: "never",
} as const;
export type Right = keyof typeof RIGHTS;

type Row = Record<CallerKind, Right> & { what: string };

/** A client may do what its token lets it ask for, like the person, as long as nothing else is said. */
const NO_AGENT = {
  person: "yes",
  client: "yes",
  mainForPerson: "no",
  mainForProject: "no",
  mainForOthers: "no",
  projectAgent: "no",
  run: "no",
  stranger: "no",
} as const satisfies Record<CallerKind, Right>;

/** What a caller may do, on which projects. Whatever is not in here, no agent has a tool for. */
export const ACTIONS = {
  listProjects: {
    ...NO_AGENT,
    what: "list projects",
    mainForPerson: "yes",
    mainForProject: "own",
  },
  readProject: {
    ...NO_AGENT,
    what: "read a project's board, files, knowledge, memory and conversation",
    mainForPerson: "asked",
    mainForProject: "own",
    projectAgent: "own",
    run: "own",
  },
  createProject: { ...NO_AGENT, what: "create a project", mainForPerson: "yes" },
  giveFolder: { ...NO_AGENT, what: "choose a project's folder and sandbox", client: "no", mainForPerson: "said" },
  describeProject: {
    ...NO_AGENT,
    what: "rewrite a section of a project's PROJECT.md",
    mainForPerson: "named",
  },
  moveProject: {
    ...NO_AGENT,
    what: "suspend, resume or complete a project",
    mainForPerson: "named",
    mainForProject: "own",
  },
  archiveProject: { ...NO_AGENT, what: "archive a project", mainForPerson: "named" },
  purgeProject: { ...NO_AGENT, what: "remove a project with its files", client: "no" },
  messageProject: {
    ...NO_AGENT,
    what: "send a message to a project's agent",
    mainForPerson: "named",
    mainForProject: "own",
  },
  tell: {
    ...NO_AGENT,
    what: "tell the person or the main agent something",
    mainForPerson: "yes",
    mainForProject: "yes",
    mainForOthers: "yes",
    projectAgent: "yes",
    run: "yes",
  },
  spawnTeamRole: {
    ...NO_AGENT,
    what: "start a run with a role of the project's team",
    mainForPerson: "named",
    mainForProject: "own",
    projectAgent: "own",
    run: "own",
  },
  spawnOtherRole: {
    ...NO_AGENT,
    what: "start a run with another role",
    mainForPerson: "named",
    run: "weaker",
  },
  changeBoard: {
    ...NO_AGENT,
    what: "change a project's tasks and plans",
    mainForPerson: "named",
    mainForProject: "own",
    projectAgent: "own",
  },
  writeProjectKnowledge: {
    ...NO_AGENT,
    what: "add to a project's knowledge",
    mainForPerson: "named",
    mainForProject: "own",
    projectAgent: "own",
    run: "own",
  },
  writeHallKnowledge: { ...NO_AGENT, what: "add to the knowledge of all projects", mainForPerson: "said" },
  writeProjectMemory: {
    ...NO_AGENT,
    what: "write a project's memory",
    projectAgent: "own",
    run: "own",
  },
  readMainMemory: {
    ...NO_AGENT,
    what: "read the main agent's own memory",
    mainForPerson: "yes",
    mainForProject: "yes",
    mainForOthers: "yes",
  },
  readNotes: {
    ...NO_AGENT,
    what: "read what the main agent noted from a project",
    mainForPerson: "asked",
    mainForProject: "own",
  },
  readMainSession: { ...NO_AGENT, what: "read the main agent's earlier conversation", mainForPerson: "yes" },
  writeMainMemory: {
    ...NO_AGENT,
    what: "write the main agent's memory",
    mainForPerson: "yes",
    mainForProject: "quoted",
  },
  changeFiles: {
    ...NO_AGENT,
    what: "change files and run commands in a project's folder, as the role allows",
    run: "own",
  },
  decide: {
    ...NO_AGENT,
    what: "approve, request changes to, discard, revert or roll back results",
    client: "others",
  },
  ask: {
    ...NO_AGENT,
    what: "ask the person a question, or for a decision",
    mainForPerson: "yes",
    mainForProject: "own",
    projectAgent: "own",
    run: "own",
  },
  answer: {
    ...NO_AGENT,
    what: "answer, dismiss, snooze or reopen escalations, change rules for answers, and accept knowledge",
    client: "no",
    mainForPerson: "confirmed",
  },
  waive: {
    ...NO_AGENT,
    what: "waive findings of quality gates, approve results that did not pass them, and change how a project's gates judge",
    client: "no",
  },
  acceptSkills: { ...NO_AGENT, what: "accept skills, instructions and hooks, and test or switch hooks", client: "no" },
  skipReview: { ...NO_AGENT, what: "turn off the review of a project's results", client: "no" },
  manageKeys: { ...NO_AGENT, what: "set or remove API keys, and change settings of config.yml", client: "no" },
  setBudget: { ...NO_AGENT, what: "change budgets and prices", client: "no" },
  administer: { ...NO_AGENT, what: "change roles, teams and triggers", client: "no" },
  editProject: { ...NO_AGENT, what: "change a project's other settings" },
  testModels: { ...NO_AGENT, what: "test models and providers", client: "no" },
  listFolders: { ...NO_AGENT, what: "list the folders of this machine", client: "no" },
  stopDaemon: { ...NO_AGENT, what: "stop or restart the daemon, or rebuild its index", client: "no" },
} as const satisfies Record<string, Row>;
export type Action = keyof typeof ACTIONS;

export type Caller =
  | { kind: "person" | "client" | "stranger" }
  /** `made`: in this very turn. `only`: the one project there is, when there is one only. */
  | { kind: "mainForPerson"; named: ReadonlySet<string>; made: ReadonlySet<string>; only: string | undefined }
  | { kind: "mainForOthers" }
  | { kind: "mainForProject" | "projectAgent" | "run"; project: string };

export interface Target {
  project?: string | undefined;
  /** For what the person has to say themselves: whether they did. */
  isSaid?: boolean | undefined;
  /** For what was proposed to the person: whether they said yes to it. */
  isConfirmed?: boolean | undefined;
  /** Of a role for a run that a run starts. */
  isWeaker?: boolean | undefined;
  /** Of a result: whether the caller did it, or had it done. */
  isOwnWork?: boolean | undefined;
}

export type Refusal = "never" | "not_own" | "not_named" | "not_said" | "not_confirmed" | "not_weaker" | "own_work";

/** Undefined when the call is allowed. */
export function refusalOf(caller: Caller, action: Action, target: Target = {}): Refusal | undefined {
  const right: Right = ACTIONS[action][caller.kind];
  switch (right) {
    case "yes":
      return undefined;
    case "no":
      return "never";
    case "own":
    case "quoted":
      return isOwn(caller, target) ? undefined : "not_own";
    case "weaker":
      if (!isOwn(caller, target)) return "not_own";
      return target.isWeaker === true ? undefined : "not_weaker";
    case "others":
      return target.isOwnWork === false ? undefined : "own_work";
    case "said":
      return target.isSaid === true ? undefined : "not_said";
    case "confirmed":
      return target.isConfirmed === true ? undefined : "not_confirmed";
    case "named":
      return isNamed(caller, target) ? undefined : "not_named";
    case "asked":
      return isAsked(caller, target) ? undefined : "not_named";
  }
}

/** Throws what an agent can understand and act on. */
export function assertMay(caller: Caller, action: Action, target: Target = {}): void {
  const refusal = refusalOf(caller, action, target);
  if (refusal === undefined) return;
  const { message, hint } = wordsOf(refusal, { caller, what: ACTIONS[action].what, project: target.project });
  throw new HallError("forbidden", message, { hint });
}

/** Of what belongs to no project: refuses whoever the action is not meant for. */
export function assertActorMay({ kind }: Actor, action: Action): void {
  const caller: Caller =
    kind === "agent" ? { kind: "run", project: "" } : { kind: kind === "daemon" ? "stranger" : kind };
  const refusal = refusalOf(caller, action);
  if (refusal === undefined) return;
  const hint = "Use the dashboard, the command line or the workspace's own token.";
  throw new HallError("forbidden", `Only the person who runs Guildhall can ${ACTIONS[action].what}.`, { hint });
}

/** The projects of which a caller may read; undefined: of all. */
export function readableBy(caller: Caller): ReadonlySet<string> | undefined {
  if (caller.kind === "person" || caller.kind === "client") return undefined;
  if (caller.kind === "mainForPerson")
    return caller.named.size === 0 ? undefined : new Set([...caller.named, ...caller.made]);
  return new Set("project" in caller ? [caller.project] : []);
}

function isOwn(caller: Caller, { project }: Target): boolean {
  return "project" in caller && caller.project === project;
}

function isNamed(caller: Caller, { project }: Target): boolean {
  if (caller.kind !== "mainForPerson" || project === undefined) return false;
  return caller.named.has(project) || caller.made.has(project) || caller.only === project;
}

function isAsked(caller: Caller, { project }: Target): boolean {
  const readable = readableBy(caller);
  return readable === undefined || (project !== undefined && readable.has(project));
}

function wordsOf(refusal: Refusal, of: { caller: Caller; what: string; project: string | undefined }) {
  const { caller, what, project } = of;
  const other = project === undefined ? "" : ` (project '${project}')`;
  switch (refusal) {
    case "never":
      return {
        message: `You can't ${what} in this turn${other}.`,
        hint: "Tell the person what you would do; they decide.",
      };
    case "not_own":
      return {
        message: `You can't ${what} of another project${other}: this turn is about project '${"project" in caller ? caller.project : ""}'.`,
        hint: "Tell the person what you would do; they decide.",
      };
    case "not_named":
      return {
        message: `You can't ${what}${other}: the person's message doesn't name that project.`,
        hint: "Ask the person to name the project in their next message.",
      };
    case "not_said":
      return {
        message: `You can't ${what}: the person's message doesn't say this word for word.`,
        hint: "Ask the person to write it in their next message.",
      };
    case "not_confirmed":
      return {
        message: `You can't ${what}: the person's message doesn't say yes to that proposal, and nothing else.`,
        hint: "Use answer_escalations to show the person what would be recorded, and end your turn.",
      };
    case "own_work":
      return {
        message: `You can't decide about work that you did or started yourself${other}.`,
        hint: "Let the person decide, or someone who had no part in it.",
      };
    case "not_weaker":
      return {
        message: `You can't ${what}: it has tools that you don't have${other}.`,
        hint: "Use a role of the project's team.",
      };
  }
}
