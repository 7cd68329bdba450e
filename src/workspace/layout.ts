import { ESCALATION_ID } from "../contract/documents/escalation.ts";
import { ESCALATION_STATUSES, type EscalationStatus } from "../contract/documents/escalation-status.ts";
import { TASK_ID } from "../contract/documents/task.ts";
import { TASK_FOLDERS, type TaskFolder, type TaskStatus } from "../contract/documents/task-status.ts";

/** Where everything lies, relative to the workspace. */
export const ROLES_FILE = "ROLES.json";
export const PROJECTS_FOLDER = "projects";
export const ESCALATIONS_FOLDER = "escalations";
/** What is rebuildable or secret. */
export const STATE_FOLDER = ".guildhall";
/** What the daemon has to remember, and nothing else tells it: positions of subscribers, notes. */
export const DURABLE_FOLDER = "state";
/** That the review setting of older projects was written out, and for which the change is offered. */
export const REVIEW_FILE = `${DURABLE_FOLDER}/review-default.json`;
export const HEARTBEATS_FILE = `${DURABLE_FOLDER}/heartbeats.json`;
/** When the person was last notified of what waits for them. */
export const REACH_FILE = `${DURABLE_FOLDER}/reach.json`;
/** Answers that the main agent proposed and the person has not confirmed. */
export const PROPOSALS_FILE = `${DURABLE_FOLDER}/proposals.json`;
/** Which messages in Telegram show which questions. */
export const TELEGRAM_FILE = `${DURABLE_FOLDER}/telegram.json`;
/** What a person snoozed, dismissed or was reminded of that has no document of its own. */
export const QUEUE_FILE = `${DURABLE_FOLDER}/queue.json`;
/** Which days have a briefing that was sent. */
export const BRIEFINGS_FILE = `${DURABLE_FOLDER}/briefings.json`;
/** The last beats, and how far the notes of the day have come. */
export const HEARTBEAT_FILE = `${DURABLE_FOLDER}/heartbeat.json`;
/** What the orchestrator did, and proposed. */
export const ORCHESTRATOR_FILE = `${DURABLE_FOLDER}/orchestrator.jsonl`;
/** What hooks did in the last 30 days. */
export const HOOKS_FILE = `${DURABLE_FOLDER}/hooks.json`;
/** What was held back once because something was missing. */
export const REMINDERS_FILE = `${DURABLE_FOLDER}/reminders.json`;
export const WORKTREES_FOLDER = `${STATE_FOLDER}/worktrees`;
/** Keys, as NAME=value lines. */
export const SECRETS_FILE = `${STATE_FOLDER}/secrets`;

/** The briefing and the notes of a day. */
export function dailyPath(day: string): string {
  return `daily/${day}.md`;
}

/** The cycles of the orchestrator on a day, for people. */
export function orchestratorPath(day: string): string {
  return `orchestrator/${day}.md`;
}

export function projectRoot(projectId: string): string {
  return `${PROJECTS_FOLDER}/${projectId}`;
}

export function projectPaths(projectId: string) {
  const root = projectRoot(projectId);
  return {
    root,
    memory: `${root}/MEMORY.md`,
    tasks: `${root}/TASKS`,
    artifacts: `${root}/ARTIFACTS`,
    context: `${root}/CONTEXT`,
  };
}

/** Folders of a project that the hall alone fills, with every run more of it. `root`: where the project lies. */
export function filledByTheHall(root: string): string[] {
  return ["TASKS", "ARTIFACTS", "runs", "gates"].map((name) => `${root}/${name}`);
}

export function folderOf(status: TaskStatus): TaskFolder {
  return status === "pending" || status === "assigned" || status === "blocked" ? "todo" : status;
}

export function taskPath(projectId: string, folder: TaskFolder, taskId: string): string {
  return `${projectRoot(projectId)}/TASKS/${folder}/${taskId}.md`;
}

/** The record of a project's runs. */
export function bookPath(projectId: string): string {
  return `${projectRoot(projectId)}/runs/index.jsonl`;
}

export function taskId(number: number): string {
  return `TASK-${String(number).padStart(3, "0")}`;
}

/** The id that a file of the board stands for; undefined for a name that is none. */
export function idOfTaskFile(name: string): string | undefined {
  const id = name.endsWith(".md") ? name.slice(0, -".md".length) : "";
  return TASK_ID.test(id) ? id : undefined;
}

export function escalationFolder(status: EscalationStatus): string {
  return `${ESCALATIONS_FOLDER}/${status}`;
}

export function escalationPath(status: EscalationStatus, id: string): string {
  return `${escalationFolder(status)}/${id}.json`;
}

