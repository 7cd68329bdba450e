import type { ImportThing, LeftOutReason } from "../../contract/documents/autonomy/import.ts";
import type { EscalationType } from "../../contract/documents/escalation-status.ts";
import type { Topic } from "../../contract/documents/knowledge.ts";
import type { TaskCreate } from "../../contract/documents/task.ts";
import { plainLine } from "../../contract/words/text.ts";
import { isSecretName, type ReadJson, type ReadText, type SourceFolder } from "./source-folder.ts";

/** What a folder has that can be imported, or why it can't be. `note`: what changes on the way. */
export type Found = (
  | {
      thing: "project";
      source: string;
      id: string;
      name: string;
      description: string;
      background: string;
      workdir?: string;
    }
  | { thing: "initiative"; source: string; projectId: string; id: string; title: string; plan: string }
  | {
      thing: "task";
      source: string;
      projectId: string;
      plan: string;
      number: number;
      waitsFor: number[];
      body: FoundTask;
    }
  | {
      thing: "escalation";
      source: string;
      projectId: string | undefined;
      type: EscalationType;
      question: string;
      context: string;
    }
  | { thing: "knowledge"; source: string; line: number; projectId: string | undefined; topic: Topic; text: string }
  | { thing: "role"; source: string; text: string }
  | { thing: "skill"; source: string; id: string; files: Record<string, string> }
  | { thing: "trigger"; source: string; line: number; id: string; on: object; text: string; description: string }
  | { thing: "memory"; source: string; id: string; text: string }
  | LeftOut
  | Broken
) & { note?: string | undefined };

export interface LeftOut {
  thing: ImportThing;
  source: string;
  left: LeftOutReason;
  line?: number;
  detail?: string;
}

export interface Broken {
  thing: ImportThing;
  source: string;
  line: number;
  broken: string;
}

type FoundTask = Pick<TaskCreate, "title" | "description" | "status" | "priority" | "acceptanceCriteria" | "labels"> & {
  completionNotes?: string;
};

/** Why a file is not in, from what reading it said. */
export function notRead(thing: ImportThing, source: string, read: (ReadText | ReadJson) & { ok: false }): Found {
  return "reason" in read
    ? { thing, source, left: read.reason }
    : { thing, source, line: read.line, broken: read.fault };
}

/** What is in a folder besides what is known of it, so that the report tells of everything. */
export function restOf(folder: SourceFolder, at: string, known: readonly string[]): Found[] {
  return folder
    .list(at)
    .filter(({ name }) => !known.includes(name))
    .map(({ name, path, kind }): Found => {
      const left = isSecretName(name) ? "secret" : kind === "other" ? "link" : "unknown";
      return { thing: "file", source: path, left };
    });
}

const ITEM = /^\s*[-*+] \S/;
const NO_STATEMENT = /^(?:#|<!--|---|```|>)/;

/** Statements of a page: its list items with the lines that belong to them, or its lines where there are none. `left`: other lines with words. */
export function statementsIn(text: string): { statements: { line: number; text: string }[]; left: number } {
  const lines = text.split(/\r?\n/).map((one, index) => ({ line: index + 1, text: one }));
  const words = lines.filter(({ text: one }) => one.trim() !== "" && !NO_STATEMENT.test(one.trim()));
  if (!words.some(({ text: one }) => ITEM.test(one)))
    return { statements: words.map(({ line, text: one }) => ({ line, text: one.trim() })), left: 0 };
  const statements: { line: number; text: string; last: number }[] = [];
  let left = 0;
  for (const { line, text: one } of words) {
    const open = statements.at(-1);
    if (ITEM.test(one)) statements.push({ line, text: one.trim().replace(/^[-*+]\s+/, ""), last: line });
    else if (open !== undefined && open.last === line - 1 && /^\s/.test(one)) {
      open.text += ` ${one.trim()}`;
      open.last = line;
    } else left += 1;
  }
  return { statements, left };
}

/** Texts as they fit here, and what was cut from them. */
export class Fitting {
  readonly #cut: string[] = [];

  line(field: string, value: string, most: number): string {
    return this.#fit(field, plainLine(value), most);
  }

  prose(field: string, value: string, most: number): string {
    return this.#fit(field, value.replaceAll("\0", ""), most);
  }

  say(note: string): void {
    this.#cut.push(note);
  }

  /** Undefined: everything fits. */
  get note(): string | undefined {
    return this.#cut.length === 0 ? undefined : this.#cut.join("; ");
  }

  #fit(field: string, value: string, most: number): string {
    if (value.length > most) this.#cut.push(`${field} cut to ${most} characters`);
    return value.slice(0, most).toWellFormed();
  }
}

export const NO_ID = "an id needs letters a to z or digits; rename it first";

/** A name as an id: lower-case letters, digits and hyphens; undefined when nothing is left of it. */
export function idFrom(name: string): string | undefined {
  const id = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "");
  return id === "" ? undefined : id;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
