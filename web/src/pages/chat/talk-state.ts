import type { ChannelMessage } from "../../../../src/contract/documents/channel.ts";
import type { Conversation, TalkLive } from "../../../../src/contract/routes/talk-routes.ts";
import type { Activity } from "../../../../src/contract/runs/activity.ts";

/** What the person said that the daemon does not have yet. Its id stays the same with every try, so that it is said once. */
export interface Unsent {
  id: string;
  text: string;
  at: string;
  /** Absent: on its way. */
  why?: string | undefined;
}

export interface Answering {
  messageId: string;
  text: string;
  activity: Activity;
  /** What comes next belongs to the text so far; otherwise the agent did something in between, and begins anew. */
  isGoingOn: boolean;
}

/** Something about an answer that was not said by anybody. */
export interface Ending {
  messageId: string;
  outcome: Extract<TalkLive, { kind: "ended" }>["outcome"];
  error?: string | undefined;
}

export interface TalkState {
  /** Oldest first, each number once. */
  messages: readonly ChannelMessage[];
  hasOlder: boolean;
  answering: Answering | undefined;
  /** Of the newest answer that came to nothing. */
  ending: Ending | undefined;
}

export const NOTHING_SAID: TalkState = { messages: [], hasOlder: false, answering: undefined, ending: undefined };

export type TalkChange =
  | { is: "newest"; page: Conversation }
  | { is: "older"; page: Pick<Conversation, "messages"> }
  | { is: "heard"; live: TalkLive };

export function changeTalk(state: TalkState, change: TalkChange): TalkState {
  if (change.is === "newest") return withNewest(state, change.page);
  if (change.is === "older") return withOlder(state, change.page.messages);
  return withHeard(state, change.live);
}

/** The daemon's own word on how it stands: what was heard in between may have been lost. */
function withNewest(state: TalkState, { messages, isBusy, activity }: Conversation): TalkState {
  const first = messages[0]?.seq ?? 1;
  const last = state.messages.at(-1)?.seq ?? 0;
  // What lies between is not known: the older ones are asked for again when they are wanted.
  const isApart = state.messages.length > 0 && last < first - 1;
  const all = isApart ? [...messages] : merged(state.messages, messages);
  const answering = isBusy ? (state.answering ?? begun("", activity)) : undefined;
  return { ...state, messages: all, hasOlder: (all[0]?.seq ?? 1) > 1, answering };
}

function withOlder(state: TalkState, messages: readonly ChannelMessage[]): TalkState {
  const all = merged(state.messages, messages);
  return { ...state, messages: all, hasOlder: messages.length > 0 && (all[0]?.seq ?? 1) > 1 };
}

function withHeard(state: TalkState, live: TalkLive): TalkState {
  switch (live.kind) {
    case "message":
      return withMessage(state, live.message);
    case "begun":
      return { ...state, answering: begun(live.messageId, undefined), ending: undefined };
    case "restart":
      return { ...state, answering: begun(live.messageId, state.answering?.activity) };
    case "activity":
      return { ...state, answering: acting(state.answering, live) };
    case "delta":
      return { ...state, answering: grown(state.answering, live) };
    case "ended":
      return {
        ...state,
        answering: undefined,
        ending: live.outcome === "answered" ? undefined : live,
      };
    case "settled":
      return state;
  }
}

function withMessage(state: TalkState, message: ChannelMessage): TalkState {
  const isAnswer = message.from !== "person" && state.answering !== undefined;
  return {
    ...state,
    messages: merged(state.messages, [message]),
    ending: message.from === "person" ? undefined : state.ending,
    answering:
      isAnswer && state.answering !== undefined ? { ...state.answering, text: "", isGoingOn: false } : state.answering,
  };
}

function begun(messageId: string, activity: Activity | undefined): Answering {
  return { messageId, text: "", activity: activity ?? { kind: "thinking" }, isGoingOn: true };
}

function acting(
  before: Answering | undefined,
  { messageId, activity }: { messageId: string; activity: Activity },
): Answering {
  if (before?.messageId !== messageId) return begun(messageId, activity);
  return { ...before, activity, isGoingOn: activity.kind === "thinking" ? before.isGoingOn : false };
}

function grown(before: Answering | undefined, { messageId, text }: { messageId: string; text: string }): Answering {
  const answering = before?.messageId === messageId ? before : begun(messageId, undefined);
  return { ...answering, text: answering.isGoingOn ? answering.text + text : text, isGoingOn: true };
}

/** Most come at the end, one by one. */
function merged(known: readonly ChannelMessage[], found: readonly ChannelMessage[]): readonly ChannelMessage[] {
  const last = known.at(-1)?.seq ?? 0;
  if (found.every(({ seq }, at) => seq > (found[at - 1]?.seq ?? last))) return [...known, ...found];
  const bySeq = new Map(known.map((message) => [message.seq, message]));
  for (const message of found) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq);
}
