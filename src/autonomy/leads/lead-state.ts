import { z } from "zod";
import { LeadBriefing, LeadReport } from "../../contract/documents/autonomy/lead.ts";
import { LEAD_CAUSES } from "../../contract/words/autonomy/lead-words.ts";
import { Timestamp } from "../../contract/words/text.ts";

const line = { lead: z.string(), at: Timestamp };

/** One line of `plans/<slug>/leads.jsonl`. */
export const LeadLine = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("started"),
    ...line,
    why: z.string(),
    startedBy: z.string(),
    briefing: LeadBriefing,
    /** Statements that the project had then. */
    statements: z.array(z.string()),
  }),
  /** It is about to be told to work. `mark`: what its work had come to by then. */
  z.strictObject({ type: z.literal("told"), ...line, round: z.int().min(1), mark: z.string() }),
  /** It had a run or a team started for a task. */
  z.strictObject({ type: z.literal("run"), ...line, runId: z.string(), taskId: z.string().optional() }),
  z.strictObject({ type: z.literal("team"), ...line, teamId: z.string(), taskId: z.string() }),
  z.strictObject({ type: z.literal("reported"), ...line, report: LeadReport }),
  z.strictObject({
    type: z.literal("ended"),
    ...line,
    status: z.enum(["idle", "failed", "stopped"]),
    cause: z.enum(LEAD_CAUSES).optional(),
    error: z.string().optional(),
    costUsd: z.number(),
    /** Tasks that were ready then. */
    ready: z.array(z.string()),
  }),
]);
export type LeadLine = z.infer<typeof LeadLine>;

type Of<Type extends LeadLine["type"]> = Extract<LeadLine, { type: Type }>;

/** One lead, as its lines tell of it. */
export interface LeadState {
  id: string;
  started: Of<"started">;
  told: Of<"told">[];
  runs: Map<string, string | undefined>;
  teams: Map<string, string>;
  report?: LeadReport;
  ended?: Of<"ended">;
}

/** Adds a line to the leads of an initiative. Throws when it tells of a lead that there is not. */
export function fold(leads: Map<string, LeadState>, line: LeadLine): void {
  if (line.type === "started") {
    leads.set(line.lead, { id: line.lead, started: line, told: [], runs: new Map(), teams: new Map() });
    return;
  }
  const state = leads.get(line.lead);
  if (state === undefined) throw new Error(`lead: '${line.lead}' was not started`);
  switch (line.type) {
    case "told":
      state.told.push(line);
      return;
    case "run":
      state.runs.set(line.runId, line.taskId);
      return;
    case "team":
      state.teams.set(line.teamId, line.taskId);
      return;
    case "reported":
      state.report = line.report;
      return;
    case "ended":
      state.ended = line;
  }
}

const MESSAGE = /^(lead-[a-z0-9-]+)-r\d+$/;

/** What a lead is told to work with; the run's ends that follow have it as their root. */
export function roundMessageId(leadId: string, round: number): string {
  return `${leadId}-r${round}`;
}

/** The lead whose message, or what came of it, has this root. */
export function leadOfRoot(root: string | undefined): string | undefined {
  return MESSAGE.exec(root ?? "")?.[1];
}
