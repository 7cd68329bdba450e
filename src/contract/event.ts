import { z } from "zod";
import { EVENT_TYPES } from "./event-types.ts";

export type EventType = (typeof EVENT_TYPES)[number];

const Via = z.enum(["http", "cli", "file", "daemon", "telegram", "chat"]);
export type Via = z.infer<typeof Via>;

/** `client`: a program with a token of its own; `id` is its name. Of an agent, `id` is its run. */
export const Actor = z.strictObject({
  kind: z.enum(["person", "agent", "client", "daemon"]),
  id: z.string().optional(),
  via: Via,
});
export type Actor = z.infer<typeof Actor>;

const Subject = z.strictObject({
  kind: z.enum([
    "workspace",
    "role",
    "project",
    "assignment",
    "task",
    "initiative",
    "lead",
    "document",
    "file",
    "run",
    "provider",
    "device",
    "checkpoint",
    "skill",
    "escalation",
    "rule",
    "grant",
    "hook",
    "gate",
    "integration",
    "team",
    "trigger",
    "briefing",
    "orchestrator",
  ]),
  id: z.string(),
});
export type Subject = z.infer<typeof Subject>;

/** One fact in the log. `hash` covers every other field, `prev` included, so a changed or missing line shows. */
export const HallEvent = z.strictObject({
  seq: z.int().min(1),
  id: z.string(),
  at: z.iso.datetime(),
  type: z.enum(EVENT_TYPES),
  actor: Actor,
  projectId: z.string().optional(),
  subject: Subject,
  /** The file that holds the change and the etag it has after it; lets a restart tell what the index has not seen. */
  file: z.string().optional(),
  etag: z.string().optional(),
  before: z.record(z.string(), z.unknown()).optional(),
  after: z.record(z.string(), z.unknown()).optional(),
  why: z.string().optional(),
  /** The Idempotency-Key of the request, and the fingerprint of what it asked. */
  request: z.strictObject({ key: z.string(), fingerprint: z.string() }).optional(),
  prev: z.string(),
  hash: z.string(),
});
export type HallEvent = z.infer<typeof HallEvent>;
export type EventDraft = Omit<HallEvent, "seq" | "id" | "at" | "prev" | "hash">;
