import { z } from "zod";
import { Slug } from "./text.ts";

export const SearchHit = z.strictObject({
  kind: z.enum(["task", "role", "project", "knowledge", "artifact", "context", "plan", "run"]),
  projectId: z.string().optional(),
  id: z.string(),
  title: z.string(),
  snippet: z.string(),
  status: z.string().optional(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const searchRoutes = {
  search: {
    summary:
      "Full-text search over tasks, roles, projects, knowledge, artifacts, context, plans and runs that are over.",
    group: "Search and events",
    query: z.strictObject({
      q: z.string().min(1).max(500),
      project: Slug.optional(),
      kind: SearchHit.shape.kind.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.strictObject({ hits: z.array(SearchHit) }),
  },
} as const;
