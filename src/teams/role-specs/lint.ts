import { type RoleSpecFault, RoleSpecFields } from "../../contract/documents/teams/role-spec.ts";
import { OPEN_SUBAGENTS, type RoleSpecRule, SUBAGENTS } from "../../contract/words/teams/role-spec-words.ts";
import { type Parsed, parseFrontmatter } from "../../store/markup/frontmatter.ts";
import { LINE_RULES } from "./line-rules.ts";

const LENGTH = { most: 120, many: 100, few: 20 };
const LONGEST_TEXT = 100_000;
/** Longer lines are not looked at: patterns would take too long. */
const LONGEST_LINE = 1_000;
const MOST_FAULTS = 100;

/** Keys that would give a member something. Whoever writes one means to. */
const RIGHTS: readonly string[] = [
  ...["tools", "allowed-tools", "allowed_tools", "skills", "model", "modelconfig", "thinking", "timeout", "hooks"],
  ...["env", "sandbox", "approval", "permissions", "rights", "rank", "budget", "network", "mcp", "talk", "command"],
];

export interface Linted {
  faults: RoleSpecFault[];
  /** Absent where there is an error. */
  good?: { fields: RoleSpecFields; body: string };
}

/** What a role-spec has to match. `name`: that of the file. `prefix`: that of its tasks. */
interface Matched {
  name?: string | undefined;
  prefix?: string | undefined;
}

/** Every rule of role-specs, by line. Pure. */
export function lintRoleSpec(text: string, { name, prefix }: Matched = {}): Linted {
  const faults: RoleSpecFault[] = [];
  const add: Add = (rule, line, message, severity = "error") => {
    if (faults.length < MOST_FAULTS) faults.push({ rule, line, message, severity });
  };
  if (!isReadable(text, add)) return { faults };
  const plain = text.replaceAll("\r\n", "\n");
  const read = parseFrontmatter(plain);
  if (!read.ok) {
    add("frontmatter", read.line, read.reason);
    return { faults };
  }
  const { parsed } = read;
  const fields = fieldsIn(parsed, { name, prefix }, add);
  const lines = plain.replace(/\n$/, "").split("\n");
  const first = lines.length - parsed.body.replace(/\n$/, "").split("\n").length;
  checkLength(lines.length, add);
  for (const [at, line] of lines.entries())
    if (line.length > LONGEST_LINE) add("length", at + 1, `the line has more than ${LONGEST_LINE} characters`);
  if (lines.some((line) => line.length > LONGEST_LINE)) return { faults };
  checkStructure(lines, first, add);
  checkLines(lines, first, add);
  checkSubagents(lines, { first, fields, lineOf: parsed.lineOf }, add);
  faults.sort((left, right) => left.line - right.line);
  const isGood = fields !== undefined && !faults.some(({ severity }) => severity === "error");
  return isGood ? { faults, good: { fields, body: parsed.body.trim() } } : { faults };
}

type Add = (rule: RoleSpecRule, line: number, message: string, severity?: RoleSpecFault["severity"]) => void;

function isReadable(text: string, add: Add): boolean {
  if (text.trim() === "") add("encoding", 1, "the file is empty, or not a regular file");
  else if (text.includes("\0") || text.includes("\ufffd")) add("encoding", 1, "the file is not UTF-8 text");
  else if (text.length > LONGEST_TEXT) add("length", 1, `the file has more than ${LONGEST_TEXT} characters`);
  else {
    if (text.startsWith("\ufeff"))
      add("encoding", 1, "starts with a byte order mark; save it as UTF-8 without", "warning");
    if (text.includes("\r\n")) add("encoding", 1, "lines end in CRLF; use LF", "warning");
    return true;
  }
  return false;
}

function fieldsIn({ data, lineOf }: Parsed, { name, prefix }: Matched, add: Add): RoleSpecFields | undefined {
  const granted = Object.keys(data).filter((key) => RIGHTS.includes(key.toLowerCase()));
  for (const key of granted)
    add("no-rights", lineOf(key), `'${key}' grants nothing here; rights come from the role. Remove it`);
  const read = RoleSpecFields.safeParse(data);
  if (read.success) {
    if (name !== undefined && read.data.role !== name)
      add("frontmatter", lineOf("role"), `role: '${read.data.role}' must be '${name}', the name of the file`);
    if (prefix !== undefined && read.data.prefix !== prefix)
      add(
        "frontmatter",
        lineOf("prefix"),
        `prefix: '${read.data.prefix}' must be '${prefix}', the prefix of its tasks`,
      );
    return read.data;
  }
  for (const issue of read.error.issues) {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
      for (const key of issue.keys) if (!granted.includes(key)) add("frontmatter", lineOf(key), `unknown key '${key}'`);
    } else add("frontmatter", lineOf(String(issue.path[0] ?? "")), `${issue.path.join(".")}: ${issue.message}`);
  }
  return undefined;
}

