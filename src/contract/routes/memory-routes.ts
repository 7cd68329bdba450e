import { z } from "zod";
import { fileText, Slug } from "../words/text.ts";
import { success } from "./route-parts.ts";

/** A file of a memory: `facts/<name>.md`, or `episodes/YYYY-MM.md`. */
export const MemoryFile = z.strictObject({
  path: z.string(),
  kind: z.enum(["fact", "episodes"]),
  /** What its line `> Summary:` says; episodes have none. */
  summary: z.string().optional(),
  size: z.int(),
  updatedAt: z.string(),
});
export type MemoryFile = z.infer<typeof MemoryFile>;

export const MemoryText = MemoryFile.extend({ content: z.string(), etag: z.string() });
export type MemoryText = z.infer<typeof MemoryText>;

const ofProject = z.strictObject({ id: Slug });
const which = z.strictObject({ path: z.string().max(200) });
const list = z.strictObject({ files: z.array(MemoryFile) });
const text = z.strictObject({ file: MemoryText });
const written = z.strictObject({ ...success, file: MemoryText });
const removed = z.strictObject({ ...success, trash: z.string() });
/** Longer than any file of a memory may be; which is too long is told in the words of the memory. */
const content = z.strictObject({ path: z.string().max(200), content: fileText(600_000) });

/** What agents remember: a project's memory, and that of the main agent. */
export const memoryRoutes = {
  listMemory: {
    summary: "Memory files of a project's agents: facts, newest first, then episodes.",
    group: "Memory",
    params: ofProject,
    response: list,
  },
  readMemory: {
    summary: "A file of a project's memory.",
    group: "Memory",
    params: ofProject,
    query: which,
    response: text,
  },
  writeMemory: {
    summary: "Write a file of a project's memory.",
    group: "Memory",
    params: ofProject,
    body: content,
    response: written,
  },
  removeMemory: {
    summary: "Move a file of a project's memory to the trash.",
    group: "Memory",
    params: ofProject,
    query: which,
    response: removed,
  },
  listMainMemory: { summary: "Memory files of the main agent.", group: "Memory", response: list },
  readMainMemory: {
    summary: "A file of the main agent's memory.",
    group: "Memory",
    query: which,
    response: text,
  },
  writeMainMemory: {
    summary: "Write a file of the main agent's memory.",
    group: "Memory",
    body: content,
    response: written,
  },
  removeMainMemory: {
    summary: "Move a file of the main agent's memory to the trash.",
    group: "Memory",
    query: which,
    response: removed,
  },
} as const;
