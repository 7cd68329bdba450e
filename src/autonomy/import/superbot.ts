import { ESCALATION_TYPES } from "../../contract/documents/escalation-status.ts";
import { PROJECT_TOPICS, type Topic } from "../../contract/documents/knowledge.ts";
import { TASK_PRIORITIES } from "../../contract/documents/task-status.ts";
import { type Found, fieldsOf, idFrom, listIn, notRead, statementsIn, textIn } from "./found.ts";
import { memoryPage } from "./pages.ts";
import type { SourceFolder } from "./source-folder.ts";

const HALL_PAGES = ["conventions", "preferences", "decisions"] as const;
const ESCALATION_FOLDERS = ["draft", "pending", "resolved"];
/** What a task was there, and is here: nobody works on it any more. */
const STATUSES: Record<string, "pending" | "done" | "cancelled"> = {
  completed: "done",
  done: "done",
  cancelled: "cancelled",
};

/** Spaces with their plans, tasks and knowledge, and what holds for all of them. */
export function readSuperbot(folder: SourceFolder): Found[] {
  const top = folder.list(".").flatMap(({ name, path, kind }): Found[] => {
    if (["spaces", "knowledge", "escalations"].includes(name) && kind === "folder") return [];
    if (["IDENTITY.md", "USER.md", "MEMORY.md"].includes(name)) return [memoryPage(folder, path, "superbot")];
    if (name === "config.json") return [{ thing: "file", source: path, left: "settings" }];
    if (name === "daily") return [{ thing: "file", source: path, left: "daily_notes" }];
    if (["sessions", "session", "logs"].includes(name)) return [{ thing: "file", source: path, left: "session" }];
    return [{ thing: "file", source: path, left: /^\.env|credential|secret/i.test(name) ? "secret" : "unknown" }];
  });
  return [
    ...top,
    ...folder.list("spaces").flatMap(({ name, path, kind }) => spaceIn(folder, { name, path, kind })),
    ...knowledgeIn(folder, "knowledge", HALL_PAGES, undefined),
    ...ESCALATION_FOLDERS.flatMap((state) =>
      folder.list(`escalations/${state}`).flatMap(({ path }) => escalationIn(folder, path)),
    ),
  ];
}

function spaceIn(folder: SourceFolder, { name, path, kind }: { name: string; path: string; kind: string }): Found[] {
  const id = idFrom(name);
  if (kind !== "folder" || id === undefined)
    return [{ thing: "project", source: path, left: kind === "other" ? "link" : "unknown" }];
  const read = folder.json(`${path}/space.json`);
  if (!read.ok) return [notRead("project", `${path}/space.json`, read)];
  const space = fieldsOf(read.value);
  const overview = folder.text(`${path}/OVERVIEW.md`);
  const code = textIn(space.codeDir);
  const first: Found = {
    thing: "project",
    source: path,
    id,
    name: textIn(space.name).trim().slice(0, 120) || name,
    description: textIn(space.description).slice(0, 20_000),
    background: overview.ok ? overview.text.slice(0, 20_000) : "",
  };
  return [
    first,
    ...(code === ""
      ? []
      : [
          {
            thing: "file",
            source: `${path}/space.json`,
            left: "folder_not_named",
            detail: code.slice(0, 500),
          } as const,
        ]),
    ...knowledgeIn(folder, `${path}/knowledge`, PROJECT_TOPICS, id),
    ...folder.list(`${path}/plans`).flatMap(({ name: plan, path: at }) => planIn(folder, { plan, at, projectId: id })),
  ];
}