function checkLength(count: number, add: Add): void {
  const has = `has ${count} lines; about 80 are right`;
  if (count > LENGTH.most) add("length", LENGTH.most + 1, `${has}, ${LENGTH.most} are the limit`);
  else if (count > LENGTH.many) add("length", LENGTH.many + 1, has, "warning");
  else if (count < LENGTH.few) add("length", count, has, "warning");
}

const PHASE = /^#{1,6}\s*Phase\s+(\d+)\b/i;
const WANTED_PHASES = ["2", "3", "4"];

function checkStructure(lines: readonly string[], first: number, add: Add): void {
  const body = lines.slice(first);
  const title = body.findIndex((line) => /^# /.test(line));
  if (title === -1) add("structure", first + 1, "has no heading '# <Role Name> — Phase 2-4'");
  else if (!/^# \S.* [—–-] Phases? 2\s*[-–]\s*4\s*$/.test(body[title] ?? ""))
    add("structure", first + title + 1, "the heading must be '# <Role Name> — Phase 2-4'");
  const phases = body.flatMap((line) => PHASE.exec(line)?.[1] ?? []).filter((number) => WANTED_PHASES.includes(number));
  for (const number of WANTED_PHASES) {
    const times = phases.filter((one) => one === number).length;
    if (times !== 1)
      add(
        "structure",
        first + 1,
        `${times === 0 ? "has no" : "has more than one"} section '## Phase ${number}: <name>'`,
      );
  }
  if (phases.join() !== phases.toSorted().join()) add("structure", first + 1, "the phases are not in order");
  const errors = body.findIndex((line) => /^## Error Handling\s*$/.test(line));
  if (errors === -1) add("structure", lines.length, "has no section '## Error Handling'");
  else if (!body.slice(errors).some((line) => /^\|\s*Scenario\s*\|\s*Resolution\s*\|\s*$/.test(line)))
    add("structure", first + errors + 1, "needs a table with the columns Scenario and Resolution");
}

function checkLines(lines: readonly string[], first: number, add: Add): void {
  for (const [at, line] of lines.entries()) {
    if (at < first) continue;
    for (const { rule, pattern, message } of LINE_RULES) if (pattern.test(line)) add(rule, at + 1, message);
    if (/^---\s*$/.test(line) && /^[\w-]+:(?:\s|$)/.test(lines[at + 1] ?? ""))
      add("frontmatter", at + 1, "a second frontmatter is not read; there is one, at the top");
  }
}

const NAMED = /\b([a-z][a-z0-9-]*) subagent\b/g;
const NO_NAMES: readonly string[] = [
  "a",
  "the",
  "each",
  "every",
  "one",
  "this",
  "that",
  "any",
  "no",
  "named",
  "another",
];

const OPEN: readonly string[] = OPEN_SUBAGENTS;

function isSubagent(name: string): boolean {
  return (SUBAGENTS as readonly string[]).includes(name);
}

function checkSubagents(
  lines: readonly string[],
  { first, fields, lineOf }: { first: number; fields: RoleSpecFields | undefined; lineOf: Parsed["lineOf"] },
  add: Add,
): void {
  if (fields === undefined) return;
  const listed = fields.subagents ?? [];
  for (const name of listed)
    if (!isSubagent(name))
      add(
        "subagents-by-name",
        lineOf("subagents"),
        `there is no subagent '${name}'; known: ${SUBAGENTS.join(", ")}`,
        "warning",
      );
  for (const [at, line] of lines.entries())
    for (const [, name = ""] of at < first ? [] : line.matchAll(NAMED))
      if (!listed.includes(name) && !OPEN.includes(name) && !NO_NAMES.includes(name))
        add("subagents-by-name", at + 1, `'${name}' is not listed in subagents`);
}
