import { type ChannelAddress, projectChannel } from "../../contract/documents/channel.ts";
import type { ChannelView, Conversation, Said, SessionPage, TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** Which messages of a channel are asked for. */
export interface MessageRange {
  after?: number | undefined;
  before?: number | undefined;
  limit: number;
}

/** What the server needs of the main agent, the agents of projects and their channels. */
export interface TalkDesk {
  /** Durable when it resolves. `wait`: seconds to wait for what comes of it. */
  say(
    to: ChannelAddress,
    words: { text: string; id?: string | undefined; client?: string | undefined },
    how: { wait: number; signal?: AbortSignal },
  ): Promise<Said>;
  conversation(of: ChannelAddress, range: MessageRange): Conversation;
  /** The listener must not throw. */
  subscribe(of: ChannelAddress, listener: (live: TalkLive) => void): () => void;
  /** Whether an answer was under way. */
  stop(of: ChannelAddress): Promise<boolean>;
  channels(): ChannelView[];
  /** Without a project, the main agent's. */
  session(
    projectId: string | undefined,
    range: { file?: string | undefined; before?: number | undefined; limit: number },
  ): SessionPage;
}

type TalkEndpoint =
  | "sendChat"
  | "listChat"
  | "stopChat"
  | "listChannels"
  | "getMainSession"
  | "messageProject"
  | "listProjectMessages"
  | "stopProjectAnswer"
  | "getProjectSession";

const success = true as const;

export function talkHandlers(desk: TalkDesk): HandlersOf<TalkEndpoint> {
  return {
    sendChat: async ({ body: { text, id, type, channel }, query: { wait }, change }) => ({
      success,
      ...(await desk.say(
        { type, id: channel },
        { text, id: id ?? change.request?.key, ...clientOf(change) },
        { wait },
      )),
    }),
    listChat: ({ query: { type, channel, ...range } }) => desk.conversation({ type, id: channel }, range),
    stopChat: async ({ body: { type, channel } }) => ({ success, stopped: await desk.stop({ type, id: channel }) }),
    listChannels: () => ({ channels: desk.channels() }),
    getMainSession: ({ query }) => desk.session(undefined, query),
    messageProject: async ({ params, body, query: { wait }, change }) => {
      const words = { text: body.text, id: body.id ?? change.request?.key, ...clientOf(change) };
      return { success, ...(await desk.say(projectChannel(params.id), words, { wait })) };
    },
    listProjectMessages: ({ params, query }) => desk.conversation(projectChannel(params.id), query),
    stopProjectAnswer: async ({ params }) => ({ success, stopped: await desk.stop(projectChannel(params.id)) }),
    getProjectSession: ({ params, query }) => desk.session(params.id, query),
  };
}

/** What a program says is not the person's word. */
function clientOf({ actor: { kind, id } }: Change): { client?: string } {
  return kind === "client" ? { client: id ?? "" } : {};
}
