import type { HallEvent } from "../event.ts";
import type { WaitCode } from "../runs/activity.ts";
import { cutText } from "./cut-text.ts";
import { receiverWords, senderWords } from "./teams/message-words.ts";
import { activityWords } from "./teams/team-activity.ts";
import { TEAM_STATUS_WORDS } from "./teams/team-phrases.ts";
import { ACTIVITY_TYPES, TEAM_STATUSES } from "./teams/team-words.ts";
import { WAIT_WORDS } from "./wait-words.ts";

/** One event in words: `You` `moved` `TASK-012` `from pending to done`. Free of schemas, for pages and commands. */
export interface EventWords {
  who: string;
  did: string;
  /** What the subject is called; absent where the sentence has none. */
  name?: string | undefined;
  more: string;
}

/** What things that an event names by id are called; undefined where that is not known. */
export interface EventNames {
  role: (id: string) => string | undefined;
  title: (projectId: string, taskId: string) => string | undefined;
  run: (id: string) => { roleId?: string | undefined; taskId?: string | undefined } | undefined;
}

const NO_NAMES: EventNames = { role: () => undefined, title: () => undefined, run: () => undefined };

export function eventWords(event: HallEvent, names = NO_NAMES): EventWords {
  const { type, subject } = event;
  const sentence = sentences[type];
  if (sentence === undefined) return { who: whoDid(event, names), did: type, name: subject.id, more: "" };
  const { who = whoDid(event, names), did, name = subject.id, more = "" } = sentence(event, names);
  return { who, did, name: name === "" ? undefined : name, more };
}

/** `name` left out: the subject's id; empty: none. */
interface Sentence {
  who?: string | undefined;
  did: string;
  name?: string | undefined;
  more?: string;
}

function whoDid({ actor: { kind, via, id = "" } }: HallEvent, names: EventNames): string {
  if (kind === "person") return via === "file" ? "File edit:" : "You";
  if (kind === "client") return id;
  if (kind !== "agent") return "Guildhall";
  const role = names.run(id)?.roleId;
  return role === undefined ? "An agent" : roleName(role, names);
}

function roleName(id: string, names: EventNames): string {
  return names.role(id) ?? id;
}

const LEAD_STATUS_ENDS: Record<string, string> = { idle: "reported", failed: "failed", stopped: "was stopped" };
const RESOLVED: Record<string, string> = {
  answered: "answered",
  dismissed: "dismissed",
  withdrawn: "withdrew",
  expired: "used the default answer of",
};
const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const quoted = (value: unknown): string => (text(value) === "" ? "" : `“${cutText(text(value), 120)}”`);
const about = ({ after, before }: HallEvent, key: string): string => text(after?.[key]) || text(before?.[key]);
const moved = ({ before, after }: HallEvent): string => {
  const [from, to] = [text(before?.status), text(after?.status)];
  if (to === "") return "";
  return from === "" ? `to ${to}` : `from ${from} to ${to}`;
};
const titleOf = ({ projectId = "" }: HallEvent, taskId: string, names: EventNames): string =>
  quoted(names.title(projectId, taskId));
const ofRole = (event: HallEvent, names: EventNames): string => {
  const id = about(event, "roleId") || names.run(event.subject.id)?.roleId;
  return id === undefined ? "" : `of ${roleName(id, names)}`;
};
const on = (event: HallEvent, names: EventNames): string => {
  const id = about(event, "taskId") || names.run(event.subject.id)?.taskId;
  return id === undefined ? "" : joined(`on ${id}`, titleOf(event, id, names));
};
/** A decision about a result, with what kept its task from following. */
const decided = (event: HallEvent, names: EventNames): string => {
  const stuck = event.after?.taskNotMoved;
  const reason = typeof stuck === "object" && stuck !== null && "reason" in stuck ? text(stuck.reason) : "";
  return reason === "" ? on(event, names) : `${on(event, names)}, but the task was not moved: ${cutText(reason, 300)}`;
};
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");
const placed = (event: HallEvent, names: EventNames): string | undefined => {
  const id = about(event, "roleId");
  return id === "" ? undefined : roleName(id, names);
};
const theRole = ({ subject: { id } }: HallEvent, names: EventNames): string => roleName(id, names);
const theTask = (event: HallEvent, names: EventNames): string => titleOf(event, event.subject.id, names);

