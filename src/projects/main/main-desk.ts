import type { BoardQuestion } from "../../agent/tools/board-tools.ts";
import type { ChannelAddress } from "../../contract/documents/channel.ts";
import { projectChannel } from "../../contract/documents/channel.ts";
import type { Question } from "../../contract/documents/escalation.ts";
import {
  type BriefEdit,
  PROJECT_STATUSES,
  type ProjectCreate,
  type ProjectStatus,
  type ProjectSummary,
} from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { Now } from "../../contract/now.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import { activityWithHint } from "../../contract/words/activity-words.ts";
import type { Asking } from "../../runs/questions.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Decisions } from "../../workspace/policies/decisions.ts";
import { completeBeginning } from "../../workspace/projects/project-beginning.ts";
import { type Caller, refusalOf } from "../../workspace/rights.ts";
import type { AgentSpawns } from "../agent-spawns.ts";
import type { BoardDesk } from "../board-desk.ts";
import { type Exchange, following, idOf, MOST_HOPS, MOST_OF_ROOT, mayGoOn } from "../channels/exchange.ts";
import type { Moments } from "../moments.ts";
import { attentionText } from "./attention-text.ts";
import { spotOf } from "./main-session-id.ts";

const PROJECTS_SHOWN = 100;
const BLOCKED_SHOWN = 50;
const RUNS_SHOWN = 8;
const SAID_SHOWN = 4;
const LONGEST_SAID = 300;
/** To a person, over one message of theirs. */
const MOST_REPLIES = 30;

const MAIN: Actor = { kind: "agent", id: "main", via: "daemon" };

/** What a call of the main agent belongs to. */
export interface MainCall {
  message: SessionMessage;
  callId: string;
  caller: Caller;
}

interface Parts {
  core: Core;
  hall: Hall;
  exchange: Exchange;
  board: BoardDesk;
  moments: Pick<Moments, "shutdown">;
  spawns: AgentSpawns;
  now: () => Promise<Now>;
  /** The main agent's own model. */
  model: () => string;
  decisions: Pick<Decisions, "text">;
  questions: Asking;
  /** Hides secrets of a project, or the hall's own. */
  redact: <Value>(projectId: string | undefined, value: Value) => Value;
  /** Why a text does not name a folder that a project may be given; undefined when it does. */
  unnamed: (folder: string, text: string) => string | undefined;
}

