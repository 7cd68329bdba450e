import type { Escalation } from "../../contract/documents/escalation.ts";
import type { Needed, Reviewable } from "../../runs/admin/attention.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { QueueNotes } from "../../workspace/escalations/queue-notes.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { ActionPorts } from "./derived-actions.ts";
import { DerivedQueue } from "./derived-desk.ts";
import { QueueList } from "./queue-list.ts";

export interface QueueParts {
  core: Core;
  hall: Hall;
  /** What the person snoozed or dismissed. */
  notes: QueueNotes;
  runs: {
    desk: ActionPorts["runs"] & { review: { restore(id: string, change: Change): Promise<unknown> } };
    admin: Pick<ActionPorts, "skills" | "instructions"> & {
      needed(): Promise<{ needed: Needed[]; reviews: Reviewable[] }>;
      nextCallUsd(runId: string): number | null | undefined;
    };
  };
  /** Hides secrets of the workspace and of a project. */
  redact: (text: string, projectId: string | undefined) => string;
  shown: (stored: StoredEscalation) => Escalation;
}

/** What waits for the person: documents, and what is derived from the state of the workspace. */
export function openQueue({ core, hall, notes, runs, redact, shown }: QueueParts) {
  const { needed, nextCallUsd, skills, instructions } = runs.admin;
  const derived = new DerivedQueue({
    core,
    notes,
    needed,
    nextCallUsd,
    actions: { hall, runs: runs.desk, skills, instructions },
    redact,
  });
  return { derived, list: new QueueList({ clock: core.clock, documents: hall.escalations, derived, shown }) };
}
