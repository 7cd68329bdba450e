import type { Message, ModelRequest, ToolResult } from "../../contract/runs/model-call.ts";
import type { Turn } from "./playbook.ts";
import { NOTICE, say } from "./rehearsal.ts";

const MOST_LINES = 20;
const ASKED = /^\[from (?:the person|the main agent)\b/;

/** Which agent that lives on is asked, told by its tools; undefined for a run. */
function residentOf({ tools }: Pick<ModelRequest, "tools">): "main" | "project" | undefined {
  const can = (tool: string) => tools.some(({ name }) => name === tool);
  if (can("reply") && can("list_projects")) return "main";
  return can("notify") && !can("report") ? "project" : undefined;
}

/**
 * Without a playbook, an agent that lives on looks once at what it knows and tells it to whoever asked. What others report
 * it takes down with a sentence. Undefined when a run is asked.
 */
export function rehearseResident(request: ModelRequest): Turn | undefined {
  const who = residentOf(request);
  if (who === undefined) return undefined;
  const { asked, results } = lastTurn(request.messages);
  if (!ASKED.test(asked)) return say("Noted. I'm the offline model, so I can't act on it.");
  const wanted = who === "main" ? ["needs_attention", "list_projects"] : ["task_list"];
  const missing = wanted.filter(
    (tool) => request.tools.some(({ name }) => name === tool) && !results.some(({ name }) => name === tool),
  );
  if (missing.length > 0)
    return say(
      "",
      missing.map((tool) => ({ tool, input: {} })),
    );
  const seen = (tool: string) => results.find(({ name }) => name === tool);
  return say(
    who === "main" ? mainAnswer(seen("needs_attention"), seen("list_projects")) : projectAnswer(seen("task_list")),
  );
}

function mainAnswer(attention: ToolResult | undefined, projects: ToolResult | undefined): string {
  return [
    ...(attention === undefined ? [] : [attention.output]),
    ...(projects === undefined ? [] : [`Projects:\n${shown(projects)}`]),
    `${NOTICE} I replace the main agent until you add an API key in Settings. '/projects', '/status' and '/cost' need no model.`,
  ].join("\n\n");
}

function projectAnswer(tasks: ToolResult | undefined): string {
  return [
    `${NOTICE} I replace this project's agent.`,
    ...(tasks === undefined ? [] : [`The board:\n${shown(tasks)}`]),
    "To get answers from a real model, add an API key in Settings or with 'guildhall key set'.",
  ].join("\n\n");
}

/** What was said last, and what was done since. */
function lastTurn(messages: readonly Message[]): { asked: string; results: ToolResult[] } {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  return {
    asked: last?.role === "user" ? last.text : "",
    results: messages.slice(at + 1).flatMap((message) => (message.role === "tool" ? message.results : [])),
  };
}

function shown({ output }: ToolResult): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const more = lines.length > MOST_LINES ? [`- and ${lines.length - MOST_LINES} more`] : [];
  return [...lines.slice(0, MOST_LINES).map((line) => `- ${line.replace(/^- /, "")}`), ...more].join("\n");
}
