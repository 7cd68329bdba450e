import { setTimeout as delay } from "node:timers/promises";
import type { OpenWork } from "../../contract/routes/hall-routes.ts";
import type { HallVoice } from "../../projects/hall-voice.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { type Finding, findingText } from "./findings.ts";
import { orphanedTasks } from "./idle-rules.ts";
import { checkedTask } from "./read-state.ts";
import type { SHUTDOWN_RULES } from "./shutdown-rules.ts";

const MOST_TASKS = 200;
/** A person who stops the daemon does not wait longer for their hooks. */
const HOOKS_MS = 5_000;

interface Parts {
  core: Pick<Core, "runs">;
  hall: Pick<Hall, "tasks" | "escalations">;
  voice: Pick<HallVoice, "unreadResults" | "listening">;
  hooks: Pick<Hooks, "has" | "run" | "isEnabled">;
}

type Shown = Extract<Finding, { code: "draft_question" | "task_without_run" | "unread_result" }>;

/** What is open in all projects when the daemon stops. It is shown, and prevents nothing. */
export async function openWork(parts: Parts): Promise<OpenWork[]> {
  return [...foundOpen(parts), ...(await objections(parts.hooks))];
}

/** What the built-in checks find open in one project. */
export function openIn(parts: Parts, projectId: string): OpenWork[] {
  return foundOpen(parts).filter((found) => found.projectId === projectId);
}

function foundOpen(parts: Parts): OpenWork[] {
  const { hall, voice, hooks } = parts;
  const isOn = (name: keyof typeof SHUTDOWN_RULES) => hooks.isEnabled(name);
  const drafts = isOn("drafts-reviewed") ? hall.escalations.open().filter(({ status }) => status === "draft") : [];
  const projects = isOn("results-processed") ? voice.listening() : [];
  return [
    ...drafts.map(({ id, projectId }) => shown({ code: "draft_question", escalationId: id }, projectId)),
    ...(isOn("no-orphaned-tasks") ? orphans(parts) : []),
    ...projects.flatMap((projectId) =>
      voice.unreadResults(projectId).map((runId) => shown({ code: "unread_result", runId }, projectId)),
    ),
  ];
}

function orphans({ core, hall }: Parts): OpenWork[] {
  const { tasks } = hall.tasks.list(undefined, { status: "in-progress", sort: "id", limit: MOST_TASKS });
  const isAtWork = (projectId: string, taskId: string) =>
    core.runs.unsettled(projectId).some(({ run }) => run.taskId === taskId);
  return tasks.flatMap((task) =>
    orphanedTasks([checkedTask(task, isAtWork(task.projectId, task.id))]).map((finding) =>
      shown(finding, task.projectId),
    ),
  );
}

async function objections(hooks: Parts["hooks"]): Promise<OpenWork[]> {
  if (!hooks.has("PreShutdown", undefined)) return [];
  const over = new AbortController();
  const asked = hooks.run({ hook_event_name: "PreShutdown", reason: "daemon" }).finally(() => over.abort());
  const verdict = await Promise.race([asked, delay(HOOKS_MS, undefined, { signal: over.signal }).catch(() => asked)]);
  if (verdict?.refused !== true) return [];
  return [{ code: "hook_refused", text: verdict.feedback ?? "A hook refused the stop." }];
}

function shown(finding: Shown, projectId: string | undefined): OpenWork {
  const project = projectId === undefined ? {} : { projectId };
  return { code: finding.code, ...project, text: findingText(finding) };
}
