import { basename } from "node:path";
import type { ImportEntry, ImportKind, ImportReport, ImportRequest } from "../../contract/documents/autonomy/import.ts";
import { HallError } from "../../contract/errors.ts";
import { plainLine } from "../../contract/words/text.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import type { Change } from "../../workspace/change.ts";
import { readClaudeCode } from "./claude-code.ts";
import type { Found } from "./found.ts";
import { readOpenClaw } from "./openclaw.ts";
import { type Places, placesFor } from "./places.ts";
import { SourceFolder } from "./source-folder.ts";
import { readSuperbot } from "./superbot.ts";

const READERS: Record<ImportKind, (folder: SourceFolder) => Found[]> = {
  superbot: readSuperbot,
  openclaw: readOpenClaw,
  "claude-code": readClaudeCode,
};
const MOST_ENTRIES = 5_000;

export type ImportParts = Places & {
  redactor: () => Redactor;
};

/** Takes over what another tool keeps in a folder. Nothing that is here is overwritten, and doing it again adds what is new. */
export class Importer {
  readonly #parts: ImportParts;

  constructor(parts: ImportParts) {
    this.#parts = parts;
  }

  import({ folder: path, from, dryRun }: ImportRequest, { actor }: Change): Promise<ImportReport> {
    const folder = new SourceFolder(path);
    const { root } = this.#parts.core.files;
    if (folder.root === root || folder.root.startsWith(`${root}/`))
      throw new HallError("invalid", "folder: is this workspace. Name the folder of another tool.");
    const kind = from ?? kindOf(folder);
    if (kind === undefined)
      throw new HallError("invalid", `folder: '${path}' is not a folder of superbot, OpenClaw or Claude Code.`, {
        hint: "Pass from (superbot, openclaw or claude-code) if it is one.",
      });
    return this.#parts.core.locks.run("import", async () => {
      const found = READERS[kind](folder);
      const entries = await this.#carryOut(found, { kind, root: folder.root, dryRun, change: { actor } });
      if (found.length > MOST_ENTRIES || folder.isCut)
        entries.push({ source: ".", thing: "file", state: "left_out", reason: "too_many" });
      const counts = { new: 0, imported: 0, exists: 0, left_out: 0, broken: 0 };
      for (const { state } of entries) counts[state] += 1;
      return { kind, folder: folder.root, dryRun, entries, counts };
    });
  }

  async #carryOut(
    found: Found[],
    how: { kind: ImportKind; root: string; dryRun: boolean; change: Change },
  ): Promise<ImportEntry[]> {
    const places = placesFor({ ...this.#parts, ...how });
    const entries: ImportEntry[] = [];
    for (const one of found.slice(0, MOST_ENTRIES)) {
      const clean = this.#parts.redactor().deep(one);
      const hidden = JSON.stringify(clean) === JSON.stringify(one) ? [] : ["secrets in it are hidden"];
      entries.push(await entryOf(clean, { ...places, dryRun: how.dryRun, notes: [one.note ?? [], hidden].flat() }));
    }
    return entries;
  }
}

type How = ReturnType<typeof placesFor> & { dryRun: boolean; notes: string[] };

async function entryOf(found: Found, { place, dryRun, notes }: How): Promise<ImportEntry> {
  const { thing, source } = found;
  if ("left" in found) {
    const line = found.line === undefined ? {} : { line: found.line };
    return { source, ...line, thing, state: "left_out", reason: found.left, ...detail([found.detail ?? []].flat()) };
  }
  if ("broken" in found) return { source, line: found.line, thing, state: "broken", detail: found.broken };
  const where = {
    ...{ source, thing },
    ...("line" in found ? { line: found.line } : {}),
    ...("projectId" in found && found.projectId !== undefined ? { projectId: found.projectId } : {}),
  };
  try {
    const { id, state, make, note } = place(found);
    const told = detail([...notes, note ?? []].flat());
    if (state === "no_project") return { ...where, state: "left_out", reason: "no_project" };
    if (state === "same_name") return { ...where, ...named(id), state: "left_out", reason: "same_name" };
    if (state === "exists") return { ...where, ...named(id), state: "exists" };
    if (dryRun) return { ...where, ...named(id), state: "new", ...told };
    const made = await make();
    return { ...where, ...named(made.id ?? id), state: "imported", ...told };
  } catch (error) {
    if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
    if (error.line !== undefined) return { ...where, line: error.line, state: "broken", ...detail([error.message]) };
    return { ...where, state: "left_out", reason: "refused", ...detail([error.message]) };
  }
}

function named(id: string | undefined) {
  return id === undefined ? {} : { id };
}

function detail(texts: readonly string[]) {
  const text = plainLine(texts.join("; ")).slice(0, 1_000).toWellFormed();
  return text === "" ? {} : { detail: text };
}

/** By what only the folders of one tool have. */
function kindOf(folder: SourceFolder): ImportKind | undefined {
  if (folder.has("spaces", "folder")) return "superbot";
  if (folder.has("openclaw.json", "file") || folder.has("cron/jobs.json", "file")) return "openclaw";
  const own = basename(folder.root) === ".claude" ? ["agents", "skills"] : [".claude"];
  const isClaude = own.some((name) => folder.has(name, "folder"));
  return isClaude || folder.has("CLAUDE.md", "file") ? "claude-code" : undefined;
}
