import type { RunPlan } from "../../contract/runs/run.ts";
import { grouped } from "../runs/run-text.ts";
import { manyLines, oneLine } from "./plain-text.ts";
import type { TableSpace } from "./text-table.ts";
import { padText } from "./text-width.ts";
import { wrapLabelled } from "./text-wrap.ts";

type Decision = readonly [name: string, value: string, because: string | undefined];

/** Everything a run would be started with, and why. The prompt stays as it is: none of its lines is broken. */
export function planText(plan: RunPlan, { paint, width }: TableSpace): string {
  const decisions = [...settings(plan), ...limits(plan), ...known(plan), ...leftOut(plan)];
  const widest = Math.max(...decisions.map(([name]) => name.length));
  const facts = decisions.map(([name, value, because]) => {
    const reason = because === undefined ? "" : paint("dim", ` (${oneLine(because)})`);
    return `${paint("dim", padText(name, widest))}  ${oneLine(value)}${reason}`;
  });
  const heading = (title: string) => ["", paint("bold", `--- ${title} ---`)];
  return [
    paint("bold", "Dry run, nothing started. The run would use:"),
    wrapLabelled(facts.join("\n"), width),
    ...heading("system"),
    manyLines(plan.system),
    ...heading("prompt"),
    manyLines(plan.prompt),
  ].join("\n");
}

function settings({ roleId, projectId, taskId, title, model, thinking, tools, ...plan }: RunPlan): Decision[] {
  const setting = (name: string, value: number | undefined): Decision[] =>
    value === undefined ? [] : [[name, String(value), "set by the role or the assignment"]];
  return [
    ["role", roleId, undefined],
    ["purpose", plan.purpose, undefined],
    ["task", `${projectId}/${taskId}: ${title}`, undefined],
    ["model", model.value, model.because],
    ["thinking", thinking.value, thinking.because],
    ["tools", tools.value.join(", ") || "none", tools.because],
    ...asked(plan.ask),
    ...sandboxOf(plan.sandbox),
    ...setting("temperature", plan.temperature),
    ...setting("max tokens", plan.maxTokens),
  ];
}

function asked(ask: RunPlan["ask"]): Decision[] {
  return ask === undefined ? [] : [["ask before", ask.join(", "), undefined]];
}

function sandboxOf(sandbox: RunPlan["sandbox"]): Decision[] {
  if (sandbox === undefined) return [];
  const { name, network, memoryMb, processes } = sandbox;
  const shown = name === "none" ? "unsandboxed" : `${name}, ${network ? "with" : "without"} network`;
  return [["sandbox", shown, `${memoryMb} MB, ${processes} processes`]];
}

function limits({ limits: { turns, tokens, toolCalls, repeats }, timeout, contextWindow }: RunPlan): Decision[] {
  return [
    ["time", `${timeout.value} s`, timeout.because],
    ["turns", grouped(turns), "limits.turns in config.yml"],
    tokens === undefined
      ? ["tokens", "no limit", "the project has no maxTokensPerTask"]
      : ["tokens", grouped(tokens), "maxTokensPerTask of the project"],
    ...(toolCalls === undefined
      ? []
      : [["tool calls", grouped(toolCalls), "maxToolCallsPerRun of the project"] as Decision]),
    ["repeats", `${repeats} identical calls in a row`, "fixed"],
    ["window", `${grouped(contextWindow)} tokens`, "from the model, or models.contextWindow in config.yml"],
  ];
}

function known({ knowledge }: RunPlan): Decision[] {
  if (knowledge === undefined) return [];
  const { used, of } = knowledge;
  const which = used.length === 0 ? "" : `: ${used.join(", ")}`;
  return [["knowledge", `${used.length} of ${grouped(of)} statements${which}`, "knowledge.promptTokens in config.yml"]];
}

function leftOut({ cut }: RunPlan): Decision[] {
  return cut.length === 0 ? [] : [["cut", cut.join(", "), "too long for the prompt"]];
}
