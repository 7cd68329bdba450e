import type { RunWait } from "../documents/budget.ts";
import type { Activity } from "../runs/activity.ts";
import { callSubject, fieldOf, shortened } from "./call-words.ts";
import { hintText } from "./hint.ts";
import { WAIT_WORDS } from "./wait-words.ts";

/** Of an input, as much as is searched for its subject. */
const MOST_SEARCHED = 20_000;
const LONGEST_SUBJECT = 200;
const LONGEST_DETAIL = 2_000;

type Field = (name: string) => string;

interface ToolWords {
  /** What a call is about, empty when it is about nothing in particular; without this, what `callSubject` finds. */
  about?: (field: Field) => string;
  words: (subject: string) => string;
}

const nothing = () => "";
const ofId = (field: Field) => field("id");
const ofName = (field: Field) => field("name");
const ofSlug = (field: Field) => field("slug");
const ofTitle = (field: Field) => field("title");
const named = (before: string, other: string) => (subject: string) => `${before} ${subject || other}`;
const quoted = (before: string, after = "") => {
  return (subject: string) =>
    [before, subject === "" ? "" : `“${subject}”`, after].filter((part) => part !== "").join(" ");
};
const always = (words: string): ToolWords => ({ about: nothing, words: () => words });

/** One row for each tool: what its call is about, and how that is said. */
const TOOLS: Record<string, ToolWords> = {
  reply: {
    about: (field) => (field("channelType") === "project" ? field("channelId") : ""),
    words: (project) => (project === "" ? "answering" : `asking ${project}`),
  },
  list_projects: always("listing projects"),
  needs_attention: always("checking what needs you"),
  project_status: { about: ofName, words: named("looking at", "a project") },
  create_project: { about: ofName, words: named("creating project", "") },
  edit_project: { about: ofName, words: named("describing", "a project") },
  suspend_project: { about: ofName, words: named("suspending", "a project") },
  resume_project: { about: ofName, words: named("resuming", "a project") },
  complete_project: { about: ofName, words: named("completing", "a project") },
  archive_project: { about: ofName, words: named("archiving", "a project") },
  spawn_subagent: { about: (field) => field("role"), words: named("starting", "an agent") },
  delegate: { about: (field) => field("to"), words: named("asking", "a subagent") },
  team_msg: always("using what its team shares"),
  task_list: always("reading the board"),
  task_get: { about: ofId, words: named("reading", "a task") },
  task_create: { about: ofTitle, words: quoted("adding", "to the board") },
  task_update: { about: ofId, words: named("changing", "a task") },
  task_complete: { about: ofId, words: (id) => `marking ${id || "a task"} as done` },
  initiative_list: always("listing initiatives"),
  initiative_create: { about: ofTitle, words: quoted("starting the initiative") },
  plan_read: { about: ofSlug, words: named("reading the plan", "of an initiative") },
  plan_edit: { about: ofSlug, words: named("changing the plan", "of an initiative") },
  knowledge_add: always("saving knowledge"),
  knowledge_search: { about: (field) => field("query"), words: quoted("searching knowledge for") },
  knowledge_promote: always("sharing knowledge with all projects"),
  memory_list: always("listing its memory"),
  memory_read: always("reading its memory"),
  memory_write: always("writing to its memory"),
  memory_patch: always("writing to its memory"),
  memory_append: always("writing to its memory"),
  session_archive_read: always("reading the earlier conversation"),
  web_fetch: { about: (field) => field("url"), words: named("reading", "a web page") },
  web_search: { about: (field) => field("query"), words: quoted("searching the web for") },
  use_skill: { words: named("reading the skill", "") },
  read: { words: named("reading", "a file") },
  list: { words: named("listing", "the folder") },
  search: { words: named("searching for", "text") },
  edit: { about: (field) => field("path"), words: named("editing", "a file") },
  write: { about: (field) => field("path"), words: named("writing", "a file") },
  exec: { about: (field) => field("command"), words: named("running", "a command") },
  report: always("reporting its result"),
  notify: always("sending a notification"),
};

/** What a call does and what it is about; the subject may hold secrets and be long, see `shownActivity`. */
export function callActivity(name: string, input: string): Extract<Activity, { kind: "tool" }> {
  const searched = input.slice(0, MOST_SEARCHED);
  const about = TOOLS[name]?.about;
  const subject = about === undefined ? callSubject(searched) : about((field) => fieldOf(searched, field));
  return { kind: "tool", name, ...(subject === "" ? {} : { subject }) };
}

/** Of an agent whose model call waits, or may be sent again. */
export function activityOf(wait: RunWait | undefined): Activity {
  if (wait === undefined) return { kind: "thinking" };
  const { reason, text, hintAction } = wait;
  return { kind: "waiting", for: reason, detail: text, ...(hintAction === undefined ? {} : { hintAction }) };
}

/** As others may see it. First without secrets, then short: half a secret is not recognized. */
export function shownActivity(activity: Activity, redact: (text: string) => string): Activity {
  const shown = (text: string, longest: number) => shortened(redact(text), longest);
  if (activity.kind === "tool" && activity.subject !== undefined)
    return { ...activity, subject: shown(activity.subject, LONGEST_SUBJECT) };
  if ((activity.kind === "waiting" || activity.kind === "retrying") && activity.detail !== undefined)
    return { ...activity, detail: shown(activity.detail, LONGEST_DETAIL) };
  return activity;
}

/** What an agent is doing, for people: "thinking", "reading src/login.ts", "waiting for budget: …". */
export function activityWords(activity: Activity): string {
  switch (activity.kind) {
    case "thinking":
      return "thinking";
    case "summarizing":
      return "summarizing the conversation so far";
    case "tool":
      return toolWords(activity);
    case "retrying":
      return `retrying in ${activity.seconds} s: ${activity.detail}`;
    case "waiting":
      return waitingWords(activity);
  }
}

/** The same, and what would end a wait, where a person can. */
export function activityWithHint(activity: Activity, calledAs?: string): string {
  const help = activity.kind === "waiting" ? activity.hintAction : undefined;
  return help === undefined ? activityWords(activity) : `${activityWords(activity)}. ${hintText(help, calledAs)}`;
}

function toolWords({ name, subject = "" }: Extract<Activity, { kind: "tool" }>): string {
  const words = Object.hasOwn(TOOLS, name) ? TOOLS[name]?.words(subject) : undefined;
  return (words ?? `using ${name.replaceAll("_", " ")} ${subject}`).trim();
}

function waitingWords({ for: what, detail, run, folder }: Extract<Activity, { kind: "waiting" }>): string {
  const why = detail ?? (run === undefined ? "" : `${run} is working in ${folder ?? "the same folder"}`);
  return `waiting for ${WAIT_WORDS[what]}${why === "" ? "" : `: ${why}`}`;
}
