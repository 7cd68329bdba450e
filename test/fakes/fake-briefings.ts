import type { Briefing } from "../../src/contract/documents/autonomy/briefing.ts";
import type { BriefingDesk } from "../../src/server/handlers/briefing-handlers.ts";
import { NOON } from "./fake-hall.ts";

const none = () => ({ count: 0, items: [] });

/** A day on which nothing happened. */
const quietBriefing: Briefing = {
  day: NOON.slice(0, 10),
  timezone: "UTC",
  from: NOON,
  until: NOON,
  isEmpty: true,
  done: {
    counts: {
      completed: 0,
      failed: 0,
      stopped: 0,
      tasks: 0,
      merges: 0,
      gatesPassed: 0,
      gatesFailed: 0,
      asked: 0,
      answered: 0,
    },
    runs: [],
    tasks: [],
    teams: [],
    merges: [],
    gates: [],
  },
  learned: [],
  spent: { costUsd: 0, costKnown: true, calls: 0, tokens: 0, byProject: [] },
  risks: [],
  needs: { decisions: none(), blockers: none(), questions: none(), approvals: none() },
  stillTrue: { grants: none(), running: none(), branches: none(), skipped: none() },
};

export function fakeBriefings(): BriefingDesk {
  const answer = async () => ({ briefing: quietBriefing, text: "Briefing" });
  return { today: answer, get: answer, figures: async () => ({ weeks: [], total: [], projects: [] }) };
}
