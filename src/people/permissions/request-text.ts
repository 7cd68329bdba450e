import { structuredPatch } from "diff";
import type { SuggestedAnswer } from "../../contract/documents/escalation.ts";
import { FILE_TOOLS, MOST_HOURS, type PermissionRequest } from "../../contract/documents/permission.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { ruleText, visible } from "../../contract/words/permission-words.ts";

const LONGEST_QUESTION = 500;
const LONGEST_CONTEXT = 16_000;
const LONGEST_RULE = 1_500;
const CONTEXT_LINES = 3;
/** Comparing texts that differ more costs more than it shows. */
const MOST_EDITS = 1_000;

/** What exactly the agent wants to do, in one line. */
export function permissionQuestion({ tool, input }: Pick<PermissionRequest, "tool" | "input">): string {
  const { command, path, url } = fieldsOf(input);
  return `${cutText(oneLine(asked()), LONGEST_QUESTION)}?`;

  function asked(): string {
    if (tool === "exec" && typeof command === "string") return `Run ${command}`;
    if (tool === "write" && typeof path === "string") return `Write ${path}`;
    if (tool === "edit" && typeof path === "string") return `Edit ${path}`;
    if (tool === "web_fetch" && typeof url === "string") return `Fetch ${url}`;
    return `Call ${tool} ${input}`;
  }
}

/** Everything that there is to be decided about: the command, or what is written. */
export function permissionContext(request: Omit<PermissionRequest, "rule" | "text">): string {
  const { tool, roleId, runId } = request;
  const heading = `Role ${roleId}, ${runId}, tool ${tool}:`;
  const body = cutText(visible(bodyOf(request)), LONGEST_CONTEXT, (rest) => `\n… ${rest} more characters`);
  return `${heading}\n\n${body}`;
}

function bodyOf({ tool, input, replaces }: Pick<PermissionRequest, "tool" | "input" | "replaces">): string {
  const { command, path, content, oldText, newText, all } = fieldsOf(input);
  if (tool === "exec" && typeof command === "string") return command;
  if (!FILE_TOOLS.includes(tool)) return input;
  if (tool === "write" && typeof content === "string") return writtenText(`${path}`, content, replaces);
  if (typeof oldText !== "string" || typeof newText !== "string") return input;
  const where = all === true ? `${path}, every occurrence` : `${path}`;
  return `${where}\n\n${marked("-", oldText)}\n${marked("+", newText)}`;
}

/** Over a file that is there: the lines that change, and a few around them. */
function writtenText(path: string, content: string, replaces: PermissionRequest["replaces"]): string {
  if (replaces === undefined) return `${path}\n\n${marked("+", content)}`;
  const changed = replaces.text === undefined ? undefined : changedLines(replaces.text, content);
  if (changed === undefined) return `${path}, replaces ${replaces.bytes} bytes\n\n${marked("+", content)}`;
  return `${path}, replaces the file\n\n${changed === "" ? "No changes." : changed}`;
}

/** Undefined where the texts differ too much to be compared. */
function changedLines(before: string, after: string): string | undefined {
  const limits = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, limits);
  return patch?.hunks.map(({ lines }) => lines.map((line) => `${line[0]} ${line.slice(1)}`).join("\n")).join("\n…\n");
}

function marked(mark: string, text: string): string {
  return text
    .split("\n")
    .map((line) => `${mark} ${line}`)
    .join("\n");
}

/** Each says exactly what it allows. */
export function permissionAnswers(
  { rule, roleId }: Pick<PermissionRequest, "rule" | "roleId">,
  { projectId, hours }: { projectId: string; hours: number },
): SuggestedAnswer[] {
  const calls = cutText(ruleText(rule), LONGEST_RULE);
  const role = `role ${roleId} in project ${projectId}`;
  return [
    { label: "once", description: "Allow this call only." },
    { label: "run", description: `Allow until this run ends: ${calls}` },
    { label: "hour", description: `Allow for ${hoursText(hours)} (at most ${MOST_HOURS}) for ${role}: ${calls}` },
    { label: "always", description: `Allow from now on for ${role}: ${calls}` },
    { label: "no", description: "Refuse this call. The agent continues without it." },
  ];
}

function hoursText(hours: number): string {
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

function oneLine(text: string): string {
  const lines = visible(text.replaceAll("\r\n", "\n")).split("\n");
  const shown = lines.map((line) => line.replaceAll("\t", " ").trim()).filter((line) => line !== "");
  return shown.join(" ↵ ");
}

function fieldsOf(input: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
