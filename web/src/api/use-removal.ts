import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { EndpointName } from "../../../src/contract/routes/endpoints.ts";
import type { Ask } from "./client.ts";
import { type Concerns, part } from "./parting.ts";
import { type Acting, useAct } from "./use-act.ts";

interface Removing<Name extends EndpointName> extends Pick<Acting<Name>, "done"> {
  concerns: Concerns;
  /** To where nothing shows it. Not called once the person has left by themselves. */
  leave: () => void;
}

/**
 * Deletes what the page shows, from a component that is there as long as that is shown. Nobody asks for it from the first moment
 * on; once it is gone the page is left, and when the page is gone too, what was known of it is forgotten. Refused, all is as it
 * was, with the failure as `error`.
 */
export function useRemoval<Name extends EndpointName>(name: Name, { concerns, leave, ...rest }: Removing<Name>) {
  const client = useQueryClient();
  const parting = useRef<{ end: () => void; isDone: boolean }>(undefined);
  const isShown = useRef(false);
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => concerns(queryKey);
  const end = () => {
    parting.current?.end();
    parting.current = undefined;
  };
  const forget = () => {
    end();
    client.removeQueries({ predicate });
  };
  const act = useAct(name, {
    ...rest,
    onDone: () => {
      if (!isShown.current) return forget();
      if (parting.current !== undefined) parting.current.isDone = true;
      leave();
    },
    onFailure: () => {
      end();
      void client.invalidateQueries({ predicate });
    },
  });
  const gone = useEffectEvent(() => {
    isShown.current = false;
    if (parting.current?.isDone === true) forget();
  });
  useEffect(() => {
    isShown.current = true;
    return () => gone();
  }, []);
  return {
    isPending: act.isPending,
    error: act.error,
    mutate: (ask: Ask<Name>) => {
      parting.current ??= { end: part(concerns), isDone: false };
      void client.cancelQueries({ predicate });
      act.mutate(ask);
    },
  };
}
