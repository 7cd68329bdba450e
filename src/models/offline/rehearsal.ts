import type { Message, ModelRequest, ToolResult, ToolSpec } from "../../contract/runs/model-call.ts";
import { rehearseHandIn } from "./hand-in-rehearsal.ts";
import type { Turn } from "./playbook.ts";
import { filesIn, promptOf, titleIn } from "./task-prompt.ts";

export const NOTICE = "I'm Guildhall's offline model: I follow a fixed routine and can't reason.";
const MOST_FILES = 5;
const MOST_ENTRIES = 20;

/** Without a playbook: look around, read what the task names, hand in what was found, change nothing. */
export function rehearse(request: ModelRequest): Turn {
  const { tools, messages } = request;
  const can = (tool: string) => tools.some((spec) => spec.name === tool);
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const did = (tool: string) => results.some((result) => result.name === tool);
  if (can("list") && !did("list")) return say(`${NOTICE} First, I list the folder.`, [call("list", { path: "." })]);
  const files = filesIn(promptOf(messages)).slice(0, MOST_FILES);
  if (can("read") && !did("read") && files.length > 0)
    return say(
      "Next, I read the files named in the task.",
      files.map((path) => call("read", { path })),
    );
  const handIn = rehearseHandIn(request);
  if (handIn !== undefined && !did(handIn.tool)) return say("", [{ ...handIn }]);
  const summary = summarise(messages, results);
  const report = tools.find((spec) => spec.name === "report");
  if (report !== undefined && !did("report")) return say("", [call("report", { summary, ...reportedAs(report) })]);
  return say(can("report") ? "That's all the offline model can do." : summary);
}

/** A reviewer's report has a verdict, any other an outcome. */
function reportedAs({ inputSchema: { properties } }: ToolSpec): Record<string, unknown> {
  const isReview = typeof properties === "object" && properties !== null && "verdict" in properties;
  return isReview ? { verdict: "unable", findings: [] } : { outcome: "partial", artifacts: [] };
}

export function say(text: string, calls: Turn["calls"] = []): Turn {
  return { text, calls, delayMs: 0 };
}

function call(tool: string, input: Record<string, unknown>): Turn["calls"][number] {
  return { tool, input };
}

function summarise(messages: readonly Message[], results: readonly ToolResult[]): string {
  const listing = results.find((result) => result.name === "list");
  const reads = results.filter((result) => result.name === "read");
  return [
    `${NOTICE} I rehearsed "${titleIn(promptOf(messages))}" and changed nothing.`,
    listing === undefined ? "" : `Working folder:\n${shownEntries(listing)}`,
    reads.length === 0
      ? ""
      : `Files named in the task:\n${reads.map((result) => shownFile(result, messages)).join("\n")}`,
    "To have a real model do this task, add an API key in Settings or with 'guildhall key set'.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function shownEntries({ output, failed }: ToolResult): string {
  if (failed) return `- could not be listed: ${firstLine(output)}`;
  const entries = output.split("\n").filter((entry) => entry.trim() !== "");
  const shown = entries.slice(0, MOST_ENTRIES).map((entry) => `- ${entry}`);
  return [...shown, ...(entries.length > MOST_ENTRIES ? [`- and ${entries.length - MOST_ENTRIES} more`] : [])].join(
    "\n",
  );
}

function shownFile({ id, output, failed }: ToolResult, messages: readonly Message[]): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  const path = /"path":"([^"]+)"/.exec(calls.find((candidate) => candidate.id === id)?.input ?? "")?.[1] ?? "a file";
  return `- ${path}: ${failed ? `could not be read (${firstLine(output)})` : `${output.split("\n").length} lines`}`;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 120);
}
