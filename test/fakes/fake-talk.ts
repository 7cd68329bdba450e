import type { ChannelAddress, ChannelMessage } from "../../src/contract/documents/channel.ts";
import { HallError } from "../../src/contract/errors.ts";
import type { TalkLive } from "../../src/contract/routes/talk-routes.ts";
import type { TalkDesk } from "../../src/server/handlers/talk-handlers.ts";

export interface FakeTalk extends TalkDesk {
  /** As if somebody had said or done it. */
  tell(live: TalkLive): void;
  readonly messages: ChannelMessage[];
}

/** Keeps what is said, and answers with the same words. Knows one project, `alpha`. */
export function fakeTalk(): FakeTalk {
  const messages: ChannelMessage[] = [];
  const listeners = new Set<(live: TalkLive) => void>();
  const tell = (live: TalkLive) => {
    if (live.kind === "message") messages.push(live.message);
    for (const listener of listeners) listener(live);
  };
  const assertKnown = ({ type, id }: ChannelAddress) => {
    if (type === "project" && id !== "alpha") throw new HallError("project_not_found", `There is no project '${id}'.`);
  };
  const add = (message: Omit<ChannelMessage, "seq" | "at">) => {
    const said = { seq: messages.length + 1, at: "2026-03-01T12:00:00.000Z", ...message };
    tell({ kind: "message", message: said });
    return said;
  };
  return {
    messages,
    tell,
    say: async (to, { text, id = `m${messages.length + 1}` }) => {
      assertKnown(to);
      const message = add({ id, from: "person", to: to.type === "project" ? "project" : "main", text });
      const answer = add({ id: `answer-${id}`, from: to.type === "project" ? "project" : "main", to: "person", text });
      return { message, answers: [answer], isOpen: false };
    },
    conversation: (of, { after = 0, limit }) => {
      assertKnown(of);
      const shown = messages.filter(({ seq }) => seq > after).slice(0, limit);
      return { messages: shown, lastSeq: messages.length, isBusy: false };
    },
    subscribe: (_, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async (of) => {
      assertKnown(of);
      return false;
    },
    channels: () => [],
    session: () => ({ file: "current.jsonl", entries: [], archives: [] }),
  };
}
