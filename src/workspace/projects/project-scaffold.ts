import type { Project } from "../../contract/documents/project.ts";
import { TASK_FOLDERS } from "../../contract/documents/task-status.ts";
import type { Tree } from "../../store/changes/change.ts";
import { projectRoot } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import { renderProjectJson } from "./project-file.ts";
import { type ProjectWords, type RoleName, renderProjectMarkdown, renderProjectMemory } from "./project-text.ts";

const FOLDERS = [
  ...TASK_FOLDERS.map((folder) => `TASKS/${folder}`),
  "ARTIFACTS",
  "CONTEXT",
  "knowledge",
  "plans",
  "session",
  "memory/facts",
  "memory/episodes",
  "skills",
  "runs",
  "teams",
];

const KNOWLEDGE: Record<string, string> = {
  "knowledge/conventions.md": knowledgePage("Conventions", "Conventions of this project."),
  "knowledge/decisions.md": knowledgePage("Decisions", "Decisions, with date and reason."),
  "knowledge/patterns.md": knowledgePage("Patterns", "Recurring patterns in this project."),
};
export const KNOWLEDGE_PAGES = Object.keys(KNOWLEDGE);

export interface NewProject {
  project: Project;
  words: ProjectWords;
  roleName: RoleName;
  request: string | undefined;
  /** What workdir.json is to hold, where a folder was named. */
  workdir: string | undefined;
}

/** The folder of a new project, and the etag that it has as a document. */
export function projectTree(made: NewProject): { tree: Tree; etag: string } {
  const json = renderProjectJson(made.project, made.request === undefined ? {} : { request: made.request });
  const markdown = renderProjectMarkdown(made.project, made.words, made.roleName);
  const files = { "PROJECT.json": json, "PROJECT.md": markdown, ...textsOf(made) };
  const tree: Tree = { kind: "tree", path: projectRoot(made.project.id), files, folders: FOLDERS };
  return { tree, etag: etagOf(markdown + json) };
}

function textsOf({ project, workdir }: NewProject): Record<string, string> {
  return {
    "MEMORY.md": renderProjectMemory(project.createdAt),
    ...(workdir === undefined ? {} : { "workdir.json": workdir }),
    "TASKS/.highwatermark": "0\n",
    ...KNOWLEDGE,
    "session/current.jsonl": "",
    "runs/index.jsonl": "",
  };
}

export function knowledgePage(title: string, purpose: string): string {
  return `# ${title}\n\n${purpose} One statement per line.\n`;
}
