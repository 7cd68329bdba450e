import type { Problem } from "../../contract/problem.ts";
import { FORMAT_FILE } from "../hall/workspace-format.ts";
import type { Migration } from "./migrate.ts";

export function migrationText({ from, to, copies, files }: Migration): string {
  const kept = files === 0 ? "No file had to be changed." : `Copies of the changed files are in ${copies}.`;
  return `The workspace was migrated from format ${from} to format ${to}. ${kept} Older versions of Guildhall can no longer open it.`;
}

/** Shown until the next start. */
export function migrationNotice(migration: Migration): Problem {
  return { file: FORMAT_FILE, kind: "format", severity: "warning", reason: migrationText(migration) };
}