const VERDICTS: Record<string, string> = {
  pass: "passed",
  fail: "failed",
  unable: "could not be judged",
  skipped: "was skipped",
};
const stageWords = ({ stage, verdict, score }: Record<string, unknown>): string =>
  `${text(stage)} ${VERDICTS[text(verdict)] ?? "ended"}${text(score) === "" ? "" : ` (${text(score)})`}`;
const verdictWords = ({ verdict, score, threshold, title }: Record<string, unknown>): string =>
  joined(
    VERDICTS[text(verdict)] ?? "ended",
    text(score) === "" ? "" : `with ${text(score)} of ${text(threshold)}`,
    quoted(title),
  );

const sentences: Partial<Record<string, (event: HallEvent, names: EventNames) => Sentence>> = {
  "daemon.started": () => ({ who: "The daemon", did: "started", name: "" }),
  "daemon.stopped": () => ({ who: "The daemon", did: "stopped", name: "" }),
  "workspace.migrated": ({ projectId }) =>
    projectId === undefined
      ? { did: "migrated the workspace to a newer format", name: "" }
      : { did: "migrated the runs of", more: "to a newer format" },
  "workspace.created": () => ({ did: "created the workspace", name: "" }),
  "role.created": (event, names) => ({ did: "created the role", name: theRole(event, names) }),
  "role.updated": (event, names) => ({ did: "updated the role", name: theRole(event, names) }),
  "role.deleted": () => ({ did: "deleted the role" }),
  "project.created": () => ({ did: "created the project" }),
  "project.updated": () => ({ did: "updated the project" }),
  "project.moved": (event) => ({ did: "moved the project", more: moved(event) }),
  "project.crashed": (event) => ({ who: "The process of", did: "", more: `crashed ${crash(event)}`.trim() }),
  "project.removed": () => ({ did: "removed the project" }),
  "workdir.recorded": () => ({ did: "recorded the working folder of" }),
  "workdir.confirmed": () => ({ did: "confirmed the working folder of" }),
  "workdir.git_set_aside": ({ after }) =>
    after?.isWhole === false
      ? { did: "could not search every folder for a new '.git' in", more: quoted(after.paths) }
      : { did: "renamed a '.git' in", more: quoted(after?.paths) },
  "assignment.created": (event, names) => ({ did: "added", name: placed(event, names), more: "to the team" }),
  "assignment.updated": (event, names) => ({ did: "updated", name: placed(event, names), more: "on the team" }),
  "assignment.deleted": (event, names) => ({ did: "removed", name: placed(event, names), more: "from the team" }),
  "task.created": (event) => ({ did: "created the task", more: quoted(event.after?.title) }),
  "task.updated": (event, names) => ({ did: "updated the task", more: theTask(event, names) }),
  "task.moved": (event, names) => ({ did: "moved the task", more: joined(theTask(event, names), moved(event)) }),
  "task.removed": (event) => ({ did: "removed the task", more: quoted(event.before?.title) }),
  "initiative.updated": (event) => ({ did: "moved the initiative", more: moved(event) }),
  "lead.started": (event) => ({ did: "started the lead of", name: about(event, "initiative") }),
  "lead.ended": (event) => ({
    ...{ who: "The lead of", did: "", name: about(event, "initiative") },
    more: joined(LEAD_STATUS_ENDS[text(event.after?.status)] ?? "ended", quoted(event.after?.text)),
  }),
  "initiative.created": (event) => ({ did: "started the initiative", more: quoted(event.after?.title) }),
  "document.written": () => ({ did: "wrote" }),
  "document.removed": () => ({ did: "removed" }),
  "run.created": (event, names) => ({
    ...{ did: "queued", name: "a run" },
    more: joined(ofRole(event, names), on(event, names)),
  }),
  "run.started": (event, names) => ({ did: "started", name: "a run", more: joined(on(event, names), attempt(event)) }),
  "run.ended": (event, names) => ({
    ...{ who: "", did: "", name: "A run" },
    more: joined(ofRole(event, names), on(event, names), ended(event)),
  }),
  "run.notified": (event) => ({ did: "sent a notification from", name: "a run", more: quoted(event.after?.text) }),
  "run.waiting": (event, names) => ({
    ...{ who: "", did: "", name: "A run" },
    more: joined(on(event, names), "is waiting", waitedFor(event)),
  }),
  "run.resumed": (event, names) => ({
    ...{ who: "", did: "", name: "A run" },
    more: joined(on(event, names), "continues"),
  }),
  "run.approved": (event, names) => ({ did: "approved the result of", name: "a run", more: decided(event, names) }),
  "run.rejected": (event, names) => ({
    did: "requested changes to the result of",
    name: "a run",
    more: decided(event, names),
  }),
  "run.reverted": (event, names) => ({ did: "reverted the result of", name: "a run", more: decided(event, names) }),
  "run.discarded": (event, names) => ({ did: "discarded the result of", name: "a run", more: decided(event, names) }),
  "run.restored": (event, names) => ({ did: "restored the result of", name: "a run", more: decided(event, names) }),
  "run.hindered": (event, names) => ({
    did: "could not merge the result of",
    name: "a run",
    more: joined(on(event, names), cutText(text(event.after?.reason), 300)),
  }),
  "runs.stopped": () => ({ did: "stopped all runs", name: "" }),
  "memory.reflected": (event, names) => ({ did: "reflected on", name: "a run", more: on(event, names) }),
  "budget.changed": ({ subject }) =>
    subject.kind === "team"
      ? { did: "changed the budget of", name: "a team" }
      : { did: "changed the budget", name: "" },
  "budget.warned": (event) => ({ did: "warned about the budget", name: "", more: quoted(event.after?.text) }),
  "settings.changed": (event) => ({
    did: "changed settings",
    name: "",
    more: Object.keys(event.after ?? {}).join(", "),
  }),
  "provider.changed": (event) => ({
    did: event.after?.key === undefined ? "changed the provider" : "set the API key of",
  }),
  "provider.removed": () => ({ did: "removed the API key of" }),
  "provider.paused": (event) => ({ did: "paused the provider", more: quoted(event.after?.text) }),
  "device.paired": (event) => ({ did: "paired the device", name: about(event, "name") }),
  "device.removed": (event) => ({ did: "signed out the device", name: about(event, "name") }),
  "provider.resumed": () => ({ did: "resumed the provider" }),
  "checkpoint.created": () => ({ did: "saved a checkpoint", name: "" }),
  "checkpoint.rolledback": () => ({ did: "rolled back to a checkpoint", name: "" }),
  "orchestrator.paused": () => ({ did: "paused the orchestrator", name: "" }),
  "orchestrator.resumed": () => ({ did: "resumed the orchestrator", name: "" }),
  "orchestrator.cycle": (event) => ({
    ...{ who: "The orchestrator", did: "ran a cycle", name: "" },
    more: `${Number(event.after?.started ?? 0)} started, ${Number(event.after?.proposed ?? 0)} proposed`,
  }),
  "briefing.created": (event) => ({ did: "created the briefing of", more: quoted(event.after?.needs) }),
  "escalation.created": (event) => ({ did: "asked", more: quoted(event.after?.question) }),
  "escalation.joined": (event) => ({ did: "asked the same as", more: quoted(event.after?.question) }),
  "escalation.promoted": () => ({ did: "sent to you:" }),
  "escalation.updated": () => ({ did: "changed" }),
  "escalation.resolved": (event) => ({
    did: RESOLVED[text(event.after?.outcome)] ?? "resolved",
    more: quoted(event.after?.resolution),
  }),
  "escalation.reopened": () => ({ did: "reopened" }),
  "escalation.reminded": () => ({ did: "reminded you of" }),
  "escalation.delivered": () => ({ did: "delivered the answer to" }),
  "escalation.removed": () => ({ did: "removed" }),
  "rule.created": (event) => ({ did: "added the answer rule", more: quoted(event.after?.question) }),
  "rule.updated": () => ({ did: "changed the answer rule" }),
  "rule.removed": (event) => ({ did: "removed the answer rule", more: quoted(event.before?.question) }),
  "grant.created": (event) => ({ did: "gave the permission", more: quoted(event.after?.text) }),
  "grant.revoked": (event) => ({ did: "revoked the permission", more: quoted(event.before?.text) }),
  "grant.ended": () => ({ did: "ended the permission" }),
  "permission.used": (event) => ({ did: "used the permission", more: quoted(event.after?.subject) }),
  "permission.refused": (event) => ({
    did: "was refused",
    name: text(event.after?.tool),
    more: quoted(event.after?.subject),
  }),
  "gate.started": (event) => ({ did: "started gate", more: quoted(event.after?.title) }),
  "gate.stage": ({ after }) => ({ who: "Gate", did: "", more: stageWords(after ?? {}) }),
  "gate.finished": ({ after }) => ({ who: "Gate", did: "", more: verdictWords(after ?? {}) }),
  "gate.waived": ({ why }) => ({ did: "waived a finding of gate", more: quoted(why) }),
  "hook.refused": (event) => ({
    ...{ who: "The hook", did: "", more: `refused ${text(event.after?.what)}${colon(event.after?.text)}` },
  }),
  "hook.failed": (event) => ({ who: "The hook", did: "", more: `failed${colon(event.after?.text)}` }),
  "hook.switched": (event) => ({ did: event.after?.enabled === true ? "enabled the hook" : "disabled the hook" }),
  "hook.accepted": () => ({ did: "accepted the hook" }),
  "skill.imported": () => ({ did: "imported the skill" }),
  "skill.accepted": () => ({ did: "accepted the skill" }),
  "instructions.accepted": () => ({ did: "accepted the instructions in" }),
  "review.started": (event, names) => ({
    ...{ did: "started", name: "the review" },
    more: joined(on(event, names), cycled(event)),
  }),
  "review.passed": (event, names) => ({
    ...{ who: "", did: "", name: "The review" },
    more: joined(on(event, names), "passed", cycled(event), scored(event)),
  }),
  "review.failed": (event, names) => ({
    ...{ who: "", did: "", name: "The review" },
    more: joined(on(event, names), reviewFailed(event), cycled(event), scored(event)),
  }),
  "review.escalated": (event, names) => ({
    ...{ who: "", did: "", name: "The review" },
    more: joined(on(event, names), reviewEscalated(event)),
  }),
  "review.skipped": (event, names) => ({
    ...{ did: "skipped", name: "the review" },
    more: joined(on(event, names), skippedFor(event)),
  }),
  "review.queue_full": (event, names) => ({
    ...{ who: "", did: "", name: "The review" },
    more: joined(on(event, names), `was left to you: ${text(event.after?.queued)} results were waiting already`),
  }),
  "review.remediation_needed": (event, names) => ({
    ...{ did: "found missing requirements", name: "" },
    more: joined(on(event, names), listed(event.after?.requirements)),
  }),
  "review.approved": (event, names) => ({
    ...{ did: "approved", name: "the result" },
    more: joined(on(event, names), "which is merged once the quality gates have checked it again"),
  }),
  "integration.started": () => ({ did: "started the integration check" }),
  "integration.passed": () => ({ who: "The integration check", did: "", more: "passed" }),
  "integration.failed": (event) => ({
    ...{ who: "The integration check", did: "" },
    more: `failed${colon(event.after?.reason)}`,
  }),
  "team.created": (event) => ({ did: "started the team", name: about(event, "name") || event.subject.id }),
  "team.moved": (event) => ({ who: "", did: "", name: "A team", more: teamMoved(event) }),
  "team.activity": (event) => ({ who: "", did: "", name: "Team:", more: teamActivity(event) }),
  "team.message": (event) => ({
    ...{ who: senderWords({ from: text(event.after?.from) }), did: "wrote to" },
    name: receiverWords({ to: text(event.after?.to) }),
  }),
  "team.spec_changed": (event) => ({
    ...{ did: "changed the spec of", name: "a team" },
    more: listed(event.after?.changed),
  }),
  "team.cleaned": () => ({ did: "archived", name: "a team" }),
  "file.conflict": (event) => ({
    ...{ who: "Two runs", did: "changed", name: text(event.after?.path) || event.subject.id },
    more: event.after?.mode === "strict" ? "(the second one was refused)" : "",
  }),
  "trigger.created": () => ({ did: "created the trigger" }),
  "trigger.updated": () => ({ did: "changed the trigger" }),
  "trigger.removed": () => ({ did: "removed the trigger" }),
  "trigger.ended": (event) => ({ who: "The trigger", did: "", more: `fired${colon(event.after?.text)}` }),
  "notification.delivered": () => ({ did: "delivered a notification about" }),
  "notification.failed": (event) => ({
    did: "could not deliver a notification about",
    more: quoted(event.after?.reason),
  }),
  "file.invalid": (event) => ({
    ...{ who: "", did: "", name: fileName(event) },
    more: `was edited and can't be read${colon(event.why ?? event.after?.reason)}`,
  }),
  "file.mended": (event) => ({ who: "", did: "", name: fileName(event), more: "is valid again" }),
};

