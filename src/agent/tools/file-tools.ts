import type { Files } from "../../store/files.ts";
import type { Tool } from "../tool.ts";
import { editTool } from "./edit-tool.ts";
import { listTool } from "./list-tool.ts";
import type { Now } from "./pace.ts";
import { readTool } from "./read-tool.ts";
import { searchTool } from "./search-tool.ts";
import { writeTool } from "./write-tool.ts";

/** Tools over the files of one folder; nothing outside it can be reached. */
export function fileTools(files: Files, now: Now = () => performance.now()): Tool[] {
  return [readTool(files, now), writeTool(files), editTool(files), listTool(files, now), searchTool(files, now)];
}
