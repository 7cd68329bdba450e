import type { BoardQuestion } from "../agent/tools/board-tools.ts";
import type { ChannelAddress } from "../contract/channel.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { ProjectCreate, ProjectStatus } from "../contract/project.ts";
import type { Run } from "../contract/run.ts";
import { isOver } from "../contract/run-status.ts";
import type { SessionMessage } from "../contract/session.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import type { AgentSpawns } from "./agent-spawns.ts";
import type { BoardDesk } from "./board-desk.ts";
import { type Exchange, following, idOf, MOST_HOPS, mayGoOn } from "./exchange.ts";
import { placeOf } from "./main-agent.ts";
import { projectChannel } from "./project-agents.ts";

const PROJECTS_SHOWN = 100;
const RUNS_SHOWN = 8;
const SAID_SHOWN = 4;
const LONGEST_SAID = 300;

export const MAIN: Actor = { kind: "agent", id: "main", via: "daemon" };

/** What a call of the main agent belongs to. */
export interface MainCall {
  message: SessionMessage;
  callId: string;
}

interface Parts {
  core: Core;
  hall: Hall;
  exchange: Exchange;
  board: BoardDesk;
  spawns: AgentSpawns;
  /** The main agent's own model. */
  model: () => string;
  /** Whether the person has named a folder to the main agent. */
  wasNamed: (path: string) => boolean;
}

/** What the main agent does to the hall, told in words. Rejects with HallError when something is refused. */
export class MainDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async createProject(body: ProjectCreate, { callId }: MainCall): Promise<string> {
    const { hall, wasNamed } = this.#parts;
    if (body.workdir !== undefined && !wasNamed(body.workdir))
      throw new HallError("forbidden", `The person has not named the folder '${body.workdir}'.`, {
        hint: "Ask the person for the folder; a project is given no folder that only an agent has named.",
      });
    const request = { key: `main-${callId}`, fingerprint: "" };
    const known = hall.replay(request);
    const id = known?.subjectId ?? (await hall.projects.create(body, { actor: MAIN, request })).id;
    return `Project '${id}' is active. Speak to its agent with reply(channelType "project", channelId "${id}").`;
  }

  listProjects(status: ProjectStatus | undefined): string {
    const { projects, nextCursor } = this.#parts.hall.projects.list({ status, limit: PROJECTS_SHOWN });
    if (projects.length === 0) return status === undefined ? "There is no project yet." : `No project is ${status}.`;
    const lines = projects.map(({ id, name, status: standing, taskCount: { todo, inProgress, review, done } }) => {
      const title = name === id ? "" : ` (${name})`;
      return `${id}${title}: ${standing}; tasks: ${todo} to do, ${inProgress} in progress, ${review} in review, ${done} done`;
    });
    return [...lines, ...(nextCursor === undefined ? [] : ["(and more)"])].join("\n");
  }

  projectStatus(id: string): string {
    const { core, hall, board, exchange } = this.#parts;
    const project = hall.projects.get(id);
    const runs = core.index.runs
      .list({ projectId: id, limit: RUNS_SHOWN })
      .map(({ run }) => `${run.id} ${run.roleId} "${run.title}": ${run.status}${isOver(run) ? "" : activityOf(run)}`);
    const said = exchange.channels
      .of(projectChannel(id))
      .page({ limit: SAID_SHOWN })
      .map(({ from, to, text, at }) => `${at.slice(0, 16)} ${from} to ${to}: ${text.slice(0, LONGEST_SAID)}`);
    const doing = exchange.doing(projectChannel(id));
    return [
      `${project.name} (${id}) is ${project.status}${project.workdir === undefined ? "" : `, works in ${project.workdir}`}.`,
      doing === undefined ? "Its agent is idle." : `Its agent: ${doing.activity}`,
      `Board: ${board.state(id, RUNS_SHOWN)}`,
      runs.length === 0 ? "No runs yet." : `Runs, newest first:\n${runs.join("\n")}`,
      ...(said.length === 0 ? [] : [`Said last:\n${said.join("\n")}`]),
    ].join("\n");
  }

  async moveProject(id: string, status: ProjectStatus): Promise<string> {
    const project = await this.#parts.hall.projects.move(id, status, { actor: MAIN });
    return `Project '${project.id}' is ${project.status} now.`;
  }

  /** The answer of a project comes later, as a message of its channel. */
  async reply(to: ChannelAddress, text: string, { message, callId }: MainCall): Promise<string> {
    const { exchange } = this.#parts;
    const draft = { id: idOf("reply", callId), from: "main" as const, text, ...following(message) };
    const isHere = to.type === message.channel.type && to.id === message.channel.id;
    const inReplyTo = isHere ? { inReplyTo: placeOf(message).messageId } : {};
    if (to.type === "project") {
      this.#assertReachable(to.id, message);
      await exchange.send(to, { ...draft, ...inReplyTo, to: "project" });
      return `Project '${to.id}' is told. Its answer will come as a message; end your turn if you need it to go on.`;
    }
    if (exchange.channels.of(to).lastSeq === 0)
      throw new HallError("invalid", `Nobody has ever spoken in the channel ${to.type} '${to.id}'.`, {
        hint: "Use the channel that stands in the heading of the person's message.",
      });
    await exchange.send(to, { ...draft, ...inReplyTo, to: "person" });
    return "It is said.";
  }

  spawn(
    given: { project: string; role: string; title: string; description: string },
    { message, callId }: MainCall,
  ): Promise<string> {
    const { project: projectId, ...work } = given;
    const { root, hops } = following(message);
    const asker = { agent: "main" as const, channel: message.channel, root, hops };
    return this.#parts.spawns.start({
      projectId,
      ...work,
      actor: MAIN,
      asker,
      callId: `main-${callId}`,
      model: this.#parts.model(),
    });
  }

  board(what: BoardQuestion, input: unknown, { callId }: MainCall): Promise<string> {
    const { project, ...question } = input as { project: string };
    return this.#parts.board.ask(what, question, { projectId: project, actor: MAIN, callId: `main-${callId}` });
  }

  #assertReachable(id: string, message: SessionMessage): void {
    const { status } = this.#parts.hall.projects.get(id);
    if (status !== "active")
      throw new HallError("project_closed", `Project '${id}' is ${status}; nobody is there to hear it.`, {
        hint: status === "archived" ? "An archived project stays as it is." : "Use resume_project first.",
      });
    if (!mayGoOn(message))
      throw new HallError("forbidden", `${MOST_HOPS} messages went back and forth without a word of the person.`, {
        hint: "Tell the person how it stands, and wait for them.",
      });
  }
}

function activityOf({ activity }: Run): string {
  return activity === undefined ? "" : `, ${activity}`;
}
