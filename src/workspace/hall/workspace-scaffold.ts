import { HallError } from "../../contract/errors.ts";
import { FORMAT } from "../../contract/format.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Put } from "../../store/changes/change.ts";
import type { Files } from "../../store/files/files.ts";
import { CONFIG_FILE } from "../config-file.ts";
import { newFile } from "../knowledge/document-writes.ts";
import { DURABLE_FOLDER, PROJECTS_FOLDER, REVIEW_FILE, ROLES_FILE } from "../layout.ts";
import { reviewFileText } from "../migrations/review-default.ts";
import { DECISIONS_FILE, decisionsText } from "../policies/decisions.ts";
import { knowledgePage } from "../projects/project-scaffold.ts";
import { FORMAT_FILE, formatText } from "./workspace-format.ts";

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
  "policies",
  "events",
  "costs",
  DURABLE_FOLDER,
];

const TEXTS: Record<string, string> = {
  [CONFIG_FILE]: `# Guildhall settings. All keys are optional; see docs/configuration.md.
version: 2
# server:
#   host: 127.0.0.1
#   port: 4777
`,
  [ROLES_FILE]: '{\n  "roles": []\n}\n',
  "IDENTITY.md": "# Identity\n\nWho the main agent is: its name, tone and values.\n",
  "USER.md": "# User\n\nWho the user is, and how they like to work.\n",
  "MEMORY.md": "# Memory\n\nWhat matters across all projects, in short, and where to find more.\n",
  "knowledge/conventions.md": knowledgePage("Conventions", "How things are done in every project."),
  "knowledge/preferences.md": knowledgePage("Preferences", "What the person likes and dislikes."),
  "knowledge/decisions.md": knowledgePage("Decisions", "What was decided for all projects, when and why."),
  [DECISIONS_FILE]: decisionsText(),
  "session/current.jsonl": "",
};

/** Without these the hall could keep nothing. */
const NEEDED: readonly string[] = [PROJECTS_FOLDER, "events", DURABLE_FOLDER];

/**
 * Makes the folders that a workspace needs and has not got, and answers the files to write into a new one. What is there
 * is never touched, even where it is in the way.
 */
export async function buildWorkspace(
  files: Files,
  version: string,
): Promise<{ isNew: boolean; inTheWay: Problem[]; texts: Put[] }> {
  const isNew = !files.exists(ROLES_FILE) && !files.exists(PROJECTS_FOLDER);
  const inTheWay: Problem[] = [];
  for (const folder of FOLDERS) {
    await files.ensureFolder(folder).catch((error: unknown) => {
      if (NEEDED.includes(folder) || !(error instanceof HallError)) throw error;
      inTheWay.push({ file: folder, kind: "document", severity: "warning", reason: "it should be a folder" });
    });
  }
  const all = {
    ...TEXTS,
    [FORMAT_FILE]: formatText({ format: FORMAT, writtenBy: version }),
    [REVIEW_FILE]: reviewFileText(),
  };
  const missing = isNew ? Object.entries(all).filter(([path]) => !files.exists(path)) : [];
  return { isNew, inTheWay, texts: missing.map(([path, text]) => newFile(path, text)) };
}
