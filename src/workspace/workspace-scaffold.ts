import type { Files } from "../store/files.ts";
import { CONFIG_FILE } from "./config-file.ts";
import { PROJECTS_FOLDER, ROLES_FILE } from "./layout.ts";
import { knowledgePage } from "./project-scaffold.ts";

const FOLDERS = [
  PROJECTS_FOLDER,
  "agents",
  "knowledge",
  "memory/facts",
  "memory/episodes",
  "session",
  "skills",
  "daily",
  "escalations/draft",
  "escalations/pending",
  "escalations/resolved",
  "events",
];

const TEXTS: Record<string, string> = {
  [CONFIG_FILE]: `# Settings of this hall. Every key may be left out; docs/configuration.md explains them all.
version: 1
# server:
#   host: 127.0.0.1
#   port: 4777
`,
  [ROLES_FILE]: '{\n  "roles": []\n}\n',
  "IDENTITY.md": "# Identity\n\nWho the main agent of this hall is: its name, its manner, what it stands for.\n",
  "USER.md": "# User\n\nWho the person is for whom this hall works, and how they like to be worked with.\n",
  "MEMORY.md": "# Memory\n\nA short index of what matters across all projects, and where to find more.\n",
  "knowledge/conventions.md": knowledgePage("Conventions", "How things are done in every project."),
  "knowledge/preferences.md": knowledgePage("Preferences", "What the person likes and dislikes."),
  "knowledge/decisions.md": knowledgePage("Decisions", "What was decided for all projects, when and why."),
  "session/current.jsonl": "",
};

/** Makes what a workspace needs and has not got. What is there is never touched. Answers whether the workspace is new. */
export async function buildWorkspace(files: Files): Promise<boolean> {
  const isNew = !files.exists(ROLES_FILE) && !files.exists(PROJECTS_FOLDER);
  for (const folder of FOLDERS) await files.ensureFolder(folder);
  if (!isNew) return false;
  for (const [path, text] of Object.entries(TEXTS)) if (!files.exists(path)) await files.create(path, text);
  return true;
}
