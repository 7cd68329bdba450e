import type { HookEvent, HookTrace } from "../../contract/documents/hook.ts";

/** What hooks are told, as JSON on stdin or as the body of a request. The names are those of Claude Code. */
export interface HookInput {
  hook_event_name: HookEvent;
  project_id?: string | undefined;
  run_id?: string | undefined;
  task_id?: string | undefined;
  [more: string]: unknown;
}

/** What all hooks of an event said together. */
export interface HookVerdict {
  /** Of a guarding event: it must not happen. */
  refused: boolean;
  /** Only built-in checks refused it. They do so once. */
  isReminder?: true | undefined;
  /** What the agent, or whoever asked, is told. */
  feedback?: string | undefined;
  traces: HookTrace[];
  /** The daemon stops, so a hook was ended: nothing follows from it. What can be asked again after the start is. */
  interrupted?: true | undefined;
}

/** Runs the hooks of an event: the built-in ones, and the person's. */
export interface Hooks {
  /** Tools that hooks of this event look at: names, or `*`. Empty: none does. */
  toolsOf(event: "PreToolUse" | "PostToolUse", projectId: string | undefined): string[];
  /** Whether the person has a hook for the event; the built-in ones don't count. */
  has(event: HookEvent, projectId: string | undefined): boolean;
  /** Whether a built-in check is switched on. */
  isEnabled(builtIn: string): boolean;
  /** Never rejects: a hook that could not be run has its say by its `onError`. */
  run(input: HookInput): Promise<HookVerdict>;
}

/** A check that is part of Guildhall. It can be switched off by its name. */
export interface BuiltInHook {
  name: string;
  event: HookEvent;
  /** One sentence for people. */
  description: string;
  /** What is missing, for the agent to read; undefined: nothing. */
  check(input: HookInput): Promise<string | undefined>;
}