const TASK_FILE = /\/TASKS\/[^/]+\/(TASK-[^/]+)\.md$/;

/** A task by its id, anything else by its path. */
function fileName({ subject: { id } }: HallEvent): string {
  return TASK_FILE.exec(id)?.[1] ?? id;
}

function colon(reason: unknown): string {
  return text(reason) === "" ? "" : `: ${cutText(text(reason), 160)}`;
}

function scored({ after }: HallEvent): string {
  return typeof after?.score === "number" ? `with a score of ${Math.round(after.score)}` : "";
}

function cycled({ after }: HallEvent): string {
  const cycle = Number(after?.cycle ?? 1);
  return cycle > 1 ? `(cycle ${cycle})` : "";
}

function reviewFailed({ after }: HallEvent): string {
  return text(after?.nextRunId) === "" ? "failed" : "failed, and its findings went to a new run";
}

function reviewEscalated({ after }: HallEvent): string {
  if (after?.to === "person") return `was escalated to you${colon(after.reason)}`;
  const model = text(after?.model);
  return `was escalated${model === "" ? "" : ` to ${model}`} for one more try`;
}

function skippedFor({ after }: HallEvent): string {
  const type = text(after?.taskType);
  return type === "" ? "" : `because a ${type} task has no code to judge`;
}

