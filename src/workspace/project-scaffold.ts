import type { Project } from "../contract/project.ts";
import { TASK_FOLDERS } from "../contract/task-status.ts";
import type { Core } from "./core.ts";
import { PROJECTS_FOLDER, projectRoot } from "./layout.ts";
import { renderProjectJson } from "./project-file.ts";
import { type RoleName, renderProjectMarkdown, renderProjectMemory } from "./project-text.ts";

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
  "knowledge/conventions.md": knowledgePage("Conventions", "How things are done in this project."),
  "knowledge/decisions.md": knowledgePage("Decisions", "What was decided, when and why."),
  "knowledge/patterns.md": knowledgePage("Patterns", "Shapes that recur in this project's work."),
};
export const KNOWLEDGE_PAGES = Object.keys(KNOWLEDGE);

export interface NewProject {
  project: Project;
  background: string;
  roleName: RoleName;
  request: string | undefined;
  /** What workdir.json is to hold, where a folder was named. */
  workdir: string | undefined;
}

/** Makes the folder of a new project beside its place and renames it there whole, so that no half of one is ever seen. */
export async function buildProject(core: Core, made: NewProject): Promise<void> {
  const { files } = core;
  const draft = `${PROJECTS_FOLDER}/.new-${made.project.id}-${core.nextId()}`;
  try {
    for (const folder of FOLDERS) await files.ensureFolder(`${draft}/${folder}`);
    for (const [path, text] of Object.entries(textsOf(made))) await files.replace(`${draft}/${path}`, text);
    await files.move(draft, projectRoot(made.project.id));
  } catch (error) {
    files.discard(draft);
    throw error;
  }
}

function textsOf({ project, background, roleName, request, workdir }: NewProject): Record<string, string> {
  return {
    "PROJECT.json": renderProjectJson(project, request === undefined ? {} : { request }),
    "PROJECT.md": renderProjectMarkdown(project, background, roleName),
    "MEMORY.md": renderProjectMemory(project.createdAt),
    ...(workdir === undefined ? {} : { "workdir.json": workdir }),
    "TASKS/.highwatermark": "0\n",
    ...KNOWLEDGE,
    "session/current.jsonl": "",
    "runs/index.jsonl": "",
  };
}

export function knowledgePage(title: string, purpose: string): string {
  return `# ${title}\n\n${purpose} One statement a line.\n`;
}
