import type { Briefing } from "../../contract/documents/autonomy/briefing.ts";
import type { Escalation } from "../../contract/documents/escalation.ts";
import type { ShownGrant } from "../../contract/routes/people/grant-routes.ts";
import { payerName } from "../../contract/runs/payers.ts";
import { BRIEFING_SECTIONS } from "../../contract/words/autonomy/briefing-words.ts";
import { spentBetween } from "../../models/budget/spent-between.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { FACT_TYPES, factsOf, given } from "./facts.ts";
import { needsOf } from "./needs.ts";
import { dayOf } from "./person-day.ts";
import { type SkippedSlot, stillTrueOf } from "./still-true.ts";

/** Where the facts of a briefing come from. */
export interface BriefingSources {
  core: Pick<Core, "files" | "events" | "runs" | "tasks" | "shown">;
  hall: Pick<Hall, "knowledge" | "health">;
  /** All that wait for the person, the most urgent first. */
  pending: () => Promise<Escalation[]>;
  /** Open ones. */
  grants: () => Promise<ShownGrant[]>;
  teamName: (id: string) => string | undefined;
  skipped: (period: { from: Date; until: Date }) => SkippedSlot[];
}

export interface BriefingOrder {
  day: string;
  timezone: string;
  from: Date;
  until: Date;
  summary?: string | undefined;
}

const MOST_LISTED = 1_000;
const MOST_FILES = 20;

/** Reads the records. Calls no model. */
export async function composeBriefing(sources: BriefingSources, order: BriefingOrder): Promise<Briefing> {
  const { core, hall } = sources;
  await core.shown.caughtUp();
  const { day, timezone, from, until, summary } = order;
  const titleOf = (projectId: string, taskId: string) => core.tasks.record(projectId, taskId)?.title;
  const { done, risks } = factsOf(core.events.during({ from, until, types: FACT_TYPES }), {
    run: (id) => runNames(core, id),
    task: titleOf,
    team: sources.teamName,
  });
  const waiting = (await sources.pending()).filter(({ createdAt }) => Date.parse(createdAt) <= until.getTime());
  const needs = needsOf(waiting, titleOf);
  const unmerged = [{ review: true }, { kept: true }].flatMap((which) =>
    core.runs.list({ ...which, limit: MOST_LISTED }).map(({ run }) => run),
  );
  const stillTrue = stillTrueOf({
    grants: await sources.grants(),
    running: core.runs.unsettled().map(({ run }) => run),
    unmerged,
    skipped: sources.skipped({ from, until }),
  });
  const files = hall.health.unreadable(MOST_FILES).problems.map(({ file, projectId, reason }) => ({
    ...{ kind: "file" as const, id: file, ...given({ projectId }), link: "/settings" },
    text: `${file}: ${reason}`,
  }));
  const spent = spentOf(core, order);
  const learned = learnedIn(hall, { first: dayOf(from, timezone), last: day });
  const isQuiet = Object.values(done.counts).every((count) => count === 0) && done.teams.length === 0;
  const isCalm = risks.length + files.length + learned.length + spent.calls === 0;
  const isDone = BRIEFING_SECTIONS.every((name) => needs[name].count === 0);
  return {
    ...{ day, timezone, from: from.toISOString(), until: until.toISOString() },
    isEmpty: isQuiet && isCalm && isDone && Object.values(stillTrue).every(({ count }) => count === 0),
    ...given({ summary }),
    ...{ done, learned, spent, risks: [...risks, ...files], needs, stillTrue },
  };
}

function runNames({ runs }: BriefingSources["core"], id: string) {
  const run = runs.get(id)?.run;
  return run && { title: run.title, roleId: run.roleId, taskId: run.taskId, teamId: run.team?.id };
}

function spentOf({ files }: BriefingSources["core"], period: { from: Date; until: Date }): Briefing["spent"] {
  const sums = [...spentBetween(files, period)].sort(([, one], [, other]) => other.usd - one.usd);
  const total = (pick: (sum: (typeof sums)[number][1]) => number) => sums.reduce((all, [, sum]) => all + pick(sum), 0);
  return {
    costUsd: cents(total(({ usd }) => usd)),
    costKnown: total(({ estimatedUsd }) => estimatedUsd) === 0,
    calls: total(({ calls }) => calls),
    tokens: total(({ tokens }) => tokens),
    byProject: sums.map(([projectId, { usd, estimatedUsd }]) => {
      return { projectId: payerName(projectId) ?? projectId, costUsd: cents(usd), costKnown: estimatedUsd === 0 };
    }),
  };
}

/** Sums of many small amounts. */
function cents(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

/** Statements of these days that count. */
function learnedIn({ knowledge }: BriefingSources["hall"], { first, last }: { first: string; last: string }) {
  const { statements } = knowledge.list({ scope: "all", status: "accepted", limit: MOST_LISTED });
  return statements
    .filter(({ date = "", promoted }) => date >= first && date <= last && promoted !== true)
    .map(({ id, projectId, text }) => {
      const link = projectId === undefined ? "/knowledge" : `/projects/${projectId}/library/knowledge`;
      return { id, ...given({ projectId }), link, text };
    });
}
