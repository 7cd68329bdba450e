import type { Attention, Now } from "../../contract/now.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Run } from "../../contract/runs/run.ts";
import { firstLine } from "../../contract/runs/run-line.ts";
import { adviceFor } from "../../contract/words/cause-advice.ts";
import { toldHint } from "../../contract/words/hint.ts";
import { WAIT_WORDS } from "../../contract/words/wait-words.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Instructions, WaitingInstruction } from "../plan/instructions.ts";
import type { LiveRuns } from "../record/live-runs.ts";
import type { Runs } from "../runs.ts";
import type { BudgetDesk } from "./open-budget.ts";
import type { SkillDesk } from "./skill-desk.ts";

/** What a person takes in; the rest has lists of its own. */
const MOST = 100;
const MOST_DONE = 20;

interface Parts {
  core: Pick<Core, "events" | "clock" | "shown" | "runs" | "glance">;
  health: Pick<Hall["health"], "unreadable">;
  reviewDefault: Pick<Hall["reviewDefault"], "offered">;
  runs: Pick<Runs, "line">;
  live: Pick<LiveRuns, "waiting">;
  budget: Pick<BudgetDesk, "today">;
  skills: Pick<SkillDesk, "unaccepted">;
  instructions: Pick<Instructions, "waiting">;
}

/** Answered from the index and from memory: it is asked for with every glance. */
export async function nowOf(parts: Parts): Promise<Now> {
  const { runs, core } = parts;
  const { glance } = core;
  const seq = core.events.head();
  await core.shown.caughtUp();
  const counts = glance.counts();
  const attention = attentionOf(parts, counts, await parts.instructions.waiting());
  const { day, ...money } = parts.budget.today();
  const waiting = new Set(parts.live.waiting().map(({ runId }) => runId));
  const waitingIn = (status: Run["status"]) =>
    [...waiting].filter((id) => core.runs.get(id)?.run.status === status).length;
  return {
    seq,
    needsMe: attention.first,
    review: glance.review(MOST).map((run) => runs.line(run)),
    working: glance
      .working(MOST)
      .filter(({ id }) => !waiting.has(id))
      .map((run) => runs.line(run)),
    done: glance.done(MOST_DONE).map((run) => runs.line(run)),
    reviewOffer: parts.reviewDefault.offered(),
    counts: {
      needsMe: attention.total,
      review: counts.review,
      running: counts.running - waitingIn("running"),
      pending: counts.pending - waitingIn("pending"),
      waiting: waiting.size,
      projects: counts.projects,
    },
    today: { ...money, ...glance.since(`${day}T00:00:00.000Z`) },
  };
}

/** Problems of files that are read at the start only; their reasons say so. */
const AT_START: readonly Problem["kind"][] = ["log", "format"];

function problemLine({ file, id, kind, line, projectId, reason, hintAction }: Problem): Attention {
  const place = {
    id: id === undefined ? file : `${file}#${id}`,
    ...(projectId === undefined ? {} : { projectId }),
    ...toldHint(hintAction),
  };
  const detail = firstLine(reason);
  if (kind === "workdir") return { ...place, kind: "folder", title: "Working folder", detail };
  if (kind === "repository") return { ...place, kind: "damaged", title: file, detail };
  const where = line === undefined ? "" : `Line ${line}: `;
  const advice = AT_START.includes(kind) ? "" : " Fix the file; it reloads on save.";
  return { ...place, kind: "problem", title: file, detail: `${where}${detail}.${advice}` };
}

type Counts = ReturnType<Core["glance"]["counts"]>;

/** What keeps most from going on comes first. */
function attentionOf(parts: Parts, counts: Counts, instructions: WaitingInstruction[]) {
  const waiting = waitingRuns(parts);
  const { problems, total: unreadable } = parts.health.unreadable(MOST);
  const skills = parts.skills.unaccepted();
  const all = [
    ...waiting,
    ...failedIn(parts),
    ...problems.map(problemLine),
    ...suspendedIn(parts),
    ...skills.map(
      ({ slug, projectId, state, path }): Attention => ({
        kind: "skill",
        id: `${projectId}/${slug}`,
        projectId,
        title: slug,
        detail: `${path} ${state === "new" ? "was found" : "was changed since it was accepted"}. Agents use it once you accept it.`,
      }),
    ),
    ...instructions.map(
      ({ projectId, path, state }): Attention => ({
        kind: "instructions",
        id: `${projectId}/${path}`,
        projectId,
        title: path,
        detail:
          state === "new"
            ? `${path} was added. Agents follow it once you accept it.`
            : `${path} changed since you accepted it. Agents follow the accepted version until you accept this one.`,
      }),
    ),
  ];
  const total = waiting.length + counts.failed + unreadable + counts.suspended + skills.length + instructions.length;
  return { first: all.slice(0, MOST), total };
}

function waitingRuns({ core, live, runs }: Parts): Attention[] {
  return live.waiting().flatMap(({ runId, projectId, reason, text, hintAction, since }): Attention[] => {
    const known = core.runs.get(runId);
    if (known === undefined) return [];
    const { title } = known.run;
    const run = runs.line(known.run);
    return [
      {
        kind: "waiting",
        id: runId,
        projectId,
        title,
        detail: `Waiting for ${WAIT_WORDS[reason]}: ${/[.?!]$/.test(text) ? text : `${text}.`}`,
        ...toldHint(hintAction),
        at: since,
        run,
      },
    ];
  });
}

function failedIn({ core, runs }: Parts): Attention[] {
  return core.glance.failed(MOST).map((run): Attention => {
    const { id, projectId, title, endedAt, error } = run;
    const why = error === undefined ? "It failed" : firstLine(error).replace(/\.$/, "");
    const { text, fix } = adviceFor(run);
    const at = endedAt === undefined ? {} : { at: endedAt };
    return {
      kind: "failed",
      id,
      projectId,
      title,
      detail: `${why}. ${text}`,
      ...toldHint(fix),
      ...at,
      run: runs.line(run),
    };
  });
}

function suspendedIn({ core }: Parts): Attention[] {
  return core.glance.suspended(MOST).map(({ id, name, at, why }): Attention => {
    const detail = `${firstLine(why).replace(/\.$/, "")}. Resume it to continue.`;
    return { kind: "suspended", id, projectId: id, title: name, detail, ...(at === null ? {} : { at }) };
  });
}