function listed(value: unknown): string {
  return Array.isArray(value) ? cutText(value.map(text).join(", "), 160) : "";
}

function teamMoved({ after }: HallEvent): string {
  const status = TEAM_STATUSES.find((each) => each === after?.status);
  return `is now ${status === undefined ? text(after?.status) : TEAM_STATUS_WORDS[status].toLowerCase()}${colon(after?.reason)}`;
}

function teamActivity({ after = {} }: HallEvent): string {
  const type = ACTIVITY_TYPES.find((each) => each === after.type);
  if (type === undefined) return "";
  const data = typeof after.data === "object" && after.data !== null ? { ...after.data } : {};
  const member = text(after.member) === "" ? {} : { member: text(after.member) };
  const { who, did, more } = activityWords({ seq: 0, at: "", type, data, ...member });
  return `${joined(who, did, text(after.task))}${more}`;
}

function crash({ after }: HallEvent): string {
  return quoted(after?.reason ?? after?.error);
}

function attempt({ after }: HallEvent): string {
  const count = Number(after?.attempt ?? 1);
  return count > 1 ? `(attempt ${count})` : "";
}

function waitedFor({ after }: HallEvent): string {
  const words = WAIT_WORDS[text(after?.waitingFor) as WaitCode];
  return words === undefined ? "" : `for ${words}`;
}

function ended({ after = {} }: HallEvent): string {
  const words: Record<string, string> = { completed: "completed", failed: "failed", cancelled: "was stopped" };
  const status = text(after.status);
  const error = text(after.error) === "" ? "" : `: ${cutText(text(after.error).split("\n")[0] ?? "", 160)}`;
  return `${words[status] ?? `ended ${status}`}${error}`;
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
