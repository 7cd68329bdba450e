import { basename } from "node:path";
import { type Found, idFrom, NO_ID } from "./found.ts";
import { memoryPage, rolesIn, skillsIn } from "./pages.ts";
import { isSecretName, type SourceFolder } from "./source-folder.ts";

const HOME_ONLY = ["projects", "history.jsonl", "todos", "sessions"];
const SETTINGS = ["settings.json", "settings.local.json", "hooks", ".mcp.json", "plugins"];

/** A repository with `.claude/` or CLAUDE.md becomes a project that works there; a person's own `.claude` folder has no project. */
export function readClaudeCode(folder: SourceFolder): Found[] {
  const isHome = basename(folder.root) === ".claude";
  const at = isHome ? "." : ".claude";
  const under = isHome ? "" : ".claude/";
  const rest = folder.list(at).flatMap(({ name, path }): Found[] => {
    if (["agents", "skills", "CLAUDE.md"].includes(name)) return [];
    if (name === "commands") return [{ thing: "file", source: path, left: "commands" }];
    if (SETTINGS.includes(name)) return [{ thing: "file", source: path, left: "settings" }];
    if (HOME_ONLY.includes(name)) return [{ thing: "file", source: path, left: "session" }];
    return [{ thing: "file", source: path, left: isSecretName(name) ? "secret" : "unknown" }];
  });
  return [
    ...(isHome ? ownPage(folder) : projectIn(folder)),
    ...rolesIn(folder, `${under}agents`),
    ...skillsIn(folder, `${under}skills`),
    ...rest,
  ];
}

function ownPage(folder: SourceFolder): Found[] {
  return folder.has("CLAUDE.md", "file") ? [memoryPage(folder, "CLAUDE.md", "claude-code")] : [];
}

/** The person named this folder, so it may be worked in. */
function projectIn(folder: SourceFolder): Found[] {
  const name = basename(folder.root);
  const id = idFrom(name);
  const pages = ["CLAUDE.md", ".claude/CLAUDE.md"].filter((path) => folder.has(path, "file"));
  return [
    id === undefined
      ? { thing: "project", source: ".", left: "unknown", detail: NO_ID }
      : { thing: "project", source: ".", id, name, description: "", background: "", workdir: folder.root },
    ...pages.map((source): Found => ({ thing: "context", source, left: "read_in_place" })),
  ];
}
