import type { Files } from "../../../store/files/files.ts";
import type { Tool } from "../../tool.ts";
import type { Now } from "../pace.ts";
import { editTool } from "./edit-tool.ts";
import { listTool } from "./list-tool.ts";
import { readTool } from "./read-tool.ts";
import { searchTool } from "./search-tool.ts";
import { writeTool } from "./write-tool.ts";

/** Tools over the files of one folder; nothing outside it can be reached. */
export function fileTools(files: Files, now: Now = () => performance.now()): Tool[] {
  return [readTool(files, now), writeTool(files), editTool(files), listTool(files, now), searchTool(files, now)];
}

/** In the daemon everybody waits while a regular expression is tried. */
const SHORT_PORTION_MS = 100;

/** Those that change nothing, for a process that others wait for. */
export function lookingTools(files: Files, now: Now = () => performance.now()): Tool[] {
  return [readTool(files, now), listTool(files, now), searchTool(files, now, SHORT_PORTION_MS)];
}
