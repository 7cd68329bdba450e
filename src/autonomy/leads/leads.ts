import type { Lead } from "../../contract/documents/autonomy/lead.ts";
import type { Actor } from "../../contract/event.ts";

export interface LeadRequest {
  /** `lead-` and lower-case letters, digits or dashes. The same id again starts nothing more. */
  id: string;
  projectId: string;
  initiative: string;
  startedBy: Actor;
  why: string;
}

/** Project leads: a project's agent at work on one initiative. */
export interface Leads {
  /**
   * Starts the project's agent on an initiative, with a briefing made from records. Durable when it resolves. Rejects with HallError when
   * the project is not active, the initiative is unknown, paused or complete, has neither goals nor tasks, or already has a lead, or
   * when another lead of the project is working.
   */
  start(request: LeadRequest): Promise<Lead>;
  /** The newest first. */
  list(filter?: { projectId?: string | undefined }): Lead[];
  /** Ends the lead of an initiative, its answer and its runs; its teams are paused. Rejects with HallError when it has none. */
  stop(request: { projectId: string; initiative: string; actor: Actor }): Promise<Lead>;
}
