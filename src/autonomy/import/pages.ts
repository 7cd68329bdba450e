import { type Found, idFrom, notRead } from "./found.ts";
import type { SourceFolder } from "./source-folder.ts";

const MOST_FACT_BYTES = 14 * 1024;
const MOST_PACK_FILES = 100;

/** A page about the person or the agent: a fact in the main agent's memory. */
export function memoryPage(folder: SourceFolder, path: string, tool: string): Found {
  const read = folder.text(path);
  if (!read.ok) return notRead("memory", path, read);
  if (Buffer.byteLength(read.text) > MOST_FACT_BYTES) return { thing: "memory", source: path, left: "too_large" };
  const name = idFrom(`${tool}-${path.replace(/\.md$/, "")}`) ?? tool;
  return { thing: "memory", source: path, id: `facts/imported-${name}.md`, text: read.text };
}

/** Packs below a folder. They wait for a person to accept them. */
export function skillsIn(folder: SourceFolder, at: string): Found[] {
  return folder.list(at).map(({ name, path, kind }): Found => {
    if (kind === "other") return { thing: "skill", source: path, left: "link" };
    if (kind !== "folder" || !folder.has(`${path}/SKILL.md`, "file") || idFrom(name) !== name)
      return {
        thing: "skill",
        source: path,
        left: "unknown",
        detail: "a skill is a folder in lower case with a SKILL.md",
      };
    const files: Record<string, string> = {};
    const reason = filesIn(folder, path, { under: "", files });
    return reason ?? { thing: "skill", source: path, id: name, files };
  });
}

/** One file that can't be had leaves out the pack: half of it would be another one. */
function filesIn(
  folder: SourceFolder,
  pack: string,
  to: { under: string; files: Record<string, string> },
): Found | undefined {
  const at = to.under === "" ? pack : `${pack}/${to.under.slice(0, -1)}`;
  for (const { name, path, kind } of folder.list(at)) {
    if (Object.keys(to.files).length >= MOST_PACK_FILES || to.under.split("/").length > 6)
      return { thing: "skill", source: pack, left: "too_many" };
    if (kind === "folder") {
      const reason = filesIn(folder, pack, { under: `${to.under}${name}/`, files: to.files });
      if (reason !== undefined) return reason;
      continue;
    }
    const read = folder.text(path);
    if (!read.ok) return { thing: "skill", source: pack, left: read.reason, detail: name };
    to.files[`${to.under}${name}`] = read.text;
  }
  return undefined;
}

/** Sub-agents in the format of Claude Code. */
export function rolesIn(folder: SourceFolder, at: string): Found[] {
  return folder.list(at).map(({ name, path }): Found => {
    if (!name.endsWith(".md")) return { thing: "role", source: path, left: "unknown" };
    const read = folder.text(path);
    return read.ok ? { thing: "role", source: path, text: read.text } : notRead("role", path, read);
  });
}
