import { Role, StoredRole } from "../../contract/documents/role.ts";
import type { Problem } from "../../contract/problem.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { IndexedRole } from "../../store/index/role-table.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { parseJsonText } from "../../store/markup/json-text.ts";
import { describeIssue } from "../hall/issues.ts";
import { ROLES_FILE } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";

/** ROLES.json: everything in it is kept, also entries and keys that make no sense to us. */
export interface RolesFile {
  /** The whole document as it was parsed. */
  document: Record<string, unknown>;
  entries: unknown[];
  roles: Map<string, StoredRole>;
  /** Which entry each role is; another one may have the same id without being a role. */
  places: Map<string, number>;
  problems: Problem[];
}

export type RolesReading = { ok: true; file: RolesFile } | { ok: false; problem: Problem };

export function readRoles(bytes: Buffer | undefined): RolesReading {
  if (bytes === undefined) return { ok: true, file: readEntries({}, [], () => 1) };
  const broken = (line: number, reason: string): RolesReading => ({
    ok: false,
    problem: { file: ROLES_FILE, line, kind: "roles", severity: "invalid", reason },
  });
  const text = decodeText(bytes);
  if (text === undefined) return broken(1, "the file is not UTF-8 text");
  const outcome = parseJsonText(text);
  if (!outcome.ok) return broken(outcome.line, outcome.reason);
  const document = outcome.value as { roles?: unknown } | null;
  if (typeof document !== "object" || document === null || !Array.isArray(document.roles))
    return broken(1, 'it must be an object with a list "roles"');
  return { ok: true, file: readEntries(document as Record<string, unknown>, document.roles, outcome.lineOf) };
}

function readEntries(
  document: Record<string, unknown>,
  entries: unknown[],
  lineOf: (path: string) => number,
): RolesFile {
  const roles = new Map<string, StoredRole>();
  const places = new Map<string, number>();
  const problems: Problem[] = [];
  entries.forEach((entry, position) => {
    const parsed = StoredRole.safeParse(entry, { error: plainWords });
    const id = idOf(entry, position);
    const refuse = (line: number, reason: string) =>
      problems.push({ file: ROLES_FILE, line, kind: "role", id, severity: "invalid", reason });
    if (!parsed.success) {
      const { path, reason } = describeIssue(parsed.error, entry);
      refuse(lineOf(["roles", position, ...path].join("/")), `role ${id}: ${reason}`);
    } else if (roles.has(parsed.data.id))
      refuse(lineOf(`roles/${position}`), `role ${id}: the id is duplicated; the first one is used`);
    else {
      roles.set(parsed.data.id, parsed.data);
      places.set(parsed.data.id, position);
    }
  });
  return { document, entries, roles, places, problems };
}

function idOf(entry: unknown, position: number): string {
  const id = typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
  return typeof id === "string" && /^[\w-]{1,64}$/.test(id) ? id : `#${position + 1}`;
}

/** The file with one role in its place, appended, or (undefined) taken away. Every other entry stays. */
export function renderRoles(file: RolesFile, id: string, role: StoredRole | undefined): string {
  const place = file.places.get(id) ?? file.entries.length;
  const entries = file.entries.toSpliced(place, 1, ...(role === undefined ? [] : [role]));
  return `${JSON.stringify({ ...file.document, roles: entries }, null, 2)}\n`;
}

/** A role without the keys that only the file keeps. */
export function toRole(stored: StoredRole): IndexedRole {
  const known = Object.fromEntries(
    Object.keys(Role.shape).flatMap((key) => (stored[key] === undefined ? [] : [[key, stored[key]]])),
  );
  return { ...(known as Role), etag: etagOf(JSON.stringify(stored)) };
}
