import type { HallEvent } from "./event.ts";

/** One event in words: `You` `moved` `TASK-012` `from pending to done`. Free of schemas, for pages and commands. */
export interface EventWords {
  who: string;
  did: string;
  /** What the subject is called; absent where the sentence has none. */
  name?: string | undefined;
  more: string;
}

export function eventWords(event: HallEvent): EventWords {
  const { type, subject } = event;
  const sentence = sentences[type];
  if (sentence === undefined) return { who: whoDid(event), did: type, name: subject.id, more: "" };
  const { who = whoDid(event), did, name = subject.id, more = "" } = sentence(event);
  return { who, did, name: name === "" ? undefined : name, more };
}

/** `name` left out: the subject's id; empty: none. */
interface Sentence {
  who?: string | undefined;
  did: string;
  name?: string | undefined;
  more?: string;
}

function whoDid({ actor: { kind, via } }: HallEvent): string {
  if (kind === "person") return via === "file" ? "Somebody, by hand," : "You";
  return kind === "agent" ? "An agent" : "The hall";
}

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const quoted = (value: unknown): string => (text(value) === "" ? "" : `“${cut(text(value), 120)}”`);
const about = ({ after, before }: HallEvent, key: string): string => text(after?.[key]) || text(before?.[key]);
const moved = ({ before, after }: HallEvent): string => {
  const [from, to] = [text(before?.status), text(after?.status)];
  if (to === "") return "";
  return from === "" ? `to ${to}` : `from ${from} to ${to}`;
};
const on = (event: HallEvent): string => (about(event, "taskId") === "" ? "" : `on ${about(event, "taskId")}`);

const sentences: Partial<Record<string, (event: HallEvent) => Sentence>> = {
  "daemon.started": () => ({ who: "The daemon", did: "started", name: "" }),
  "daemon.stopped": () => ({ who: "The daemon", did: "stopped", name: "" }),
  "workspace.created": () => ({ did: "made the workspace", name: "" }),
  "role.created": () => ({ did: "made the role" }),
  "role.updated": () => ({ did: "changed the role" }),
  "role.deleted": () => ({ did: "deleted the role" }),
  "project.created": () => ({ did: "made the project" }),
  "project.updated": () => ({ did: "changed the project" }),
  "project.moved": (event) => ({ did: "moved the project", more: moved(event) }),
  "project.crashed": (event) => ({ who: "The process of", did: "", more: `ended by itself ${crash(event)}`.trim() }),
  "project.removed": () => ({ did: "removed the project" }),
  "assignment.created": (event) => ({ did: "placed the role", name: about(event, "roleId") || undefined }),
  "assignment.updated": (event) => ({ did: "changed the place of", name: about(event, "roleId") || undefined }),
  "assignment.deleted": (event) => ({ did: "took away the role", name: about(event, "roleId") || undefined }),
  "task.created": (event) => ({ did: "made the task", more: quoted(event.after?.title) }),
  "task.updated": () => ({ did: "changed the task" }),
  "task.moved": (event) => ({ did: "moved the task", more: moved(event) }),
  "task.removed": (event) => ({ did: "removed the task", more: quoted(event.before?.title) }),
  "initiative.created": (event) => ({ did: "started the initiative", more: quoted(event.after?.title) }),
  "document.written": () => ({ did: "wrote" }),
  "document.removed": () => ({ did: "removed" }),
  "run.created": (event) => ({
    did: `had ${about(event, "roleId") || "an agent"} begin`,
    name: "a run",
    more: on(event),
  }),
  "run.started": (event) => ({ did: "started", name: "a run", more: attempt(event) }),
  "run.ended": (event) => ({ who: "", did: "", name: "A run", more: `${on(event)} ${ended(event)}`.trim() }),
  "run.notified": (event) => ({ did: "told you in", name: "a run", more: `: ${quoted(event.after?.text)}` }),
  "run.approved": (event) => ({ did: "approved the result of", name: "a run", more: on(event) }),
  "run.rejected": (event) => ({ did: "sent back the result of", name: "a run", more: on(event) }),
  "run.reverted": (event) => ({ did: "took back the result of", name: "a run", more: on(event) }),
  "runs.stopped": () => ({ did: "stopped every run", name: "" }),
  "memory.reflected": (event) => ({ did: "looked back on", name: "a run", more: on(event) }),
  "budget.changed": () => ({ did: "changed the budget", name: "" }),
  "budget.warned": (event) => ({ did: "warned about the budget", name: "", more: quoted(event.after?.text) }),
  "provider.paused": (event) => ({ did: "paused the provider", more: quoted(event.after?.text) }),
  "provider.resumed": () => ({ did: "asks the provider again:" }),
  "checkpoint.created": () => ({ did: "kept a checkpoint", name: "" }),
  "checkpoint.rolledback": () => ({ did: "rolled back to a checkpoint", name: "" }),
  "skill.accepted": () => ({ did: "accepted the skill" }),
  "notification.delivered": () => ({ did: "delivered a notification about" }),
  "notification.failed": (event) => ({
    did: "could not deliver a notification about",
    more: quoted(event.after?.reason),
  }),
  "file.invalid": (event) => ({
    ...{ who: "", did: "", name: fileName(event) },
    more: `was changed by hand and cannot be read${colon(event.why ?? event.after?.reason)}`,
  }),
  "file.mended": (event) => ({ who: "", did: "", name: fileName(event), more: "can be read again" }),
};

const TASK_FILE = /\/TASKS\/[^/]+\/(TASK-[^/]+)\.md$/;

/** A task by its id, anything else by its path. */
function fileName({ subject: { id } }: HallEvent): string {
  return TASK_FILE.exec(id)?.[1] ?? id;
}

function colon(reason: unknown): string {
  return text(reason) === "" ? "" : `: ${cut(text(reason), 160)}`;
}

function crash({ after }: HallEvent): string {
  return quoted(after?.reason ?? after?.error);
}

function attempt({ after }: HallEvent): string {
  const count = Number(after?.attempt ?? 1);
  return count > 1 ? `for the ${count}. time` : "";
}

function ended({ after = {} }: HallEvent): string {
  const words: Record<string, string> = { completed: "is completed", failed: "failed", cancelled: "was stopped" };
  const status = text(after.status);
  const error = text(after.error) === "" ? "" : `: ${cut(text(after.error).split("\n")[0] ?? "", 160)}`;
  return `${words[status] ?? `ended ${status}`}${error}`;
}

function cut(whole: string, most: number): string {
  return whole.length > most ? `${whole.slice(0, most)}…` : whole;
}

/** Nobody reads more of a digest. */
const DIGEST = /\b[0-9a-f]{32,}\b/g;

/** What is said elsewhere, or by every change. */
const SAID = new Set(["id", "projectId", "updatedAt"]);

export interface EventChange {
  field: string;
  from: string;
  to: string;
}

/** What is different after an event, as texts; empty for what was not there. */
export function eventChanges({ before = {}, after = {} }: Pick<HallEvent, "before" | "after">): EventChange[] {
  const fields = Object.keys({ ...before, ...after }).filter((field) => !SAID.has(field));
  return fields.flatMap((field) => {
    const [from, to] = [brief(before[field]), brief(after[field])];
    return from === to ? [] : [{ field, from, to }];
  });
}

function brief(value: unknown): string {
  if (value === undefined || value === null) return "";
  const written = typeof value === "object" ? JSON.stringify(value) : String(value);
  return written.replace(DIGEST, (digest) => `${digest.slice(0, 8)}…`);
}
