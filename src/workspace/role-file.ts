import { Role, StoredRole } from "../contract/role.ts";
import type { Problem } from "../contract/routes.ts";
import { decodeText } from "../store/frontmatter.ts";
import { parseJsonText } from "../store/json-text.ts";
import type { IndexedRole } from "../store/role-table.ts";
import { describeIssue } from "./issues.ts";
import { ROLES_FILE } from "./layout.ts";
import { etagOf } from "./task-file.ts";

/** ROLES.json: everything in it is kept, also entries and keys that make no sense to us. */
export interface RolesFile {
  /** The whole document as it was parsed. */
  document: Record<string, unknown>;
  entries: unknown[];
  roles: Map<string, StoredRole>;
  problems: Problem[];
}

export type RolesReading = { ok: true; file: RolesFile } | { ok: false; problem: Problem };

export function readRoles(bytes: Buffer | undefined): RolesReading {
  if (bytes === undefined) return { ok: true, file: { document: {}, entries: [], roles: new Map(), problems: [] } };
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
  const problems: Problem[] = [];
  entries.forEach((entry, position) => {
    const parsed = StoredRole.safeParse(entry);
    const id = idOf(entry, position);
    const refuse = (line: number, reason: string) =>
      problems.push({ file: ROLES_FILE, line, kind: "role", id, severity: "invalid", reason });
    if (!parsed.success) {
      const path = ["roles", position, ...(parsed.error.issues[0]?.path ?? [])].join("/");
      refuse(lineOf(path), `role ${id}: ${describeIssue(parsed.error, entry).reason}`);
    } else if (roles.has(parsed.data.id))
      refuse(lineOf(`roles/${position}`), `role ${id}: the id stands twice; the first one counts`);
    else roles.set(parsed.data.id, parsed.data);
  });
  return { document, entries, roles, problems };
}

function idOf(entry: unknown, position: number): string {
  const id = typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
  return typeof id === "string" && /^[\w-]{1,64}$/.test(id) ? id : `#${position + 1}`;
}

/** The file with one entry put in the place of the one with its id, appended, or (undefined) taken away. */
export function renderRoles(file: RolesFile, id: string, role: StoredRole | undefined): string {
  const isIt = (entry: unknown) => typeof entry === "object" && entry !== null && "id" in entry && entry.id === id;
  const known = file.entries.some(isIt);
  const entries = known
    ? file.entries.flatMap((entry) => (isIt(entry) ? (role ?? []) : [entry]))
    : [...file.entries, ...(role === undefined ? [] : [role])];
  return `${JSON.stringify({ ...file.document, roles: entries }, null, 2)}\n`;
}

/** A role without the keys that only the file keeps. */
export function toRole(stored: StoredRole): IndexedRole {
  const known = Object.fromEntries(
    Object.keys(Role.shape).flatMap((key) => (stored[key] === undefined ? [] : [[key, stored[key]]])),
  );
  return { ...(known as Role), etag: etagOf(JSON.stringify(stored)) };
}
