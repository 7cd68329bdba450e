import { readSession, type SessionLine } from "../agent/session-files.ts";
import type { ChannelAddress, ChannelMessage } from "../contract/documents/channel.ts";
import type { ChannelView, Conversation, SessionPage, TalkLive } from "../contract/routes/talk-routes.ts";
import type { ShownEntry } from "../contract/runs/session.ts";
import { commandIn } from "../contract/words/slash-commands.ts";
import { Files } from "../store/files/files.ts";
import type { NextId } from "../store/ids.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { projectRoot } from "../workspace/layout.ts";
import { assertActive } from "../workspace/projects/project-rules.ts";
import { type Exchange, idOf } from "./channels/exchange.ts";
import type { MainAgent } from "./main/main-agent.ts";
import type { ProjectAgents } from "./project-agents.ts";
import type { Command } from "./slash-commands.ts";

interface Parts {
  files: Files;
  hall: Hall;
  exchange: Exchange;
  main: Pick<MainAgent, "stop">;
  projects: Pick<ProjectAgents, "stop">;
  nextId: NextId;
  /** What is answered without a model; undefined for everything else. */
  command: (command: Command, to: ChannelAddress) => string | Promise<string> | undefined;
}

const STOPPED = "The person stopped the answer.";

/** What the person says and reads, over whichever channel. */
export class Talk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async say(
    to: ChannelAddress,
    {
      text,
      id = this.#parts.nextId(),
      forwarded,
      client,
    }: { text: string; id?: string | undefined; forwarded?: true | undefined; client?: string | undefined },
    { wait }: { wait: number },
  ): Promise<{ message: ChannelMessage; answers: ChannelMessage[]; isOpen: boolean }> {
    const { exchange } = this.#parts;
    if (to.type === "project") assertActive(this.#parts.hall.projects.get(to.id), "its agent is not running");
    // A command that somebody else wrote is no command.
    const isCommand = forwarded !== true;
    if (isCommand && commandIn(text) === "stop") return this.#stopAnswer(to, { id, text });
    const answer = isCommand ? await this.#commanded(to, { id, text, client }) : undefined;
    if (answer !== undefined) return this.answer(to, { id, text, answer });
    const mark = { ...(forwarded === undefined ? {} : { forwarded }), ...(client === undefined ? {} : { client }) };
    const draft = { id, from: "person" as const, text, root: id, hops: 0, ...mark };
    const message = await exchange.send(to, { ...draft, to: to.type === "project" ? "project" : "main" });
    await exchange.untilSettled(id, wait);
    const said = exchange.channels.of(to).page({ after: message.seq, limit: 200 });
    const answers = said.filter(({ root, to: hearer }) => root === id && hearer === "person");
    return { message, answers, isOpen: exchange.isOpen(id) };
  }

  conversation(
    of: ChannelAddress,
    range: { after?: number | undefined; before?: number | undefined; limit: number },
  ): Conversation {
    if (of.type === "project") this.#parts.hall.projects.get(of.id);
    const { exchange } = this.#parts;
    const file = exchange.channels.of(of);
    const doing = exchange.doing(of);
    const { lastSeq } = file;
    const messages = file.page(range);
    return {
      messages,
      lastSeq,
      isBusy: doing !== undefined,
      ...(doing === undefined ? {} : { activity: doing.activity }),
    };
  }

  subscribe(of: ChannelAddress, listener: (live: TalkLive) => void): () => void {
    return this.#parts.exchange.channels.subscribe(of, listener);
  }

  async stop(of: ChannelAddress): Promise<boolean> {
    if (of.type !== "project") return this.#parts.main.stop(of, STOPPED);
    this.#parts.hall.projects.get(of.id);
    return this.#parts.projects.stop(of.id, STOPPED);
  }

  channels(): ChannelView[] {
    return this.#parts.exchange.channels.views();
  }

  session(
    projectId: string | undefined,
    range: { file?: string | undefined; before?: number | undefined; limit: number },
  ): SessionPage {
    const { files, hall } = this.#parts;
    if (projectId !== undefined) hall.projects.get(projectId);
    const own =
      projectId === undefined ? files : new Files(`${files.root}/${projectRoot(projectId)}`, "private", "refused");
    const { file, lines, before, archives } = readSession(own, range);
    return {
      file,
      entries: lines.map(shownEntry),
      ...(before === undefined ? {} : { nextBefore: before }),
      archives: archives.map(({ file: name, size, at }) => ({ file: name, size, updatedAt: at })),
    };
  }

  /** Said again, as after a crash, it has the answer that it had. */
  async #commanded(to: ChannelAddress, command: Command): Promise<string | undefined> {
    if (commandIn(command.text) === undefined) return undefined;
    const before = this.#parts.exchange.channels.of(to).find(idOf("answer", command.id));
    return before?.text ?? this.#parts.command(command, to);
  }

  /** What the person said, and what the hall itself answers to it. */
  async answer(to: ChannelAddress, { id, text, answer }: { id: string; text: string; answer: string }) {
    const { exchange } = this.#parts;
    const message = await exchange.send(to, { id, from: "person", to: "hall", text, root: id });
    const draft = { id: idOf("answer", id), from: "hall" as const, to: "person" as const, text: answer };
    const said = await exchange.send(to, { ...draft, inReplyTo: id, root: id });
    return { message, answers: [said], isOpen: false };
  }

  /** Something that the hall says to the person by itself. Said again with the same id, it is said once. */
  async tell(
    to: ChannelAddress,
    draft: { id: string; text: string; escalations?: string[] | undefined },
  ): Promise<void> {
    await this.#parts.exchange.send(to, { ...draft, from: "hall", to: "person", root: draft.id });
  }

  /** Said again, as after a crash, it does not stop what was begun since. */
  async #stopAnswer(to: ChannelAddress, { id, text }: { id: string; text: string }) {
    const isKnown = this.#parts.exchange.channels.of(to).find(id) !== undefined;
    const stopped = !isKnown && (await this.stop(to));
    return this.answer(to, { id, text, answer: stopped ? "Answer stopped." : "No answer in progress." });
  }
}

/** Providers alone can read what is opaque, and it is long. */
function shownEntry({ offset, entry }: SessionLine): ShownEntry {
  if (entry.type !== "answer") return { offset, ...entry };
  const { thinking, calls, ...answer } = entry;
  return {
    ...{ offset, ...answer },
    ...(thinking && { thinking: thinking.map(({ opaque: _, ...thought }) => thought) }),
    ...(calls && { calls: calls.map(({ opaque: _, ...call }) => call) }),
  };
}
