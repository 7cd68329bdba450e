import { z } from "zod";
import { HallEvent } from "../event.ts";
import { Slug } from "../words/text.ts";
import { MAX_LIMIT, page } from "./route-parts.ts";

export const AuditReport = z.strictObject({
  ok: z.boolean(),
  events: z.int(),
  days: z.int(),
  /** Journals of runs that are over, compared with what the log says of them. */
  journals: z.int(),
  /** Files of `costs/`, likewise. */
  ledgers: z.int(),
  head: z.string(),
  faults: z.array(z.strictObject({ file: z.string(), line: z.int(), reason: z.string() })),
});
export type AuditReport = z.infer<typeof AuditReport>;

export const eventRoutes = {
  listEvents: {
    summary:
      "Events after a sequence number, oldest first; or the newest with tail=N, or before a number with before=SEQ.",
    group: "Search and events",
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      tail: z.coerce.number().int().min(1).max(MAX_LIMIT).optional(),
      /** The newest before this number, as many as limit says. */
      before: z.coerce.number().int().min(1).optional(),
      limit: page.limit,
      project: Slug.optional(),
      actor: HallEvent.shape.actor.shape.kind.optional(),
      /** One or more, with commas between them; the part before the dot alone means all that begin with it. */
      type: z.string().max(1_000).optional(),
    }),
    response: z.strictObject({
      events: z.array(HallEvent),
      /** With before: the number to go on with, also where a filter let nothing through so far; absent at the beginning of the log. */
      earlier: z.int().optional(),
    }),
  },
  verifyAudit: { summary: "Check the hash chain of the event log.", group: "Search and events", response: AuditReport },
} as const;
