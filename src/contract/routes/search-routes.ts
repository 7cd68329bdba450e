import { z } from "zod";
import { Slug } from "../words/text.ts";

export const SearchHit = z.strictObject({
  kind: z.enum(["task", "role", "project", "knowledge", "artifact", "context", "plan", "run", "escalation", "gate"]),
  projectId: z.string().optional(),
  id: z.string(),
  title: z.string(),
  snippet: z.string(),
  status: z.string().optional(),
  /** Who did it, or is to do it. */
  roleId: z.string().optional(),
  /** The task that a run or its artifact belongs to. */
  task: z.strictObject({ id: z.string(), title: z.string() }).optional(),
  /** When it last changed; of a run, when it ended. */
  updatedAt: z.string().optional(),
  /** Of words in a run: the entry of its transcript that holds them, counted from 0. */
  entry: z.int().optional(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const searchRoutes = {
  search: {
    summary:
      "Full-text search over tasks, roles, projects, knowledge, artifacts, context, plans, escalations, gate reports and the transcripts of ended runs.",
    group: "Search and events",
    query: z.strictObject({
      q: z.string().min(1).max(500),
      project: Slug.optional(),
      kind: SearchHit.shape.kind.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.strictObject({
      hits: z.array(SearchHit),
      /** Runs that are over and whose words are not searched yet; left out when there are none. */
      unread: z.int().optional(),
    }),
  },
} as const;
