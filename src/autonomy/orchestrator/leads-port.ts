import type { Actor } from "../../contract/event.ts";

/** A project's agent at work on one initiative, as the orchestrator sees it. */
export interface KnownLead {
  id: string;
  projectId: string;
  initiative: string;
  status: "working" | "waiting" | "idle" | "failed" | "stopped";
  /** Why it ended without a report. */
  cause?: string | undefined;
  error?: string | undefined;
  endedAt?: string | undefined;
  report?: { summary: string } | undefined;
}

/** What the orchestrator needs of leads. */
export interface LeadsPort {
  /** The same id again starts nothing more. Rejects with HallError where it can't be started. */
  start(request: {
    id: string;
    projectId: string;
    initiative: string;
    startedBy: Actor;
    why: string;
  }): Promise<unknown>;
  /** The newest first. */
  list(): readonly KnownLead[];
  /** Whether leads of this project that this party started had this run or team started. */
  hasBegun(projectId: string, work: { treeId?: string; teamId?: string }, startedBy: string): boolean;
  /** Those that work or wait. */
  live(): readonly (Pick<KnownLead, "id" | "projectId" | "initiative" | "status"> & { startedBy: string })[];
}

export function isAtWork({ status }: Pick<KnownLead, "status">): boolean {
  return status === "working" || status === "waiting";
}
