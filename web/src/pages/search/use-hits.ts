import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import { call } from "../../api/client.ts";

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
