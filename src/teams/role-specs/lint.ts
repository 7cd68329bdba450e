import { type RoleSpecFault, RoleSpecFields } from "../../contract/documents/teams/role-spec.ts";
import { OPEN_SUBAGENTS, SUBAGENTS } from "../../contract/words/teams/role-spec-words.ts";
import { type Parsed, parseFrontmatter } from "../../store/markup/frontmatter.ts";
import { lineFaults } from "./line-rules.ts";
import { type Add, checkStructure } from "./lint-structure.ts";
import { namedSubagents } from "./named-subagents.ts";

const LENGTH = { most: 120, many: 100, few: 20 };
const LONGEST_TEXT = 100_000;
/** Longer lines are not looked at: patterns would take too long. */
const LONGEST_LINE = 1_000;
const MOST_FAULTS = 100;
/** What nobody sees and a model reads. Joiners are part of words and of emoji. */
const HIDDEN = /(?!\u200c|\u200d|\t)[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** Keys that would give a member something, in whichever style they are written. Whoever writes one means to. */
const RIGHTS: readonly string[] = [
  ...["tools", "allowedtools", "disallowedtools", "skills", "model", "modelconfig", "thinking", "timeout", "hooks"],
  ...["env", "sandbox", "approval", "permissions", "permissionmode", "rights", "rank", "budget", "network", "mcp"],
  ...["mcpservers", "maxturns", "talk", "command", "commands", "autonomy"],
];

function isRight(key: string): boolean {
  return RIGHTS.includes(key.toLowerCase().replaceAll(/[-_]/g, ""));
}

export interface Linted {
  faults: RoleSpecFault[];
  /** Absent where the frontmatter has an error. */
  fields?: RoleSpecFields;
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
  const known = fields === undefined ? {} : { fields };
  const lines = plain.replace(/\n$/, "").split("\n");
  const first = lines.length - parsed.body.replace(/\n$/, "").split("\n").length;
  checkLength(lines.length, add);
  for (const [at, line] of lines.entries())
    if (line.length > LONGEST_LINE) add("length", at + 1, `the line has more than ${LONGEST_LINE} characters`);
  if (lines.some((line) => line.length > LONGEST_LINE)) return { faults, ...known };
  checkStructure(lines.slice(first), first, add);
  checkLines(lines, first, add);
  checkSubagents(lines.slice(first), { first, fields, lineOf: parsed.lineOf }, add);
  faults.sort((left, right) => left.line - right.line);
  const isGood = fields !== undefined && !faults.some(({ severity }) => severity === "error");
  return isGood ? { faults, ...known, good: { fields, body: parsed.body.trim() } } : { faults, ...known };
}

function isReadable(text: string, add: Add): boolean {
  if (text.trim() === "") add("encoding", 1, "the file is empty, or not a regular file");
  else if (text.includes("\0") || text.includes("\ufffd")) add("encoding", 1, "the file is not UTF-8 text");
  else if (text.length > LONGEST_TEXT) add("length", 1, `the file has more than ${LONGEST_TEXT} characters`);
  else {
    if (text.startsWith("\ufeff"))
      add("encoding", 1, "starts with a byte order mark; save it as UTF-8 without", "warning");
    if (text.includes("\r\n")) add("encoding", 1, "lines end in CRLF; use LF", "warning");
    const shown = text.replace(/^\ufeff/, "").split("\n");
    for (const [at, line] of shown.entries())
      if (HIDDEN.test(line.replace(/\r$/, ""))) add("encoding", at + 1, "has invisible characters; remove them");
    return true;
  }
  return false;
}

function fieldsIn({ data, lineOf }: Parsed, { name, prefix }: Matched, add: Add): RoleSpecFields | undefined {
  const granted = Object.keys(data).filter(isRight);
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
    } else {
      const rule = issue.code === "unrecognized_keys" && issue.keys.some(isRight) ? "no-rights" : "frontmatter";
      add(rule, lineOf(String(issue.path[0] ?? "")), `${issue.path.join(".")}: ${issue.message}`);
    }
  }
  return undefined;
}

function checkLength(count: number, add: Add): void {
  const has = `has ${count} lines; about 80 are right`;
  if (count > LENGTH.most) add("length", LENGTH.most + 1, `${has}, ${LENGTH.most} are the limit`);
  else if (count > LENGTH.many) add("length", LENGTH.many + 1, has, "warning");
  else if (count < LENGTH.few) add("length", count, has, "warning");
}

function checkLines(lines: readonly string[], first: number, add: Add): void {
  for (const [at, line] of lines.entries()) {
    if (at < first) continue;
    for (const { rule, message, severity } of lineFaults(line)) add(rule, at + 1, message, severity);
    if (isFrontmatter(lines, at))
      add("frontmatter", at + 1, "a second frontmatter is not read; there is one, at the top");
  }
}

/** Lines between two fences of which one has a key of role-specs, or one that would grant something. */
function isFrontmatter(lines: readonly string[], at: number): boolean {
  if (!/^---\s*$/.test(lines[at] ?? "")) return false;
  const length = lines.slice(at + 1).findIndex((line) => !/^(?:\s+\S|-\s|[\w-]+:(?:\s|$))/.test(line));
  const block = length === -1 ? lines.slice(at + 1) : lines.slice(at + 1, at + 1 + length);
  const keys = block.flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? []);
  return keys.some((key) => isRight(key) || Object.hasOwn(RoleSpecFields.shape, key));
}

function checkSubagents(
  body: readonly string[],
  { first, fields, lineOf }: { first: number; fields: RoleSpecFields | undefined; lineOf: Parsed["lineOf"] },
  add: Add,
): void {
  if (fields === undefined) return;
  const listed = fields.subagents ?? [];
  for (const name of listed)
    if (!(SUBAGENTS as readonly string[]).includes(name))
      add(
        "subagents-by-name",
        lineOf("subagents"),
        `there is no subagent '${name}'; known: ${SUBAGENTS.join(", ")}`,
        "warning",
      );
  for (const [at, line] of body.entries())
    for (const { name, isSure } of namedSubagents(line)) {
      if (listed.includes(name) || (OPEN_SUBAGENTS as readonly string[]).includes(name)) continue;
      if (isSure) add("subagents-by-name", first + at + 1, `'${name}' is not listed in subagents`);
      else
        add(
          "subagents-by-name",
          first + at + 1,
          `if '${name}' is the name of a subagent, list it in subagents`,
          "warning",
        );
    }
}