export function escalationId(number: number): string {
  return `esc-${String(number).padStart(3, "0")}`;
}

/** The id that a file in the folders of escalations has; undefined for a name that is none. */
export function idOfEscalationFile(name: string): string | undefined {
  const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
  return ESCALATION_ID.test(id) ? id : undefined;
}

/** Where the report of a gate or an integration check lies. `at`: when it was begun. */
export function gatePath(projectId: string, id: string, at: string): string {
  return `${gatesFolder(projectId)}/${at.slice(0, 10)}/${id}.json`;
}

export function gatesFolder(projectId: string): string {
  return `${projectRoot(projectId)}/gates`;
}

const GATE_FILE = /^((gate|check)-[0-9a-z]{1,60})\.json$/;

/** The id in a report's file name, and what it is of; undefined for a name that is none. */
export function idOfGateFile(name: string): { id: string; kind: GateKind } | undefined {
  const [, id, kind] = GATE_FILE.exec(name) ?? [];
  return id === undefined ? undefined : { id, kind: kind as GateKind };
}

export type GateKind = "gate" | "check";

export type Place =
  | { kind: "roles" }
  | { kind: "project"; projectId: string }
  | { kind: "task"; projectId: string; folder: TaskFolder; name: string }
  | { kind: "escalation"; name: string }
  | { kind: "gate"; projectId: string; name: string }
  | { kind: "document"; document: "knowledge" | "artifact" | "context" | "plan"; projectId?: string; id: string };

/** What a path is to the hall; undefined for everything that the index does not follow. */
export function placeOf(path: string): Place | undefined {
  if (path === ROLES_FILE) return { kind: "roles" };
  const segments = path.split("/");
  if (segments.some((segment) => segment.startsWith("."))) return undefined;
  if (segments[0] === "knowledge" && segments.length === 2 && path.endsWith(".md"))
    return { kind: "document", document: "knowledge", id: path };
  const [first, projectId, ...rest] = segments;
  if (first === ESCALATIONS_FOLDER) return placeAmongEscalations(segments);
  if (first !== PROJECTS_FOLDER || projectId === undefined || rest.length === 0) return undefined;
  return placeInProject(projectId, rest);
}

function placeAmongEscalations([, folder = "", name = "", ...rest]: string[]): Place | undefined {
  const isFile = isEscalationFolder(folder) && name.endsWith(".json") && rest.length === 0;
  return isFile ? { kind: "escalation", name } : undefined;
}

function isEscalationFolder(name: string): boolean {
  return (ESCALATION_STATUSES as readonly string[]).includes(name);
}

function placeInProject(projectId: string, rest: string[]): Place | undefined {
  const [area = "", second = "", third] = rest;
  const id = rest.join("/");
  if (rest.length === 1 && (area === "PROJECT.md" || area === "PROJECT.json")) return { kind: "project", projectId };
  if (area === "TASKS" && rest.length === 3 && third?.endsWith(".md") && isTaskFolder(second)) {
    return { kind: "task", projectId, folder: second, name: third };
  }
  if (area === "gates" && rest.length === 3 && DAY.test(second) && third?.endsWith(".json"))
    return { kind: "gate", projectId, name: third };
  if (area === "ARTIFACTS" && rest.length >= 3) return { kind: "document", document: "artifact", projectId, id };
  if (area === "CONTEXT" && rest.length >= 2) return { kind: "document", document: "context", projectId, id };
  if (area === "knowledge" && rest.length === 2 && second.endsWith(".md"))
    return { kind: "document", document: "knowledge", projectId, id };
  if (area === "plans" && third === "plan.md" && rest.length === 3)
    return { kind: "document", document: "plan", projectId, id };
  return undefined;
}

function isTaskFolder(name: string): name is TaskFolder {
  return (TASK_FOLDERS as readonly string[]).includes(name);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

const WATCHED_IN_PROJECT =
  /^(?:TASKS(?:\/[^/]+)?|gates(?:\/\d{4}-\d\d-\d\d)?|ARTIFACTS(?:\/.*)?|CONTEXT(?:\/.*)?|knowledge|plans(?:\/[^/]+)?)$/;

/** The folders whose files the index follows. */
export function isFollowed(folder: string): boolean {
  if (folder === "." || folder === PROJECTS_FOLDER || folder === "knowledge") return true;
  const [first, projectId, ...rest] = folder.split("/");
  if (first === ESCALATIONS_FOLDER)
    return projectId === undefined || (rest.length === 0 && isEscalationFolder(projectId));
  if (first !== PROJECTS_FOLDER || projectId === undefined || projectId.startsWith(".")) return false;
  return rest.length === 0 || WATCHED_IN_PROJECT.test(rest.join("/"));
}