function planIn(
  folder: SourceFolder,
  { plan, at, projectId }: { plan: string; at: string; projectId: string },
): Found[] {
  const id = idFrom(plan);
  if (id === undefined || !folder.has(at, "folder")) return [{ thing: "initiative", source: at, left: "unknown" }];
  const page = folder.text(`${at}/plan.md`);
  const title = (page.ok && /^#\s+(.+)$/m.exec(page.text)?.[1]?.trim().slice(0, 200)) || plan;
  const begun: Found = page.ok
    ? { thing: "initiative", source: `${at}/plan.md`, projectId, id, title, plan: page.text }
    : notRead("initiative", `${at}/plan.md`, page);
  const tasks = folder
    .list(`${at}/tasks`)
    .filter(({ name }) => name.endsWith(".json"))
    .map(({ path }) => taskIn(folder, path, { projectId, plan: id }));
  return [begun, ...inOrder(tasks)];
}

function taskIn(folder: SourceFolder, path: string, { projectId, plan }: { projectId: string; plan: string }): Found {
  const read = folder.json(path);
  if (!read.ok) return notRead("task", path, read);
  const task = fieldsOf(read.value);
  const title = textIn(task.subject).replace(/\s+/g, " ").trim().slice(0, 500);
  const number = Number(task.id);
  if (title === "") return { thing: "task", source: path, line: read.lineOf("subject"), broken: "subject: is missing" };
  if (!Number.isInteger(number))
    return { thing: "task", source: path, line: read.lineOf("id"), broken: "id: must be a number" };
  const priority =
    TASK_PRIORITIES.find((one) => one === task.priority) ?? (task.priority === "critical" ? "urgent" : "medium");
  const criteria = listIn(task.acceptanceCriteria).filter(
    (one): one is string => typeof one === "string" && one.trim() !== "",
  );
  const status = STATUSES[textIn(task.status)] ?? "pending";
  const notes = textIn(task.completionNotes);
  return {
    ...{ thing: "task", source: path, projectId, plan, number },
    waitsFor: listIn(task.blockedBy).map(Number).filter(Number.isInteger),
    body: {
      title,
      description: textIn(task.description).slice(0, 100_000),
      ...{ priority, status },
      acceptanceCriteria: criteria
        .slice(0, 200)
        .map((text) => ({ text: oneLine(text, 2_000), done: status === "done" })),
      labels: listIn(task.labels)
        .filter((one): one is string => typeof one === "string" && one.length <= 60)
        .slice(0, 50),
      ...(notes === "" ? {} : { completionNotes: notes.slice(0, 100_000) }),
    },
  };
}

/** A task comes after those that it waits for; in a circle, by its number. */
function inOrder(tasks: Found[]): Found[] {
  const known = new Map(tasks.flatMap((task) => ("number" in task ? [[task.number, task] as const] : [])));
  const ordered = new Set<Found>();
  const under = new Set<number>();
  const add = (number: number) => {
    const task = known.get(number);
    if (task === undefined || !("number" in task) || under.has(number) || ordered.has(task)) return;
    under.add(number);
    for (const other of task.waitsFor) add(other);
    ordered.add(task);
  };
  for (const number of [...known.keys()].sort((left, right) => left - right)) add(number);
  return [...ordered, ...tasks.filter((task) => !("number" in task))];
}

function escalationIn(folder: SourceFolder, path: string): Found[] {
  const read = folder.json(path);
  if (!read.ok) return [notRead("escalation", path, read)];
  const asked = fieldsOf(read.value);
  const question = oneLine(textIn(asked.question), 2_000);
  if (question === "")
    return [{ thing: "escalation", source: path, line: read.lineOf("question"), broken: "question: is missing" }];
  const projectId = idFrom(textIn(asked.space));
  const resolution = oneLine(textIn(asked.resolution), 400);
  if (resolution !== "")
    return [
      {
        thing: "knowledge",
        source: path,
        line: 1,
        projectId,
        topic: "decisions",
        text: oneLine(`${question} ${resolution}`, 500),
      },
    ];
  if (asked.status === "resolved")
    return [{ thing: "escalation", source: path, left: "unknown", detail: "resolved without an answer" }];
  const type = ESCALATION_TYPES.find((one) => one === asked.type) ?? "question";
  return [
    { thing: "escalation", source: path, projectId, type, question, context: textIn(asked.context).slice(0, 10_000) },
  ];
}

function knowledgeIn(
  folder: SourceFolder,
  at: string,
  topics: readonly Topic[],
  projectId: string | undefined,
): Found[] {
  return folder.list(at).flatMap(({ name, path }): Found[] => {
    const topic = topics.find((one) => `${one}.md` === name);
    if (topic === undefined) return [{ thing: "knowledge", source: path, left: "unknown" }];
    const read = folder.text(path);
    if (!read.ok) return [notRead("knowledge", path, read)];
    return statementsIn(read.text).map(({ line, text }) => ({
      thing: "knowledge",
      source: path,
      line,
      projectId,
      topic,
      text,
    }));
  });
}

function oneLine(text: string, most: number): string {
  return text.replace(/\s+/g, " ").trim().slice(0, most).toWellFormed();
}
