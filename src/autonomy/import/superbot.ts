import { ESCALATION_TYPES } from "../../contract/documents/escalation-status.ts";
import { PROJECT_TOPICS, type Topic } from "../../contract/documents/knowledge.ts";
import { TASK_PRIORITIES } from "../../contract/documents/task-status.ts";
import { plainLine } from "../../contract/words/text.ts";
import {
  Fitting,
  type Found,
  fieldsOf,
  idFrom,
  type LeftOut,
  listIn,
  NO_ID,
  notRead,
  restOf,
  statementsIn,
  textIn,
} from "./found.ts";
import { memoryPage } from "./pages.ts";
import { isSecretName, type SourceFolder } from "./source-folder.ts";

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
    return [{ thing: "file", source: path, left: isSecretName(name) ? "secret" : "unknown" }];
  });
  return [
    ...top,
    ...named(folder.list("spaces"), "project").flatMap((one): Found[] =>
      "left" in one ? [one] : spaceIn(folder, one),
    ),
    ...knowledgeIn(folder, "knowledge", HALL_PAGES, undefined),
    ...restOf(folder, "escalations", ESCALATION_FOLDERS),
    ...ESCALATION_FOLDERS.flatMap((state) =>
      folder.list(`escalations/${state}`).flatMap(({ path }) => escalationIn(folder, path)),
    ),
  ];
}

interface Named {
  id: string;
  name: string;
  path: string;
}

/** Folders by their ids. Of two with the same one the first counts, because what belongs to the other is not its own. */
function named(entries: ReturnType<SourceFolder["list"]>, thing: "project" | "initiative"): (Named | LeftOut)[] {
  const taken = new Set<string>();
  return entries.map(({ name, path, kind }) => {
    const left = (reason: LeftOut["left"], detail?: string): LeftOut => ({
      ...{ thing, source: path, left: reason },
      ...(detail === undefined ? {} : { detail }),
    });
    const id = idFrom(name);
    if (kind !== "folder") return left(kind === "other" ? "link" : "unknown");
    if (id === undefined) return left("unknown", NO_ID);
    if (taken.has(id)) return left("same_name", id);
    taken.add(id);
    return { id, name, path };
  });
}

function spaceIn(folder: SourceFolder, { id, name, path }: Named): Found[] {
  const read = folder.json(`${path}/space.json`);
  if (!read.ok) return [notRead("project", `${path}/space.json`, read)];
  const space = fieldsOf(read.value);
  const overview = folder.text(`${path}/OVERVIEW.md`);
  const code = textIn(space.codeDir);
  const fit = new Fitting();
  const first: Found = {
    ...{ thing: "project", source: path, id },
    name: fit.line("name", textIn(space.name), 120) || name,
    description: fit.prose("description", textIn(space.description), 20_000),
    background: overview.ok ? fit.prose("OVERVIEW.md", overview.text, 20_000) : "",
    note: fit.note,
  };
  return [
    first,
    ...(overview.ok || overview.reason === "missing" ? [] : [notRead("file", `${path}/OVERVIEW.md`, overview)]),
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
    ...named(folder.list(`${path}/plans`), "initiative").flatMap((one): Found[] =>
      "left" in one ? [one] : planIn(folder, one, id),
    ),
    ...restOf(folder, path, ["space.json", "OVERVIEW.md", "knowledge", "plans"]),
  ];
}

function planIn(folder: SourceFolder, { id, name, path: at }: Named, projectId: string): Found[] {
  const page = folder.text(`${at}/plan.md`);
  const heading = page.ok ? /^#\s+(.+)$/m.exec(page.text)?.[1] : undefined;
  const title = new Fitting().line("title", heading ?? "", 200) || name;
  const begun: Found = page.ok
    ? { thing: "initiative", source: `${at}/plan.md`, projectId, id, title, plan: page.text }
    : notRead("initiative", `${at}/plan.md`, page);
  const files = folder.list(`${at}/tasks`).filter((file) => file.name.endsWith(".json"));
  const tasks = files.map(({ path }) => taskIn(folder, path, { projectId, plan: id }));
  return [
    begun,
    ...inOrder(tasks),
    ...restOf(
      folder,
      `${at}/tasks`,
      files.map((file) => file.name),
    ),
    ...restOf(folder, at, ["plan.md", "tasks"]),
  ];
}

