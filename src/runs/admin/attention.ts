import type { SubjectKind } from "../../contract/documents/escalation-status.ts";
import type { Attention, RunLine } from "../../contract/now.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Run } from "../../contract/runs/run.ts";
import { firstLine } from "../../contract/runs/run-line.ts";
import { adviceFor } from "../../contract/words/cause-advice.ts";
import { toldHint } from "../../contract/words/hint.ts";
import { queueId } from "../../contract/words/queue-id.ts";
import { WAIT_WORDS } from "../../contract/words/wait-words.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Versioned } from "../../workspace/escalations/queue-notes.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Instructions } from "../plan/instructions.ts";
import type { LiveRuns } from "../record/live-runs.ts";
import type { Runs } from "../runs.ts";
import type { SkillDesk } from "./skill-desk.ts";

export interface AttentionParts {
  core: Pick<Core, "runs" | "glance">;
  health: Pick<Hall["health"], "unreadable">;
  /** Questions that are not answered yet, drafts too. */
  openQuestions: () => readonly StoredEscalation[];
  runs: Pick<Runs, "line">;
  live: Pick<LiveRuns, "waiting">;
  skills: Pick<SkillDesk, "unaccepted">;
  instructions: Pick<Instructions, "waiting">;
}

/** Something that needs the person and has no document of its own. */
export interface Needed extends Versioned {
  kind: Exclude<SubjectKind, "review">;
  attention: Attention;
}

/** A result that waits for the person. */
export interface Reviewable extends Versioned {
  run: RunLine;
}

/** What keeps most from going on comes first. Of each kind at most `limit`. */
export async function neededIn(parts: AttentionParts, limit: number): Promise<Needed[]> {
  const instructions = await parts.instructions.waiting();
  return [
    ...waitingRuns(parts),
    ...failedIn(parts, limit),
    ...parts.health.unreadable(limit).problems.map(problemLine),
    ...suspendedIn(parts, limit),
    ...parts.skills.unaccepted().map(({ slug, projectId, state, path, hash }) =>
      needed("skill", hash, {
        kind: "skill",
        id: `${projectId}/${slug}`,
        projectId,
        title: slug,
        detail: `${path} ${state === "new" ? "was found" : "was changed since it was accepted"}. Agents use it once you accept it.`,
      }),
    ),
    ...instructions.map(({ projectId, path, state, hash }) =>
      needed("instructions", hash, {
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
}

/** The newest first. `byOthers`: how many do not wait for the person, or have a question of their own. */
export function reviewsIn(
  { core, runs, openQuestions }: Pick<AttentionParts, "core" | "runs" | "openQuestions">,
  limit: number,
): { reviews: Reviewable[]; byOthers: number } {
  const asked = new Set(openQuestions().map(({ review }) => review?.runId));
  const found = core.glance.review(limit);
  const reviews = found.flatMap((run) => {
    const { reasonCode = "", files = 0 } = run.delivery ?? {};
    if (reasonCode === "gate-running" || asked.has(run.id)) return [];
    const version = `${run.endedAt ?? ""} ${reasonCode} ${files}`;
    return [{ id: queueId("review", run.id), version, run: runs.line(run) }];
  });
  return { reviews, byOthers: found.length - reviews.length };
}

/** Results that the quality gates judge, the newest first. */
export function checkingIn({ core, runs }: Pick<AttentionParts, "core" | "runs">, limit: number): RunLine[] {
  const isJudged = ({ delivery }: Run) => delivery?.reasonCode === "gate-running";
  return core.glance
    .review(limit)
    .filter(isJudged)
    .map((run) => runs.line(run));
}

function needed(kind: Needed["kind"], version: string, attention: Attention): Needed {
  return { id: queueId(kind, attention.id), kind, version, attention };
}

/** Problems of files that are read at the start only; their reasons say so. */
const AT_START: readonly Problem["kind"][] = ["log", "format"];

function problemLine({ file, id, kind, line, projectId, reason, hintAction }: Problem): Needed {
  const place = {
    id: id === undefined ? file : `${file}#${id}`,
    ...(projectId === undefined ? {} : { projectId }),
    ...toldHint(hintAction),
  };
  const detail = firstLine(reason);
  if (kind === "workdir")
    return needed("folder", reason, { ...place, kind: "folder", title: "Working folder", detail });
  if (kind === "repository") return needed("damaged", reason, { ...place, kind: "damaged", title: file, detail });
  const where = line === undefined ? "" : `Line ${line}: `;
  const advice = AT_START.includes(kind) ? "" : " Fix the file; it reloads on save.";
  return needed("problem", `${line ?? ""} ${reason}`, {
    ...place,
    kind: "problem",
    title: file,
    detail: `${where}${detail}.${advice}`,
  });
}

/** Without those whose question is in the queue, or with an agent. */
function waitingRuns({ core, live, runs, openQuestions }: AttentionParts): Needed[] {
  const asking = new Set(
    openQuestions().flatMap(({ askers }) =>
      askers.flatMap(({ kind, id, waits }) => (kind === "run" && waits && id !== undefined ? [id] : [])),
    ),
  );
  return live.waiting().flatMap(({ runId, projectId, reason, text, hintAction, since }) => {
    const known = core.runs.get(runId);
    if (known === undefined || (reason === "answer" && asking.has(runId))) return [];
    // Between two tries of a provider a run does not wait: only its reason tells one wait from another.
    const isBudget = reason === "budget";
    return needed(isBudget ? "budget" : "provider", isBudget ? since : reason, {
      kind: "waiting",
      id: runId,
      projectId,
      title: known.run.title,
      detail: `Waiting for ${WAIT_WORDS[reason]}: ${/[.?!]$/.test(text) ? text : `${text}.`}`,
      ...toldHint(hintAction),
      at: since,
      run: runs.line(known.run),
    });
  });
}

function failedIn({ core, runs }: AttentionParts, limit: number): Needed[] {
  return core.glance.failed(limit).map((run) => {
    const { id, projectId, title, endedAt, error } = run;
    const why = error === undefined ? "It failed" : firstLine(error).replace(/\.$/, "");
    const { text, fix } = adviceFor(run);
    return needed("failed", endedAt ?? "", {
      kind: "failed",
      id,
      projectId,
      title,
      detail: `${why}. ${text}`,
      ...toldHint(fix),
      ...(endedAt === undefined ? {} : { at: endedAt }),
      run: runs.line(run),
    });
  });
}

function suspendedIn({ core }: AttentionParts, limit: number): Needed[] {
  return core.glance.suspended(limit).map(({ id, name, at, why }) => {
    const detail = `${firstLine(why).replace(/\.$/, "")}. Resume it to continue.`;
    const attention = { kind: "suspended" as const, id, projectId: id, title: name, detail };
    return needed("suspended", `${at ?? ""} ${why}`, { ...attention, ...(at === null ? {} : { at }) });
  });
}
