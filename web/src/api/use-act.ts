import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { EndpointName } from "../../../src/contract/endpoints.ts";
import type { RouteResponse } from "../../../src/contract/routes.ts";
import { connection } from "../live/connection.ts";
import { tell, tellFailure } from "../ui/toasts.tsx";
import { type Ask, call } from "./client.ts";
import { Repeats } from "./repeats.ts";

export interface Acting<Name extends EndpointName> {
  /** Said when it is done. */
  done?: string | ((answer: RouteResponse<Name>) => string);
  onDone?: (answer: RouteResponse<Name>) => void;
  /** Shows the failure itself; otherwise a notice does. */
  onFailure?: (error: unknown) => void;
}

/**
 * Something the person does. What it changes comes back over the stream like everybody's changes; what is shown is asked for
 * again all the same, because not all of it is an event. Boards are not while the stream lives: they may be long, and their
 * cards are kept true one by one. Hit twice, or again after the answer was lost, it is done once.
 */
export function useAct<Name extends EndpointName>(name: Name, { done, onDone, onFailure }: Acting<Name> = {}) {
  const client = useQueryClient();
  const [repeats] = useState(() => new Repeats());
  return useMutation({
    mutationFn: (ask: Ask<Name>) =>
      (call as (name: Name, ask: Ask<Name>) => Promise<RouteResponse<Name>>)(name, {
        idempotencyKey: repeats.keyFor(ask),
        ...ask,
      }),
    onSettled: (_, error) => repeats.settled(error),
    onSuccess: (answer) => {
      if (done !== undefined) tell(typeof done === "string" ? done : done(answer));
      onDone?.(answer);
      void client.invalidateQueries({
        predicate: ({ queryKey: [about] }) => about !== "cards" || connection.state !== "live",
      });
    },
    onError: onFailure ?? tellFailure,
  });
}

/** For forms, which show the mutation's `error` beside what was typed. */
export function shownInline(): void {}
