import { callIn, toldBy } from "../../../src/contract/call-words.ts";

/** What an agent is at, in words: from the name of a tool and its input, which may be cut, or from a few words of its own. */
export function doingWords(activity: string): string {
  const call = callIn(activity);
  if (call === undefined) return own[activity] ?? activity;
  const words = tools[call.name]?.((key) => shortened(toldBy(key, call.input)));
  return words ?? `uses ${call.name.replaceAll("_", " ")}`;
}

type Told = (key: string) => string;

const own: Record<string, string> = { thinking: "thinks", writing: "writes" };

const tools: Record<string, (told: Told) => string> = {
  reply: (told) => (told("channelType") === "project" ? `asks ${told("channelId") || "a project"}` : "answers"),
  list_projects: () => "looks at the projects",
  project_status: (told) => `looks at ${told("name") || "a project"}`,
  create_project: (told) => `makes the project ${told("name")}`.trim(),
  spawn_subagent: (told) => `starts ${told("role") || "an agent"}`,
  task_list: () => "looks at the board",
  task_get: (told) => `reads ${told("id") || "a task"}`,
  task_create: (told) => `puts “${told("title")}” on the board`,
  task_update: (told) => `changes ${told("id") || "a task"}`,
  task_complete: (told) => `marks ${told("id") || "a task"} as done`,
  initiative_list: () => "looks at the initiatives",
  initiative_create: (told) => `starts the initiative “${told("title")}”`,
  plan_read: (told) => `reads the plan ${told("slug")}`,
  plan_edit: (told) => `changes the plan ${told("slug")}`,
  knowledge_add: () => "notes something it learned",
  knowledge_search: (told) => `looks for “${told("query")}” in the knowledge`,
  knowledge_promote: () => "shares a statement with the hall",
  memory_list: () => "looks into its memory",
  memory_read: () => "reads its memory",
  memory_write: () => "writes to its memory",
  memory_patch: () => "writes to its memory",
  memory_append: () => "writes to its memory",
  session_archive_read: () => "reads what was said before",
  web_fetch: (told) => `reads ${told("url")}`,
  web_search: (told) => `looks for “${told("query")}” on the web`,
  read: (told) => `reads ${told("path")}`,
  list: (told) => `looks into ${told("path") || "the folder"}`,
  search: (told) => `looks for ${told("pattern")}`,
  edit: (told) => `edits ${told("path")}`,
  write: (told) => `writes ${told("path")}`,
  exec: (told) => `runs ${told("command")}`,
  notify: () => "tells you something",
};

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line;
}
