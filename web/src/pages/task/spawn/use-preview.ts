import { useQuery } from "@tanstack/react-query";
import type { RouteBodyInput } from "../../../../../src/contract/routes/routes.ts";
import { call } from "../../../api/client.ts";

/** What the daemon would start, or why it would not, without starting it. */
export function usePreview(projectId: string, request: RouteBodyInput<"spawnInProject"> | undefined) {
  return useQuery({
    queryKey: ["preview", projectId, request],
    queryFn: async ({ signal }) => {
      if (request === undefined) return undefined;
      const params = { id: projectId };
      const answer = await call("spawnInProject", { params, query: { dryRun: "true" }, body: request, signal });
      return "plan" in answer ? answer.plan : undefined;
    },
    enabled: request !== undefined,
    placeholderData: (before) => before,
    retry: false,
    staleTime: 5_000,
  });
}
