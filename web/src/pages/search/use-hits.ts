import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SearchHit } from "../../../../src/contract/routes.ts";
import { call } from "../../api/client.ts";

const PAUSE_MS = 150;

/** The value once it has not changed for a moment. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export interface Looking {
  q: string;
  kind?: SearchHit["kind"] | undefined;
  project?: string | undefined;
  limit: number;
}

/** Hits of the full-text index; those of before stay until there are others. */
export function useHits({ q, ...rest }: Looking) {
  const text = q.trim();
  return useQuery({
    queryKey: ["search", text, rest],
    queryFn: ({ signal }) => call("search", { query: { q: text, ...rest }, signal }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
}
