import type { Team } from "../../contract/documents/teams/team.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { Context } from "../context.ts";
import { commandFor } from "../http/connection.ts";
import { following } from "../http/following.ts";
import { HEARTBEATS_MISSED_MS } from "../http/reconnecting.ts";
import { TeamView } from "./team-view.ts";

const DRAW_MS = 200;
/** How much of what happened before is shown first. */
const EARLIER = 10;

/** Shows a team until it has ended and answers how. What happened comes from its feed, so nothing is missed. */
export async function followTeam(id: string, context: Context): Promise<Team> {
  const view = new TeamView(context);
  const feed = { id, view, seen: undefined as number | undefined };
  return following(
    {
      everyMs: DRAW_MS,
      draw: () => view.draw(),
      clear: () => view.clear(),
      leave: () => {
        view.clear();
        context.output.note(goesOnText(id, context));
      },
      watch: (onOpen) => watch(feed, context, onOpen),
      onAway: () => view.lose(),
      gone: () => gone(id),
    },
    context,
  );
}

interface Feed {
  id: string;
  view: TeamView;
  /** The newest activity that was shown. */
  seen: number | undefined;
}

/** Undefined when the stream ended before the team did. */
async function watch(feed: Feed, context: Context, onOpen: () => void): Promise<Team | undefined> {
  const { projectId } = (await context.call("getTeam", { params: { id: feed.id } })).team;
  const stream = await context.open({ topics: "events,runs", project: projectId }, HEARTBEATS_MISSED_MS);
  const first = await refresh(feed, context);
  onOpen();
  if (hasEnded(first.status)) return first;
  for await (const live of stream) {
    if (live.kind === "run" && live.activity !== undefined) feed.view.hear(live.runId, live.activity);
    if (live.kind !== "event" || live.event.subject.kind !== "team" || live.event.subject.id !== feed.id) continue;
    const team = await refresh(feed, context);
    if (hasEnded(team.status)) return team;
  }
  return undefined;
}

async function refresh(feed: Feed, { call }: Context): Promise<Team> {
  const params = { id: feed.id };
  const { team } = await call("getTeam", { params });
  const { activity } = await call("listTeamActivity", { params, query: { after: feed.seen } });
  for (const each of feed.seen === undefined ? activity.slice(-EARLIER) : activity) feed.view.happened(each);
  feed.seen = activity.at(-1)?.seq ?? feed.seen ?? 0;
  feed.view.show(team);
  return team;
}

function goesOnText(id: string, { workspace, host }: Context): string {
  return [
    `Stopped watching. ${id} is still active.`,
    `Watch again with: ${commandFor(`team watch ${id}`, workspace, host)}`,
    `Stop with: ${commandFor(`team stop ${id}`, workspace, host)}`,
  ].join("\n");
}

function gone(id: string): HallError {
  return new HallError("daemon_unreachable", `Lost the connection to the daemon while watching ${id}.`, {
    hint: hint("team-watch", { text: id }),
  });
}