function taskIn(folder: SourceFolder, path: string, { projectId, plan }: { projectId: string; plan: string }): Found {
  const read = folder.json(path);
  if (!read.ok) return notRead("task", path, read);
  const task = fieldsOf(read.value);
  const fit = new Fitting();
  const title = fit.line("subject", textIn(task.subject), 500);
  const number = Number(task.id);
  if (title === "") return { thing: "task", source: path, line: read.lineOf("subject"), broken: "subject: is missing" };
  if (!Number.isInteger(number))
    return { thing: "task", source: path, line: read.lineOf("id"), broken: "id: must be a number" };
  const priority =
    TASK_PRIORITIES.find((one) => one === task.priority) ?? (task.priority === "critical" ? "urgent" : "medium");
  const status = STATUSES[textIn(task.status)] ?? "pending";
  const lines = (field: string, { each, most }: { each: number; most: number }) => {
    const texts = listIn(task[field]).map((one) => fit.line(field, textIn(one), each));
    const kept = texts.filter((one) => one !== "").slice(0, most);
    if (kept.length < texts.length) fit.say(`${texts.length - kept.length} of ${field} left out`);
    return kept;
  };
  const criteria = lines("acceptanceCriteria", { each: 2_000, most: 200 });
  const labels = [...new Set(lines("labels", { each: 60, most: 50 }))];
  const notes = fit.prose("completionNotes", textIn(task.completionNotes), 100_000);
  const description = fit.prose("description", textIn(task.description), 1_000_000);
  return {
    ...{ thing: "task", source: path, projectId, plan, number },
    waitsFor: listIn(task.blockedBy).map(Number).filter(Number.isInteger),
    body: {
      ...{ title, description, priority, status, labels },
      acceptanceCriteria: criteria.map((text) => ({ text, done: status === "done" })),
      ...(notes === "" ? {} : { completionNotes: notes }),
    },
    note: fit.note,
  };
}

/** A task comes after those that it waits for; in a circle, by its number. Of two with one number the first counts. */
function inOrder(tasks: Found[]): Found[] {
  const known = new Map<number, Extract<Found, { number: number }>>();
  const others: Found[] = [];
  for (const task of tasks) {
    if (!("number" in task)) others.push(task);
    else if (known.has(task.number))
      others.push({ thing: "task", source: task.source, left: "same_name", detail: `id ${task.number}` });
    else known.set(task.number, task);
  }
  const ordered = new Set<Found>();
  const under = new Set<number>();
  const add = (number: number) => {
    const task = known.get(number);
    if (task === undefined || under.has(number) || ordered.has(task)) return;
    under.add(number);
    for (const other of task.waitsFor) add(other);
    ordered.add(task);
  };
  for (const number of [...known.keys()].sort((left, right) => left - right)) add(number);
  return [...ordered, ...others];
}

function escalationIn(folder: SourceFolder, path: string): Found[] {
  const read = folder.json(path);
  if (!read.ok) return [notRead("escalation", path, read)];
  const asked = fieldsOf(read.value);
  const fit = new Fitting();
  const question = fit.line("question", textIn(asked.question), 2_000);
  if (question === "")
    return [{ thing: "escalation", source: path, line: read.lineOf("question"), broken: "question: is missing" }];
  const projectId = idFrom(textIn(asked.space));
  const resolution = plainLine(textIn(asked.resolution));
  if (resolution !== "") {
    const text = fit.line("question and answer", `${question} ${resolution}`, 500);
    return [{ thing: "knowledge", source: path, line: 1, projectId, topic: "decisions", text, note: fit.note }];
  }
  if (asked.status === "resolved")
    return [{ thing: "escalation", source: path, left: "unknown", detail: "resolved without an answer" }];
  const type = ESCALATION_TYPES.find((one) => one === asked.type) ?? "question";
  const context = fit.prose("context", textIn(asked.context), 20_000);
  return [{ thing: "escalation", source: path, projectId, type, question, context, note: fit.note }];
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
    const { statements, left } = statementsIn(read.text);
    const found = statements.map(({ line, text }): Found => {
      return { thing: "knowledge", source: path, line, projectId, topic, text: plainLine(text) };
    });
    if (left === 0) return found;
    return [
      ...found,
      { thing: "knowledge", source: path, left: "unknown", detail: `lines outside of its lists: ${left}` },
    ];
  });
}
