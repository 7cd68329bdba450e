import { createHash } from "node:crypto";
import { TriggerFile, TriggerName } from "../../contract/documents/autonomy/trigger.ts";
import type { Problem } from "../../contract/problem.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import { plainLines } from "../../contract/words/text.ts";
import type { Files } from "../../store/files/files.ts";
import { parseFrontmatter } from "../../store/markup/frontmatter.ts";
import { describeIssue } from "../../workspace/hall/issues.ts";
import { projectRoot } from "../../workspace/layout.ts";
import { etagOf } from "../../workspace/tasks/task-file.ts";
import { scheduleOf } from "./schedule.ts";
import { pathScope } from "./sources/path-scope.ts";

const FOLDER = "triggers";
const LARGEST = 1_000_000;
const FOLDERS = /^(?:\.|triggers|projects(?:\/[^/.][^/]*(?:\/triggers)?)?)$/;

export function triggerFolder(projectId: string | undefined): string {
  return projectId === undefined ? FOLDER : `${projectRoot(projectId)}/${FOLDER}`;
}

export function triggerPath({ name, projectId }: { name: string; projectId?: string | undefined }): string {
  return `${triggerFolder(projectId)}/${name}.md`;
}

/** Folders in which the watcher looks for triggers. */
export function isTriggerFolder(folder: string): boolean {
  return FOLDERS.test(folder);
}

/** A trigger as its file says it. */
export interface TriggerDocument extends TriggerFile {
  name: string;
  projectId?: string | undefined;
  path: string;
  words: string;
  etag: string;
  /** Changes with what it waits for. */
  source: string;
  /** The file was broken by an edit: this is what it was before. */
  problem?: string | undefined;
}

interface Reading {
  text: string;
  document?: TriggerDocument | undefined;
  problem?: Problem | undefined;
}

/** What the files of triggers say now. One that can't be read is reported, left as it is, and fires nothing until it is fixed. */
export class TriggerFiles {
  readonly #files: Files;
  #known = new Map<string, TriggerDocument>();
  #problems: Problem[] = [];
  /** By path, with the text it was read from. */
  #read = new Map<string, Reading>();

  constructor(files: Files) {
    this.#files = files;
  }

  all(): TriggerDocument[] {
    return [...this.#known.values()];
  }

  find(name: string): TriggerDocument | undefined {
    return this.#known.get(name);
  }

  problems(): Problem[] {
    return this.#problems;
  }

  /** Reads every file again whose text changed. Answers the names of triggers that are new, changed or gone. */
  reload(projectIds: readonly string[]): string[] {
    const before = this.#known;
    const read = new Map<string, Reading>();
    const known = new Map<string, TriggerDocument>();
    const problems: Problem[] = [];
    for (const projectId of [undefined, ...projectIds.toSorted()])
      for (const path of this.#paths(projectId)) {
        const reading = this.#readingOf(path, projectId);
        read.set(path, reading);
        const { document } = reading;
        const other = document && known.get(document.name);
        if (reading.problem !== undefined) problems.push(reading.problem);
        if (document === undefined) continue;
        if (other === undefined) known.set(document.name, document);
        else
          problems.push(
            problemOf(path, projectId, `the name '${document.name}' is used by ${other.path}; rename the file`),
          );
      }
    this.#read = read;
    this.#known = known;
    this.#problems = problems;
    return [...new Set([...before.keys(), ...known.keys()])].filter((name) => before.get(name) !== known.get(name));
  }

  #paths(projectId: string | undefined): string[] {
    const folder = triggerFolder(projectId);
    if (this.#files.stat(folder)?.isDirectory() !== true) return [];
    return this.#files
      .names(folder)
      .filter((name) => name.endsWith(".md") && !name.startsWith("."))
      .toSorted()
      .map((name) => `${folder}/${name}`);
  }

  #readingOf(path: string, projectId: string | undefined): Reading {
    const earlier = this.#read.get(path);
    const text = this.#textOf(path);
    if (earlier !== undefined && earlier.text === text) return earlier;
    const outcome = text === undefined ? { line: 1, reason: "it is not a file that can be read" } : parseTrigger(text);
    const name = path.slice(path.lastIndexOf("/") + 1, -".md".length);
    if ("file" in outcome && TriggerName.safeParse(name).success) {
      const { file, words } = outcome;
      const source = createHash("sha256").update(JSON.stringify(file.on)).digest("hex").slice(0, 16);
      const document = { ...file, name, ...(projectId === undefined ? {} : { projectId }), path, words, source };
      return { text: text ?? "", document: { ...document, etag: etagOf(text ?? "") } };
    }
    const { line, reason } =
      "file" in outcome ? { line: 1, reason: "its name must be lower-case letters, digits and hyphens" } : outcome;
    const problem = problemOf(path, projectId, `${reason}; the trigger does not fire until it is fixed`, line);
    const last = earlier?.document;
    return { text: text ?? "", problem, ...(last === undefined ? {} : { document: { ...last, problem: reason } }) };
  }

  #textOf(path: string): string | undefined {
    try {
      const stat = this.#files.stat(path);
      return stat?.isFile() !== true || stat.size > LARGEST ? undefined : this.#files.text(path);
    } catch {
      return undefined;
    }
  }
}

function problemOf(file: string, projectId: string | undefined, reason: string, line = 1): Problem {
  return {
    file,
    line,
    kind: "document",
    severity: "invalid",
    reason,
    ...(projectId === undefined ? {} : { projectId }),
  };
}

/** Pure: what a document says, or what is wrong with it and where. */
export function parseTrigger(text: string): { file: TriggerFile; words: string } | { line: number; reason: string } {
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return { line: outcome.line, reason: outcome.reason };
  const { data, body, lineOf } = outcome.parsed;
  const parsed = TriggerFile.safeParse(data, { error: plainWords });
  if (!parsed.success) {
    const { key, reason } = describeIssue(parsed.error, data);
    return { line: lineOf(key), reason };
  }
  const fault = sourceFault(parsed.data.on);
  if (fault !== undefined) return { line: lineOf("on"), reason: fault };
  if (parsed.data.do.message === true && body.trim() === "")
    return { line: lineOf("do"), reason: "do.message: is true, but the document has no words" };
  return { file: parsed.data, words: plainLines(body) };
}

/** What is wrong with a source beyond its shape. */
export function sourceFault(on: TriggerFile["on"], now = Date.now()): string | undefined {
  try {
    if (on.files !== undefined) return void pathScope(on.files);
  } catch (error) {
    return `on.files: ${(error as Error).message}`;
  }
  if (on.cron === undefined) return undefined;
  try {
    return scheduleOf(on, 0)?.next(now) === undefined ? "on.cron: never comes" : undefined;
  } catch (error) {
    return `on.cron: ${(error as Error).message}`;
  }
}
