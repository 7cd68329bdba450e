import type { ImportThing, LeftOutReason } from "../../contract/documents/autonomy/import.ts";
import type { EscalationType } from "../../contract/documents/escalation-status.ts";
import type { Topic } from "../../contract/documents/knowledge.ts";
import type { TaskCreate } from "../../contract/documents/task.ts";
import type { ReadJson, ReadText } from "./source-folder.ts";

/** What a folder has that can be imported, or why it can't be. */
export type Found =
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
  | { thing: "trigger"; source: string; id: string; on: object; text: string; description: string }
  | { thing: "memory"; source: string; id: string; text: string }
  | { thing: "context"; source: string; projectId: string; id: string; text: string }
  | LeftOut
  | Broken;

export interface LeftOut {
  thing: ImportThing;
  source: string;
  left: LeftOutReason;
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

/** Statements of a page: its list items, or its lines where there are none. Headings and comments are none. */
export function statementsIn(text: string): { line: number; text: string }[] {
  const lines = text.split(/\r?\n/).map((one, index) => ({ line: index + 1, text: one.trim() }));
  const items = lines.filter(({ text: one }) => /^[-*+] \S/.test(one));
  const chosen =
    items.length > 0 ? items : lines.filter(({ text: one }) => one !== "" && !/^(?:#|<!--|---|```|>)/.test(one));
  return chosen.map(({ line, text: one }) => ({ line, text: one.replace(/^[-*+]\s+/, "") }));
}

/** A name as an id: lower-case letters, digits and hyphens; undefined when nothing is left of it. */
export function idFrom(name: string): string | undefined {
  const id = name
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
