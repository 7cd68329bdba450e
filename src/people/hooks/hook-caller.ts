import type { HookEvent, HookTrace } from "../../contract/documents/hook.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import { Slots } from "../../workspace/slots.ts";
import { runCommand } from "./command-hook.ts";
import { answerOf, type HookAnswer, type HookEnd } from "./hook-answer.ts";
import { AT_ONCE, MOST_KEPT, MOST_TOLD } from "./hook-limits.ts";
import type { HookPlaces } from "./hook-places.ts";
import { HookSandboxes } from "./hook-sandboxes.ts";
import type { HookInput } from "./hooks.ts";
import { postHook } from "./http-hook.ts";
import type { ListedHook } from "./listed-hook.ts";
import { claudeName } from "./matcher.ts";

interface Parts {
  places: Pick<HookPlaces, "find" | "placed">;
  /** Hides a project's secrets, or the daemon's own. */
  redactorOf: (projectId: string | undefined) => Redactor;
  onTrouble: (what: string, error: unknown) => void;
}

export type HookCall = HookAnswer & { ms: number };

/** Runs one hook, whatever it is. */
export class HookCaller {
  readonly #parts: Parts;
  readonly #sandboxes = new HookSandboxes();
  readonly #slots = new Slots(AT_ONCE);
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async call(hook: ListedHook, input: HookInput): Promise<HookCall> {
    const running = this.#call(hook, input);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** What hooks say from now on is only that they were ended. */
  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#sandboxes.close();
    await Promise.allSettled(this.#running);
  }

  async #call(hook: ListedHook, input: HookInput): Promise<HookCall> {
    const release = await this.#slots.take(input.project_id ?? "");
    const from = performance.now();
    const redactor = this.#parts.redactorOf(input.project_id);
    try {
      const answer = await this.#answer(hook, redactor.deep(input));
      return { ...redacted(answer, redactor), ms: Math.round(performance.now() - from) };
    } catch (error) {
      this.#parts.onTrouble(`the hook '${hook.name}' could not be run`, error);
      return { outcome: "failed", text: "it could not be run", ms: Math.round(performance.now() - from) };
    } finally {
      release();
    }
  }

  async #answer(hook: ListedHook, input: HookInput): Promise<HookAnswer> {
    const { action } = hook;
    switch (action.kind) {
      case "check": {
        const missing = await action.check(input);
        return missing === undefined ? { outcome: "allowed" } : { outcome: "refused", text: missing };
      }
      case "broken":
        return { outcome: "failed", text: action.reason };
      case "url":
        return answerOf(await this.#post(action.url, hook, input), hook.event);
      case "command":
        return answerOf(await this.#command(action.words, hook, input), hook.event);
    }
  }

  #post(url: string, { timeoutSeconds }: ListedHook, input: HookInput): Promise<HookEnd> {
    const closing = this.#closing.signal;
    return postHook({ url, input: JSON.stringify(input), timeoutMs: timeoutSeconds * 1_000, closing });
  }

  async #command(words: readonly string[], hook: ListedHook, input: HookInput): Promise<HookEnd> {
    const { places } = this.#parts;
    const isOfRepository = hook.source === "repository";
    const placed = isOfRepository ? words : places.placed(words);
    const place = await places.find(input, { words: placed, isOfRepository });
    if (typeof place === "string") return { kind: "unable", reason: place };
    const told = { ...input, cwd: place.order.workdir };
    const end = await runCommand({
      ...place,
      sandboxes: this.#sandboxes,
      words: placed,
      input: JSON.stringify(isOfRepository ? asClaude(told) : told),
      timeoutMs: hook.timeoutSeconds * 1_000,
      closing: this.#closing.signal,
    });
    const isAsAccepted = hook.isUntouched?.() ?? true;
    return isAsAccepted ? end : { kind: "unable", reason: "its files were changed or replaced while it ran" };
  }
}

/** With Claude Code's names of tools and of their fields, which a repository's hooks were written for. */
function asClaude(input: HookInput): HookInput {
  const { tool_name, tool_input } = input;
  if (typeof tool_name !== "string") return input;
  const isFields = typeof tool_input === "object" && tool_input !== null && !Array.isArray(tool_input);
  const path = isFields && "path" in tool_input ? { file_path: tool_input.path } : {};
  return { ...input, tool_name: claudeName(tool_name), tool_input: isFields ? { ...tool_input, ...path } : tool_input };
}

function redacted(answer: HookAnswer, redactor: Redactor): HookAnswer {
  const shown = (text: string) => cut(redactor.text(text.slice(0, MOST_KEPT)));
  if (answer.outcome !== "allowed") return { ...answer, text: shown(answer.text) };
  return answer.context === undefined ? answer : { ...answer, context: shown(answer.context) };
}

function cut(text: string): string {
  return text.length <= MOST_TOLD ? text : `${text.slice(0, MOST_TOLD)}\n(… cut at ${MOST_TOLD} characters …)`;
}

export function traceOf({ name, event }: { name: string; event: HookEvent }, call: HookCall): HookTrace {
  const text = call.outcome === "allowed" ? call.context : call.text;
  return { event, name, outcome: call.outcome, ms: call.ms, ...(text === undefined ? {} : { text }) };
}
