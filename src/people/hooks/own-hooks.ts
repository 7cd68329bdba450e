import { GUARDING, type HookEvent, type HookTrace } from "../../contract/documents/hook.ts";
import { type HookCall, type HookCaller, traceOf } from "./hook-caller.ts";
import type { HookSamples } from "./hook-samples.ts";
import type { HookTable } from "./hook-table.ts";
import type { HookInput, Hooks, HookVerdict } from "./hooks.ts";
import type { ListedHook } from "./listed-hook.ts";
import { matchedTools, matches } from "./matcher.ts";

interface Parts {
  table: HookTable;
  caller: Pick<HookCaller, "call" | "isClosing">;
  samples: Pick<HookSamples, "distrust">;
  /** Keeps what became of a hook. */
  record: (hook: ListedHook, input: HookInput, call: HookCall) => void;
}

/**
 * The hooks of an event one after the other; of a guarding one, the first refusal is the last word. What built-in checks, which come
 * first, find missing is said together.
 */
export class OwnHooks implements Hooks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  toolsOf(event: "PreToolUse" | "PostToolUse", projectId: string | undefined): string[] {
    const tools = this.#parts.table.of(event, projectId).map(({ matcher }) => matchedTools(matcher));
    if (tools.includes("all")) return ["*"];
    return [...new Set(tools.flat())];
  }

  has(event: HookEvent, projectId: string | undefined): boolean {
    return this.#parts.table.of(event, projectId).some(({ source }) => source !== "builtin");
  }

  isEnabled(name: string): boolean {
    return this.#parts.table
      .list(undefined)
      .some((hook) => hook.source === "builtin" && hook.name === name && hook.enabled);
  }

  async run(input: HookInput): Promise<HookVerdict> {
    const isGuarding = GUARDING.includes(input.hook_event_name);
    const told: string[] = [];
    const traces: HookTrace[] = [];
    const missing: string[] = [];
    for (const hook of this.#hooksFor(input)) {
      if (hook.source !== "builtin" && missing.length > 0) break;
      const distrust = await this.#parts.samples.distrust(hook);
      const call = await this.#call(hook, input, distrust);
      if (this.#parts.caller.isClosing && call.outcome === "failed")
        return { refused: isGuarding, feedback: "Guildhall is stopping.", traces, interrupted: true };
      if (hook.source === "builtin") {
        if (call.outcome === "allowed") continue;
        traces.push(traceOf(hook, call));
        if (call.outcome === "refused") missing.push(call.text);
        continue;
      }
      traces.push(traceOf(hook, call));
      const isOpen = call.outcome === "failed" && hook.onError === "allow" && distrust === undefined;
      const isRefused = call.outcome !== "allowed" && !isOpen;
      if (isGuarding && isRefused) return { refused: true, feedback: refusalText(hook, call), traces };
      if (call.outcome === "refused") told.push(call.text);
      if (call.outcome === "allowed" && call.context !== undefined) told.push(call.context);
    }
    if (missing.length > 0) return { refused: true, isReminder: true, feedback: missing.join("\n"), traces };
    return { refused: false, ...(told.length === 0 ? {} : { feedback: told.join("\n\n") }), traces };
  }

  #hooksFor(input: HookInput): ListedHook[] {
    const { tool_name, project_id, hook_event_name } = input;
    const hooks = this.#parts.table.of(hook_event_name, project_id);
    return typeof tool_name === "string" ? hooks.filter(({ matcher }) => matches(matcher, tool_name)) : hooks;
  }

  async #call(hook: ListedHook, input: HookInput, distrust: string | undefined): Promise<HookCall> {
    const call: HookCall =
      distrust === undefined
        ? await this.#parts.caller.call(hook, input)
        : { outcome: "failed", text: distrust, ms: 0 };
    if (call.outcome !== "failed" || !this.#parts.caller.isClosing) this.#parts.record(hook, input, call);
    return call;
  }
}

function refusalText({ name }: ListedHook, call: HookCall): string {
  if (call.outcome === "refused") return `Refused by the hook '${name}': ${call.text}`;
  const why = call.outcome === "failed" ? call.text : "";
  return `Refused, because the hook '${name}' did not work: ${why}. Do not retry; continue without this, or report that it is blocked.`;
}
