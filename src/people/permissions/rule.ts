import { createHash } from "node:crypto";
import { FILE_TOOLS, type PermissionRule } from "../../contract/documents/permission.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { splitCommand } from "./split-command.ts";

/** A call as its model wrote it. */
export interface CalledTool {
  tool: string;
  input: string;
}

/** Longer rules would fill the file of grants; such a call is known by its digest. */
const LONGEST_RULE = 4_000;
const MOST_COMMANDS = 50;
const LONGEST_SUBJECT = 500;

/** The rule that allows this call, and as little else as the kind of tool makes useful. */
export function ruleOf(call: CalledTool): PermissionRule {
  const { tool, input } = call;
  const limit = limitOf(call);
  const isShort = JSON.stringify(limit).length <= LONGEST_RULE && (limit.commands?.length ?? 0) <= MOST_COMMANDS;
  return isShort ? { tool, ...limit } : { tool, digest: digestOf(input) };
}

/** Whether a rule allows a call. */
export function isAllowedBy(rule: PermissionRule, call: CalledTool): boolean {
  const { commands, path, origin, input, digest } = rule;
  if (rule.tool !== call.tool) return false;
  if (digest !== undefined) return digest === digestOf(call.input);
  const limit = limitOf(call);
  if (commands !== undefined) return limit.commands?.every((part) => commands.includes(part)) ?? false;
  if (path !== undefined) return limit.path === path;
  if (origin !== undefined) return limit.origin === origin;
  return input !== undefined && limit.input === input;
}

/** What a call is about, in one line. */
export function subjectOf({ tool, input }: CalledTool): string {
  const fields = fieldsOf(input);
  const about = tool === "exec" ? fields?.command : FILE_TOOLS.includes(tool) ? fields?.path : fields?.url;
  return cutText(typeof about === "string" ? about : input, LONGEST_SUBJECT);
}

/** The commands that a call of exec consists of; undefined for other calls. */
export function execParts(call: CalledTool): string[] | undefined {
  return limitOf(call).commands;
}

function limitOf({ tool, input }: CalledTool): Omit<PermissionRule, "tool" | "digest"> {
  const fields = fieldsOf(input);
  if (tool === "exec" && typeof fields?.command === "string") return { commands: unique(splitCommand(fields.command)) };
  if (FILE_TOOLS.includes(tool) && typeof fields?.path === "string") return { path: fields.path };
  const origin = tool === "web_fetch" ? originOf(fields?.url) : undefined;
  if (origin !== undefined) return { origin };
  return { input: fields === undefined ? input : canonical(fields) };
}

function unique(commands: readonly string[]): string[] {
  return [...new Set(commands)];
}

function originOf(url: unknown): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? undefined : parsed.origin;
}

/** Undefined for what is not a JSON object. Of keys that are there twice the last counts, as it does for the tool. */
function fieldsOf(input: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(input === "" ? "{}" : input);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, of]) => `${JSON.stringify(key)}:${canonical(of)}`).join(",")}}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
