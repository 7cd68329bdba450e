import { Fitting, type Found, fieldsOf, idFrom, listIn, NO_ID, notRead, restOf, textIn } from "./found.ts";
import { memoryPage, skillsIn } from "./pages.ts";
import type { ReadJson, SourceFolder } from "./source-folder.ts";

/** What the role of an agent is made of. */
const PROMPT_PAGES = ["IDENTITY.md", "SOUL.md", "AGENTS.md"];
const PAGES = ["IDENTITY.md", "SOUL.md", "USER.md", "MEMORY.md", "TOOLS.md", "AGENTS.md", "HEARTBEAT.md"];
const KNOWN = ["workspace", "skills", "cron"];

/** The main workspace becomes memory of the main agent, other agents become roles, and jobs become paused triggers. */
export function readOpenClaw(folder: SourceFolder): Found[] {
  const rest = folder.list(".").flatMap(({ name, path, kind }): Found[] => {
    if (KNOWN.includes(name) && kind === "folder") return [];
    if (name.startsWith("workspace-") && kind === "folder")
      return agentIn(folder, path, name.slice("workspace-".length));
    if (name === "agents")
      return folder.list(path).map((agent) => ({ thing: "file", source: agent.path, left: "session" }));
    if (/^(?:openclaw|clawdbot)\.json/.test(name)) return [{ thing: "file", source: path, left: "settings" }];
    return [
      {
        thing: "file",
        source: path,
        left: /credential|^\.env|secret|identity|devices/i.test(name) ? "secret" : "unknown",
      },
    ];
  });
  const pages = folder.list("workspace").flatMap(({ name, path }): Found[] => {
    if (PAGES.includes(name)) return [memoryPage(folder, path, "openclaw")];
    if (name === "memory") return [{ thing: "memory", source: path, left: "daily_notes" }];
    return name === "skills" ? [] : [{ thing: "file", source: path, left: "unknown" }];
  });
  return [
    ...pages,
    ...skillsIn(folder, "workspace/skills"),
    ...skillsIn(folder, "skills"),
    ...jobsIn(folder, "cron/jobs.json"),
    ...restOf(folder, "cron", ["jobs.json"]),
    ...rest,
  ];
}

/** Its pages are its prompt. Tools are not taken over: the person gives them. */
function agentIn(folder: SourceFolder, at: string, name: string): Found[] {
  const id = idFrom(name);
  const texts: string[] = [];
  const unread: Found[] = [];
  for (const page of PROMPT_PAGES) {
    const path = `${at}/${page}`;
    const read = folder.text(path);
    if (read.ok) texts.push(read.text.trim());
    else if (read.reason !== "missing") unread.push(notRead("role", path, read));
  }
  const rest = [...unread, ...restOf(folder, at, PROMPT_PAGES)];
  if (id === undefined || texts.length === 0) {
    const detail = id === undefined ? NO_ID : `none of ${PROMPT_PAGES.join(", ")} can be read`;
    return [{ thing: "role", source: at, left: "unknown", detail }, ...rest];
  }
  const front = `---\nname: ${id}\ndescription: Imported from OpenClaw\ntools: Read\n---\n`;
  return [{ thing: "role", source: at, text: `${front}${texts.join("\n\n")}\n` }, ...rest];
}

function jobsIn(folder: SourceFolder, path: string): Found[] {
  if (!folder.has(path, "file")) return [];
  const read = folder.json(path);
  if (!read.ok) return [notRead("trigger", path, read)];
  const isList = Array.isArray(read.value);
  return listIn(isList ? read.value : fieldsOf(read.value).jobs).map((job, index) =>
    jobIn(fieldsOf(job), { path, read, at: isList ? String(index) : `jobs/${index}` }),
  );
}

function jobIn(
  job: Record<string, unknown>,
  { path, read, at }: { path: string; read: ReadJson & { ok: true }; at: string },
): Found {
  const name = textIn(job.name) || textIn(job.id);
  const id = idFrom(name);
  const payload = fieldsOf(job.payload);
  const text = (textIn(payload.message) || textIn(payload.text)).trim();
  const line = read.lineOf(at);
  const broken = (reason: string): Found => ({ thing: "trigger", source: path, line, broken: reason });
  if (name === "") return broken("name: is missing");
  if (id === undefined) return broken(`name: ${NO_ID}`);
  if (text === "") return broken("payload: has no message");
  const on = scheduleOf(fieldsOf(job.schedule));
  if (on === undefined) return { thing: "trigger", source: path, line, left: "schedule", detail: name.slice(0, 200) };
  const description = new Fitting().line("description", `Imported from OpenClaw: ${name}`, 300);
  return { thing: "trigger", source: path, line, id, on, text, description };
}

/** A job for one moment has no counterpart. */
function scheduleOf(schedule: Record<string, unknown>): object | undefined {
  const cron = textIn(schedule.expr);
  const timezone = textIn(schedule.tz);
  if (schedule.kind === "cron" && cron !== "") return { cron, ...(timezone === "" ? {} : { timezone }) };
  const seconds = Math.round(Number(schedule.everyMs) / 1_000);
  if (schedule.kind !== "every" || !(seconds >= 60)) return undefined;
  return { interval: seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s` };
}
