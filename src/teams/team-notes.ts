import type { HallEvent } from "../contract/event.ts";
import { errorText } from "../contract/words/error-text.ts";
import { FROM_HALL, FROM_PERSON, MESSAGE_TYPES } from "../contract/words/teams/message-words.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import { type OpenSubscription, subscribe } from "../workspace/events/event-subscriber.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";
import type { TeamKeeper } from "./team-keeper.ts";
import type { TeamStore } from "./team-store.ts";

type Noted = Extract<TeamFact, { type: "noted" }>;

interface Parts {
  core: Core;
  store: Pick<TeamStore, "open" | "find" | "append">;
  keeper: Pick<TeamKeeper, "alone">;
  onTrouble: (what: string, error: unknown) => void;
}

/** Adds to the logs of teams what others did for their runs. Each event once, also after a crash. */
export function openTeamNotes({ core, store, keeper, onTrouble }: Parts): Promise<OpenSubscription> {
  const hasActiveTeam = (projectId: string | undefined) =>
    store.open().some(({ document, status }) => document.projectId === projectId && !hasEnded(status));
  return subscribe({
    core,
    name: "teams",
    words: { title: "The feed of teams", item: "event" },
    // Asked while the event is told, when the index may not be there.
    wants: (event) => noteOf(event) !== undefined && hasActiveTeam(event.projectId),
    // Those of one team come in their order.
    keyOf: ({ projectId = "" }) => projectId,
    handle: async (event) => {
      try {
        await core.shown.available();
        await core.shown.caughtUp();
        const note = noteOf(event);
        const teamId = note === undefined ? undefined : (note.teamId ?? core.runs.get(note.runId)?.run.team?.id);
        if (note === undefined || teamId === undefined) return { kind: "done" };
        await keeper.alone(teamId, async () => {
          const state = store.find(teamId);
          if (state === undefined || hasEnded(state.status) || event.seq <= state.notedEvent) return;
          const fact = { ...factOf(note, state, core), event: event.seq };
          await store.append(teamId, [fact], { change: { actor: BY_DAEMON } });
        });
        return { kind: "done" };
      } catch (error) {
        return { kind: "retry", reason: errorText(error) };
      }
    },
    random: Math.random,
    onTrouble,
  });
}

type Note = Pick<Noted, "activity" | "data" | "member" | "task"> &
  ({ runId: string; teamId?: undefined } | { teamId: string; runId?: undefined });

function factOf({ teamId: _, ...note }: Note, state: TeamState, { runs }: Pick<Core, "runs">): Noted {
  if (note.runId === undefined) return { type: "noted", ...note };
  const member = runs.get(note.runId)?.run.team?.member;
  const task = state.index.byRun.get(note.runId);
  return {
    ...{ type: "noted", ...note },
    ...(member === undefined ? {} : { member }),
    ...(task === undefined ? {} : { task }),
  };
}

/** Said often, and of no use to whoever reads the feed. */
const UNNOTED: readonly unknown[] = [MESSAGE_TYPES.progress, MESSAGE_TYPES.stateUpdate];

/** What the feed of a team shows of what others did. Undefined of any other event. */
function noteOf({ type, subject, after = {} }: HallEvent): Note | undefined {
  if (type === "team.message") {
    if (UNNOTED.includes(after.type)) return undefined;
    const task = typeof after.task === "string" ? { task: after.task } : {};
    const isOfMember = after.from !== FROM_PERSON && after.from !== FROM_HALL;
    const who = isOfMember ? { member: String(after.from) } : {};
    const data = { ...picked(after, ["id", "to", "type"]), ...(isOfMember ? {} : { by: after.from }) };
    return { activity: "message-sent", teamId: subject.id, ...who, ...task, data };
  }
  const runId = subject.kind === "run" ? subject.id : after.runId;
  if (typeof runId !== "string") return undefined;
  switch (type) {
    case "file.conflict":
      return { activity: "file-conflict", runId, data: picked(after, ["path", "owner", "mode"]) };
    case "checkpoint.created":
      return { activity: "checkpoint-created", runId, data: picked(after, ["reason", "commit", "cycle"]) };
    case "checkpoint.rolledback":
      return { activity: "checkpoint-rollback", runId, data: picked(after, ["reason", "commit"]) };
    default:
      return undefined;
  }
}

function picked(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}
