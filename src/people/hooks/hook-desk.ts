import type { Hook, HookDetail, HookEvent } from "../../contract/documents/hook.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import type { HookCaller } from "./hook-caller.ts";
import type { HookRecords } from "./hook-records.ts";
import type { HookSamples } from "./hook-samples.ts";
import { type HookSwitches, switched } from "./hook-switches.ts";
import type { HookTable } from "./hook-table.ts";
import type { HookInput } from "./hooks.ts";
import type { ListedHook, RepositoryHook } from "./listed-hook.ts";
import type { RepositoryHooks } from "./repository-hooks.ts";

const sampleCall = { tool_name: "exec", tool_input: { command: "echo hello" }, tool_use_id: "call-1" };
const sampleRun = { session_id: "run-0", run_id: "run-0", task_id: "TASK-001" };
const sampleTask = { id: "TASK-001", title: "An example task", description: "", status: "pending" };

/** For a test without an input of its own. */
const SAMPLES: Readonly<Record<HookEvent, Record<string, unknown>>> = {
  SessionStart: { ...sampleRun, source: "startup" },
  PreToolUse: { ...sampleRun, ...sampleCall },
  PostToolUse: { ...sampleRun, ...sampleCall, tool_response: { output: "hello", failed: false } },
  TaskCreated: { task: sampleTask, created_by: "person" },
  TaskCompleted: { ...sampleRun, output: "Done.", round: 1 },
  TeammateIdle: {},
  PreShutdown: { reason: "idle" },
  GateFinished: { ...sampleRun, gate: { id: "gate-0", verdict: "fail", score: 72, threshold: 90, cycle: 1 } },
  EscalationCreated: { escalation: { id: "esc-001", type: "question", question: "Redis or Memcached?" } },
};

interface Parts {
  core: Core;
  table: HookTable;
  repository: RepositoryHooks;
  settings: LiveSettings;
  switches: HookSwitches;
  records: HookRecords;
  samples: HookSamples;
  caller: HookCaller;
  /** What hooks are there, or whether they run, has changed. */
  changed: () => void;
}

/** What people do with hooks. */
export class HookDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(): Hook[] {
    const { core, table, repository } = this.#parts;
    const ofRepositories = core.projects.ids().flatMap((id) => repository.list(id));
    return [...table.list(undefined), ...ofRepositories].map((hook) => this.#shown(hook));
  }

  get(name: string): HookDetail {
    const hook = this.#find(name);
    const content = isOfRepository(hook) ? { content: hook.content } : {};
    return { hook: this.#shown(hook), ...content, recent: this.#parts.records.recent(name) };
  }

  async enable(name: string, enabled: boolean, change: Change): Promise<Hook> {
    const hook = this.#find(name);
    if (hook.enabled !== enabled) await this.#switch(hook, enabled, change);
    this.#parts.changed();
    return this.#shown(this.#find(name));
  }

  async test(
    name: string,
    given: Record<string, unknown> | undefined,
  ): Promise<Omit<RouteResponse<"testHook">, "success">> {
    const hook = this.#find(name);
    if (isOfRepository(hook) && !hook.accepted)
      throw new HallError("hook_refused", `The hook '${name}' is not run before you accept its content.`);
    const input: HookInput = {
      ...(hook.projectId === undefined ? {} : { project_id: hook.projectId }),
      ...(given ?? hook.sample ?? SAMPLES[hook.event]),
      hook_event_name: hook.event,
    };
    const call = await this.#parts.caller.call(hook, input);
    if (given === undefined && hook.sample !== undefined) this.#parts.samples.found(hook, call);
    const text = call.outcome === "allowed" ? (call.context ?? "") : call.text;
    return { outcome: call.outcome, text, ms: call.ms, input };
  }

  async accept(name: string, hash: string, change: Change): Promise<Hook> {
    const hook = this.#find(name);
    if (!isOfRepository(hook))
      throw new HallError("invalid", `'${name}' needs no acceptance: only hooks of repositories do.`, {
        hint: hint("hook-list"),
      });
    await this.#parts.repository.accept(hook, hash, change);
    this.#parts.changed();
    return this.#shown(this.#find(name));
  }

  async #switch({ name, source }: ListedHook, enabled: boolean, change: Change): Promise<void> {
    const { settings, switches } = this.#parts;
    if (source !== "config") return switches.set(name, enabled, change);
    const at = settings.written().hooks.findIndex((hook) => hook.name === name);
    const entries = [{ path: ["hooks", String(at), "enabled"], value: enabled }];
    await settings.edit({
      edit: { set: {}, reset: [], entries },
      change: { ...change, ifMatch: undefined },
      event: () => switched(name, enabled),
    });
  }

  #find(name: string): ListedHook | RepositoryHook {
    const { core, table, repository } = this.#parts;
    const own = table.list(undefined).find((hook) => hook.name === name);
    const projectId = name.split(":")[0] ?? "";
    const isOfProject = name.includes(":") && core.projects.ids().includes(projectId);
    const found = own ?? (isOfProject ? repository.list(projectId).find((hook) => hook.name === name) : undefined);
    if (found === undefined) throw new HallError("hook_not_found", `There is no hook '${name.slice(0, 100)}'.`);
    return found;
  }

  #shown(hook: ListedHook | RepositoryHook): Hook {
    const { records, samples } = this.#parts;
    const { name, event, source, timeoutSeconds, onError, enabled, action } = hook;
    const lastRunAt = records.recent(name)[0]?.at;
    const problem = hook.problem ?? samples.known(name);
    return {
      ...{ name, event, source, timeoutSeconds, onError, enabled },
      ...(hook.projectId === undefined ? {} : { projectId: hook.projectId }),
      ...(hook.description === undefined ? {} : { description: hook.description }),
      ...(action.kind === "command" ? { command: [...action.words] } : {}),
      ...(action.kind === "url" ? { url: withoutQuery(action.url) } : {}),
      ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
      ...(isOfRepository(hook) ? { accepted: hook.accepted, hash: hook.hash } : {}),
      ...(problem === undefined ? {} : { problem }),
      last30Days: records.counts(name),
      ...(lastRunAt === undefined ? {} : { lastRunAt }),
    };
  }
}

function isOfRepository(hook: ListedHook | RepositoryHook): hook is RepositoryHook {
  return hook.source === "repository";
}

/** It may hold a secret of the receiver. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
