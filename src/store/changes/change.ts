import { isUtf8 } from "node:buffer";
import { z } from "zod";
import type { Content, Stamp } from "../files/regular-file.ts";

/** Of the lines of the change log. A program does not open a log with a higher one. */
export const CHANGE_FORMAT = 1;

/** A document replaced, created, or moved together with its new content. */
export interface Put {
  kind: "put";
  path: string;
  content: Content;
  /** Hash of the content that the new one was made from; null: there must be no such file; undefined: any. */
  base?: string | null | undefined;
  /** The state that the file was in when that content was read: if it is in the same, it is not read again. */
  from?: Stamp | undefined;
  /** What the content has at its end beyond that content, where it is otherwise the same: then only this is written. */
  added?: string | undefined;
  /** Where the file goes, when it moves. The place must be free. */
  to?: string | undefined;
  /** The folder that the path must not lead out of; the workspace when it is not given. */
  within?: string | undefined;
  /** A project's process replaces the file too: the file is claimed for as long as the change takes. */
  shared?: boolean | undefined;
}

/** A file or folder moved as it is. */
export interface Move {
  kind: "move";
  path: string;
  to: string;
}

/** A new folder with everything in it: it appears whole or not at all. Paths are relative to it. */
export interface Tree {
  kind: "tree";
  path: string;
  files: Readonly<Record<string, string>>;
  folders: readonly string[];
}

/** One line at the end of a JSONL file, without its newline. */
export interface Append {
  kind: "append";
  path: string;
  line: string;
}

/** What is on the disk already because a person edited it; undefined: the person removed it. */
export interface Found {
  kind: "found";
  path: string;
  content: Content | undefined;
  /** Hash of what was known before; null: nothing was. */
  base: string | null;
}

/** One change of a file, as data. Paths are relative to the workspace. */
export type Write = Put | Move | Tree | Append | Found;

/** A change that is durable. */
export interface Committed {
  /**
   * `applied`: its writes are in their files. `waiting`: the disk refused a file; it gets there with a later change or at the next
   * start. `overtaken`: a person changed a file in the last moment, and their edit stands as if it had come after.
   */
  state: "applied" | "waiting" | "overtaken";
  /** The state of each document that was written, by the path where it is now. */
  stamps: ReadonlyMap<string, Stamp>;
  /** Where the last line that the change appended to a file ends. */
  ends: ReadonlyMap<string, number>;
}

const Text = z.union([z.string(), z.object({ base64: z.string() })]);
const LoggedWrite = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("put"),
    path: z.string(),
    content: Text,
    base: z.string().nullable().optional(),
    to: z.string().optional(),
    within: z.string().optional(),
  }),
  z.object({ kind: z.literal("move"), path: z.string(), to: z.string() }),
  z.object({
    kind: z.literal("tree"),
    path: z.string(),
    files: z.record(z.string(), z.string()),
    folders: z.array(z.string()),
  }),
  z.object({ kind: z.literal("append"), path: z.string(), at: z.int().min(0), line: z.string() }),
  z.object({
    kind: z.literal("found"),
    path: z.string(),
    content: Text.nullable(),
    base: z.string().nullable(),
  }),
]);
/** A write as the log keeps it: with the hash of what was there, and where an appended line begins. */
export type LoggedWrite = z.infer<typeof LoggedWrite>;

/** A line of the change log. `at`: when it was written, in milliseconds; its files were written before. */
export const LoggedChange = z.object({
  format: z.literal(CHANGE_FORMAT),
  number: z.int().min(1),
  at: z.number(),
  writes: z.array(LoggedWrite),
});
export type LoggedChange = z.infer<typeof LoggedChange>;

/** The first line of a segment. */
export interface SegmentHead {
  format: typeof CHANGE_FORMAT;
  segment: number;
}

export function encodeContent(content: Content): z.infer<typeof Text> {
  if (typeof content === "string") {
    // A lone surrogate is written to the file as its replacement, and must not come back as another one.
    return content.isWellFormed() ? content : Buffer.from(content, "utf8").toString("utf8");
  }
  if (isUtf8(content)) return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("utf8");
  return { base64: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64") };
}

export function decodeContent(logged: z.infer<typeof Text>): Buffer {
  return typeof logged === "string" ? Buffer.from(logged, "utf8") : Buffer.from(logged.base64, "base64");
}