/** What the main agent does to the hall, told in words. Rejects with HallError when something is refused. */
export class MainDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** With a team, so that its agent can have something done. Answers the id of the project. */
  async createProject(body: ProjectCreate, { message, callId, caller }: MainCall): Promise<string> {
    const { hall, unnamed } = this.#parts;
    const reason = body.workdir === undefined ? undefined : unnamed(body.workdir, message.text);
    if (body.workdir !== undefined && refusalOf(caller, "giveFolder", { isSaid: reason === undefined }) !== undefined)
      throw new HallError("forbidden", `A project can't use the folder '${body.workdir}': ${reason}.`, {
        hint: "Ask the person to write the folder in their next message.",
      });
    const request = { key: `main-${callId}`, fingerprint: "" };
    const known = hall.replay(request);
    const id = known?.subjectId ?? (await hall.projects.create(body, { actor: MAIN, request })).id;
    await completeBeginning(hall, { projectId: id }, { actor: MAIN });
    return id;
  }

  /** Where not all can be shown, those at work come first. `of`: nobody hears of others than these. */
  listProjects(status: ProjectStatus | undefined, words?: string, of?: ReadonlySet<string>): string {
    const { projects: all, left } = this.#projects(status, words);
    const projects = all.filter(({ id }) => of === undefined || of.has(id));
    const none = status === undefined ? "No projects yet." : `No project is ${status}.`;
    if (projects.length === 0) return words === undefined ? none : "No projects match.";
    const lines = projects.map(({ id, name, status: standing, taskCount }) => {
      const title = name === id ? "" : ` (${name})`;
      const { todo, inProgress, review, done, failed } = taskCount;
      const counts = `${todo} to do, ${inProgress} in progress, ${review} in review, ${failed} failed, ${done} done`;
      return `${id}${title}: ${standing}; tasks: ${counts}`;
    });
    return [...lines, ...(left ? ["(more projects; narrow list_projects by status or text)"] : [])].join("\n");
  }

  /** What the page Now shows, with blocked tasks. `of`: nobody hears of other projects than these. */
  async needsAttention(of?: ReadonlySet<string>): Promise<string> {
    const { hall, now } = this.#parts;
    const { tasks } = hall.tasks.list(undefined, { status: "blocked", sort: "updated", limit: BLOCKED_SHOWN });
    return attentionText(await now(), tasks, of);
  }

  #projects(status: ProjectStatus | undefined, q: string | undefined): { projects: ProjectSummary[]; left: boolean } {
    const { hall } = this.#parts;
    const page = (more: { status?: ProjectStatus | undefined; limit: number }) => hall.projects.list({ ...more, q });
    const all = page({ status, limit: PROJECTS_SHOWN });
    if (all.nextCursor === undefined || status !== undefined)
      return { projects: all.projects, left: all.nextCursor !== undefined };
    const projects: ProjectSummary[] = [];
    for (const next of PROJECT_STATUSES) {
      const limit = PROJECTS_SHOWN - projects.length;
      if (limit > 0) projects.push(...page({ status: next, limit }).projects);
    }
    return { projects, left: true };
  }

  projectStatus(id: string): string {
    const { core, hall, board, exchange } = this.#parts;
    const project = hall.projects.get(id);
    const runs = core.runs
      .list({ projectId: id, limit: RUNS_SHOWN })
      .map(({ run }) => `${run.id} ${run.roleId} "${run.title}": ${run.status}${isOver(run) ? "" : activityOf(run)}`);
    const said = exchange.channels
      .of(projectChannel(id))
      .page({ limit: SAID_SHOWN })
      .map(
        ({ from, to, text, at }) =>
          `${at.slice(0, 16)} ${from} to ${to}: ${text.slice(0, LONGEST_SAID).toWellFormed()}`,
      );
    const doing = exchange.doing(projectChannel(id));
    return [
      `${project.name} (${id}) is ${project.status}${project.workdir === undefined ? "" : `, works in ${project.workdir}`}.`,
      doing === undefined ? "Its agent is idle." : `Its agent: ${activityWithHint(doing.activity)}`,
      `Board: ${board.state(id, RUNS_SHOWN)}`,
      runs.length === 0 ? "No runs yet." : `Runs, newest first:\n${runs.join("\n")}`,
      ...(said.length === 0 ? [] : [`Latest messages:\n${said.join("\n")}`]),
    ].join("\n");
  }

  async describeProject(id: string, { section, text }: BriefEdit): Promise<string> {
    const { hall, redact } = this.#parts;
    await hall.projects.describe(id, { section, text: redact(id, text) }, { actor: MAIN });
    return `${section} of project '${id}' is replaced.`;
  }

  async moveProject(id: string, status: ProjectStatus): Promise<string> {
    const open = await this.#openIn(id, status);
    const project = await this.#parts.hall.projects.move(id, status, { actor: MAIN });
    const text = `Project '${project.id}' is ${project.status} now.`;
    return open === undefined ? text : `${text} Still open:\n${open}`;
  }

  /** What is open in a project that is to end its work. It does not prevent that; a hook of the person may. */
  async #openIn(projectId: string, status: ProjectStatus): Promise<string | undefined> {
    const { hall, moments } = this.#parts;
    const isEnding = status === "suspended" || status === "completed";
    if (!isEnding || hall.projects.get(projectId).status !== "active") return undefined;
    const objection = await moments.shutdown({ projectId, reason: status });
    if (objection !== undefined && !objection.isReminder) throw new HallError("hook_refused", objection.text);
    return objection?.text;
  }

  /** The answer of a project comes later, as a message of its channel. */
  async reply(to: ChannelAddress, text: string, { message, callId }: MainCall): Promise<string> {
    const { exchange } = this.#parts;
    const draft = { id: idOf("reply", callId), from: "main" as const, text, ...following(message) };
    const isHere = to.type === message.channel.type && to.id === message.channel.id;
    const inReplyTo = isHere ? { inReplyTo: spotOf(message).messageId } : {};
    if (to.type === "project") {
      this.#assertReachable(to.id);
      await this.#assertNotEnough(message);
      await exchange.send(to, { ...draft, ...inReplyTo, to: "project" });
      return `Project '${to.id}' has your message. Its answer arrives as a message; end your turn if you need it.`;
    }
    if (exchange.channels.of(to).lastSeq === 0)
      throw new HallError("invalid", `Unknown channel ${to.type} '${to.id}'.`, {
        hint: "Use the channel from the heading of the person's message.",
      });
    const said = exchange.channels.of(to).count(({ from, root }) => from === "main" && root === draft.root);
    if (said >= MOST_REPLIES)
      throw new HallError("forbidden", `You already sent ${said} replies to one message, which is the limit.`);
    await exchange.send(to, { ...draft, ...inReplyTo, to: "person" });
    return "Sent.";
  }

  async spawn(
    given: { project: string; role: string; title: string; description: string },
    { message, callId, caller }: MainCall,
  ): Promise<string> {
    const { project: projectId, role, ...task } = given;
    const { root, hops } = following(message);
    const asker = { agent: "main" as const, channel: message.channel, root, hops };
    const { text } = await this.#parts.spawns.start({
      ...{ projectId, role, task },
      actor: MAIN,
      caller,
      asker,
      callId: `main-${callId}`,
      model: this.#parts.model(),
      ask: message.ask,
    });
    return text;
  }

  /** Who decides what. */
  tiers(): string {
    return this.#parts.decisions.text();
  }

  async escalate(
    { project, ...question }: Question & { project?: string | undefined },
    { message, callId, caller }: MainCall,
  ): Promise<string> {
    const projectId = project ?? ("project" in caller ? caller.project : undefined);
    const { hall, questions, redact } = this.#parts;
    if (projectId !== undefined) hall.projects.get(projectId);
    const by = { kind: "main" as const, channel: message.channel, projectId };
    const asked = await questions.ask(redact(projectId, question), { ...by, callId: `main-${callId}` });
    return asked.state === "told" ? asked.text : "";
  }

  board(what: BoardQuestion, input: unknown, { callId }: MainCall): Promise<string> {
    const { project, ...question } = input as { project: string };
    return this.#parts.board.ask(what, question, { projectId: project, actor: MAIN, callId: `main-${callId}` });
  }

  #assertReachable(id: string): void {
    const { status } = this.#parts.hall.projects.get(id);
    if (status !== "active")
      throw new HallError("project_closed", `Project '${id}' is ${status}; its agent is not running.`, {
        hint: status === "archived" ? "An archived project can't be resumed." : "Use resume_project first.",
      });
  }

  /** Agents that answer each other come to an end, and the person hears of it. */
  async #assertNotEnough(message: SessionMessage): Promise<void> {
    const { exchange } = this.#parts;
    const root = message.root ?? message.id;
    const isSpent = exchange.isSpent(root);
    if (mayGoOn(message) && !isSpent) return;
    await exchange.tellEnough(root);
    const what = isSpent
      ? `${MOST_OF_ROOT} agent messages followed from the person's message, which is the limit.`
      : `${MOST_HOPS} messages were exchanged without the person, which is the limit.`;
    throw new HallError("forbidden", what, { hint: "Tell the person the current state, and wait for them." });
  }
}

function activityOf({ activity }: Run): string {
  return activity === undefined ? "" : `, ${activityWithHint(activity)}`;
}
