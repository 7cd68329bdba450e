import type { Run } from "../../contract/runs/run.ts";
import type { Note } from "../record/run-events.ts";
import type { Waits } from "./waits.ts";

/** Decides whether an agent that tells the person something waits for an answer. */
export interface Escalations {
  /** What it waits for, for people to read; undefined: it goes on. Asked again for the same note after a restart. */
  awaited(run: Run, note: Note): Promise<string | undefined>;
}

/** They are given what lets a run continue with its answer. */
export type OpenEscalations = (waits: Pick<Waits, "resume">) => Escalations;

/** Without them nobody waits. */
export const noEscalations: OpenEscalations = () => ({ awaited: async () => undefined });
