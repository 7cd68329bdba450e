import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import type { ChannelMessage } from "../../../../src/contract/documents/channel.ts";
import { failureOf } from "../../api/failure.ts";
import { randomKey } from "../../api/repeats.ts";
import { useLive, useTalk } from "../../live/use-live.ts";
import { tellFailure } from "../../ui/toasts.tsx";
import { useOutbox } from "./outbox.ts";
import { newestOf, PAGE, type TalkPlace } from "./talk-place.ts";
import { changeTalk, NOTHING_SAID } from "./talk-state.ts";

/** A conversation as it goes on, what of it is not delivered yet, and the ways to take part. */
export function useConversation(place: TalkPlace) {
  const client = useQueryClient();
  const query = useQuery(newestOf(place));
  const [state, change] = useReducer(changeTalk, NOTHING_SAID);
  const outbox = useOutbox(place.channel);
  const dropDelivered = useEffectEvent((messages: readonly ChannelMessage[]) => {
    for (const { id } of messages) if (outbox.unsent.some((one) => one.id === id)) outbox.take(id);
  });
  const { older, isLoadingOlder } = useOlder(place, (page) => change({ is: "older", page }));
  useEffect(() => {
    if (query.data === undefined) return;
    change({ is: "newest", page: query.data });
    dropDelivered(query.data.messages);
  }, [query.data]);
  useTalk(place.channel, (live) => {
    change({ is: "heard", live });
    if (live.kind === "message") outbox.take(live.message.id);
  });
  useLive(({ kind }) => {
    // The stream begins anew, and what was said before it did is not replayed.
    if (kind === "hello") void client.invalidateQueries({ queryKey: ["talk", place.channel] });
  });
  const send = async (id: string, text: string) => {
    const unsent = { id, text, at: new Date().toISOString() };
    outbox.put(unsent);
    try {
      const { message } = await place.say({ id, text });
      change({ is: "heard", live: { kind: "message", message } });
      outbox.take(id);
    } catch (error) {
      const { message, hint } = failureOf(error);
      outbox.put({ ...unsent, why: hint === undefined ? message : `${message} ${hint}` });
    }
  };
  return {
    query,
    state,
    outbox,
    isLoadingOlder,
    older: () => older(state.messages[0]?.seq),
    say: (text: string) => void send(`page-${randomKey()}`, text),
    again: (id: string, text: string) => void send(id, text),
    stop: () => void place.stop().catch(tellFailure),
  };
}

function useOlder(place: TalkPlace, found: (page: Awaited<ReturnType<TalkPlace["list"]>>) => void) {
  const [isLoadingOlder, setLoading] = useState(false);
  const isAsking = useRef(false);
  const older = async (before: number | undefined) => {
    if (isAsking.current || before === undefined || before <= 1) return;
    isAsking.current = true;
    setLoading(true);
    try {
      found(await place.list({ before, limit: PAGE }));
    } catch (error) {
      tellFailure(error);
    } finally {
      isAsking.current = false;
      setLoading(false);
    }
  };
  return { older: (before: number | undefined) => void older(before), isLoadingOlder };
}

export type Talking = ReturnType<typeof useConversation>;
