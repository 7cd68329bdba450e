import { type Found, fieldsOf, idFrom, listIn, notRead, textIn } from "./found.ts";
import { memoryPage, skillsIn } from "./pages.ts";
import type { ReadJson, SourceFolder } from "./source-folder.ts";

const PAGES = ["IDENTITY.md", "SOUL.md", "USER.md", "MEMORY.md", "TOOLS.md", "AGENTS.md", "HEARTBEAT.md"];
const KNOWN = ["workspace", "skills", "cron"];

/** The main workspace becomes memory of the main agent, other agents become roles, and jobs become paused triggers. */
export function readOpenClaw(folder: SourceFolder): Found[] {
  const rest = folder.list(".").flatMap(({ name, path, kind }): Found[] => {
    if (KNOWN.includes(name) && kind === "folder") return [];
    if (name.startsWith("workspace-") && kind === "folder")
      return [agentIn(folder, path, name.slice("workspace-".length))];
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
    ...rest,
  ];
}

/** Its pages are its prompt. Tools are not taken over: the person gives them. */
function agentIn(folder: SourceFolder, at: string, name: string): Found {
  const id = idFrom(name);
  const texts = ["IDENTITY.md", "SOUL.md", "AGENTS.md"].flatMap((page) => {
    const read = folder.text(`${at}/${page}`);
    return read.ok ? [read.text.trim()] : [];
  });
  if (id === undefined || texts.length === 0) return { thing: "role", source: at, left: "unknown" };
  const front = `---\nname: ${id}\ndescription: Imported from OpenClaw\ntools: Read\n---\n`;
  return { thing: "role", source: at, text: `${front}${texts.join("\n\n")}\n` };
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
  const broken = (reason: string): Found => ({ thing: "trigger", source: path, line: read.lineOf(at), broken: reason });
  if (id === undefined) return broken("name: is missing");
  if (text === "") return broken("payload: has no message");
  const on = scheduleOf(fieldsOf(job.schedule));
  if (on === undefined) return { thing: "trigger", source: path, left: "schedule", detail: name.slice(0, 200) };
  return { thing: "trigger", source: path, id, on, text, description: `Imported from OpenClaw: ${name}`.slice(0, 300) };
}

/** A job for one moment has no counterpart. */
function scheduleOf(schedule: Record<string, unknown>): object | undefined {
  const cron = textIn(schedule.expr);
  const timezone = textIn(schedule.tz);
  if (schedule.kind === "cron" && cron !== "") return { cron, ...(timezone === "" ? {} : { timezone }) };
  const every = Number(schedule.everyMs);
  return schedule.kind === "every" && every >= 60_000 ? { interval: `${Math.round(every / 60_000)}m` } : undefined;
}
