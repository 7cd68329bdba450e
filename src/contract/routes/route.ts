import type { z } from "zod";

export type RouteGroup =
  | "Hall"
  | "Chat"
  | "Runs"
  | "Models"
  | "Roles"
  | "Projects"
  | "Team"
  | "Teams"
  | "Tasks"
  | "Escalations"
  | "Hooks"
  | "Permissions"
  | "Gates"
  | "Triggers"
  | "Orchestrator"
  | "Initiatives"
  | "Documents"
  | "Memory"
  | "Skills"
  | "Briefings and figures"
  | "Search and events";

export interface Route {
  summary: string;
  group: RouteGroup;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of a change: the document as it is read. Its other fields may be sent back beside those of the body, unchanged. */
  document?: z.ZodObject;
  /** Without one, every field has its default. */
  bodyOptional?: true;
  response: z.ZodType;
  status?: 200 | 201;
}
