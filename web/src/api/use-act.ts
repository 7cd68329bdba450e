import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { EndpointName } from "../../../src/contract/routes/endpoints.ts";
import type { RouteResponse } from "../../../src/contract/routes/routes.ts";
import { connection } from "../live/connection.ts";
import { tell, tellFailure } from "../ui/toasts.tsx";
import { type Ask, call } from "./client.ts";
import { failureOf, isAway } from "./failure.ts";
import { Repeats } from "./repeats.ts";

export interface Acting<Name extends EndpointName> {
  /** Said when it is done. */
  done?: string | ((answer: RouteResponse<Name>) => string);
  onDone?: (answer: RouteResponse<Name>) => void;
  /** For forms that show what was typed until the page has it: busy, and not `onSuccess` of the call, until then. */
  untilShown?: true;
  /** Shows the failure itself; otherwise a notice does. */
  onFailure?: (error: unknown, ask: Ask<Name>) => void;
}

/**
 * Something the person does. What it changes comes back over the stream like everybody's changes; what is shown is asked for
 * again all the same, because not all of it is an event. Boards are not while the stream lives: they may be long, and their
 * cards are kept true one by one. Hit twice, or again after the answer was lost, it is done once.
 */
export function useAct<Name extends EndpointName>(
  name: Name,
  { done, onDone, onFailure, untilShown }: Acting<Name> = {},
) {
  const client = useQueryClient();
  const [repeats] = useState(() => new Repeats());
  const act = useMutation({
    mutationFn: (ask: Ask<Name>) =>
      (call as (name: Name, ask: Ask<Name>) => Promise<RouteResponse<Name>>)(name, {
        idempotencyKey: repeats.keyFor(ask),
        ...ask,
      }),
    onSettled: (_, error) => repeats.settled(error),
    onSuccess: (answer) => {
      if (done !== undefined) tell(typeof done === "string" ? done : done(answer));
      onDone?.(answer);
      const shown = client.invalidateQueries({
        predicate: ({ queryKey: [about] }) => about !== "cards" || connection.state !== "live",
      });
      return untilShown && shown;
    },
    onError: onFailure ?? tellFailure,
  });
  useForgotten(act);
  return act;
}

/** That the daemon did not answer is no longer said when it does. */
function useForgotten({ error, reset }: { error: unknown; reset: () => void }): void {
  const forget = useEffectEvent(() => {
    if (connection.state === "live") reset();
  });
  const wasAway = isAway(error);
  useEffect(() => (wasAway ? connection.watch(() => forget()) : undefined), [wasAway]);
}

/** For forms, which show the mutation's `error` beside what was typed. */
export function shownInline(): void {}

/** For decisions: one that came too late is told in a notice, since the place it was made at is about to go. */
export function shownInlineUnlessLate(error: unknown): void {
  if (failureOf(error).code === "illegal_move") tellFailure(error);
}
