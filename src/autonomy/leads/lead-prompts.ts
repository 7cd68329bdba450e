import type { Hall } from "../../workspace/hall/hall.ts";
import type { LeadState } from "./lead-state.ts";
import { statusText } from "./lead-status.ts";
import type { Place } from "./lead-store.ts";
import { type WorldParts, workOf } from "./lead-world.ts";

const BEGIN =
  "You lead this initiative. Check first whether its plan still fits, then work on it until nothing is ready, and report with report_initiative.";
const CONTINUE =
  "You lead this initiative, and your last turn ended without a report. Continue with the next ready task. If nothing is ready and nothing is running, make sure that each blocked task has its question, and call report_initiative.";

type Parts = Pick<WorldParts, "core" | "teamOf"> & { hall: Pick<Hall, "documents" | "tasks" | "escalations"> };

/** What a lead is told in a round. Said again after a crash, the first words count. */
export function roundText(parts: Parts, lead: LeadState, { place, round }: { place: Place; round: number }): string {
  if (round === 1) return `${BEGIN}\n\n${lead.started.briefing.text}`;
  return `${CONTINUE}\n\n${statusText(parts.hall, place, workOf(parts, lead))}`;
}
