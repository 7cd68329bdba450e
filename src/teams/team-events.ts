import type { TeamActivity } from "../contract/documents/teams/team.ts";
import type { EventDraft } from "../contract/event.ts";
import type { Change } from "../workspace/change.ts";
import { fold, type Held } from "./held-team.ts";
import type { TeamLine } from "./machine/team-facts.ts";

/** Folds a line, and says what the log is told of it. */
export function told(held: Held, line: TeamLine, { actor }: Change): EventDraft[] {
  const { status, budgetUsd, document } = held.state;
  const { id, projectId } = document;
  const seen = fold(held, line);
  const about = { actor, projectId, subject: { kind: "team" as const, id } };
  const { state } = held;
  const { fact } = line;
  const events: EventDraft[] = seen.map((activity) => ({ ...about, type: "team.activity", after: shown(activity) }));
  if (fact.type === "spec-edited")
    events.unshift({
      ...about,
      type: "team.spec_changed",
      after: { changed: fact.changed, version: state.specVersion },
    });
  if (fact.type === "budget-changed")
    events.unshift({
      ...about,
      type: "budget.changed",
      before: { budgetUsd },
      after: { budgetUsd: state.budgetUsd },
    });
  if (state.status !== status) {
    const reason = state.reason === undefined ? {} : { reason: state.reason.slice(0, 2_000) };
    const after = { status: state.status, ...reason };
    events.unshift({ ...about, type: "team.moved", before: { status }, after });
  }
  return events;
}

function shown({ seq: activity, at: _, ...rest }: TeamActivity): Record<string, unknown> {
  return { activity, ...rest };
}
