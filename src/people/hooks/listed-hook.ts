import type { HookEvent, HookFile, HookSource } from "../../contract/documents/hook.ts";
import type { BuiltInHook } from "./hooks.ts";

type HookAction =
  | { kind: "check"; check: BuiltInHook["check"] }
  | { kind: "command"; words: readonly string[] }
  | { kind: "url"; url: string }
  /** What it should do can't be read. */
  | { kind: "broken"; reason: string };

/** A hook of any source. */
export interface ListedHook {
  name: string;
  event: HookEvent;
  source: HookSource;
  /** Of a repository's hook: the project it is for. */
  projectId?: string | undefined;
  description?: string | undefined;
  action: HookAction;
  matcher?: string | undefined;
  timeoutSeconds: number;
  onError: "refuse" | "allow";
  enabled: boolean;
  /** Of a repository's hook: whether the person accepted its content. */
  accepted?: boolean | undefined;
  /** Of a repository's hook: whether its files are those that were accepted, and were all the time since it was listed. */
  isUntouched?: (() => boolean) | undefined;
  sample?: Record<string, unknown> | undefined;
  /** What keeps it from working as it should. */
  problem?: string | undefined;
}

export interface Content {
  path: string;
  text: string;
}

/** A hook of a repository, with what is accepted of it. */
export interface RepositoryHook extends ListedHook {
  projectId: string;
  accepted: boolean;
  hash: string;
  content: Content[];
}

export function builtIn({ name, event, description, check }: BuiltInHook, enabled: boolean): ListedHook {
  const action = { kind: "check", check } as const;
  // A defect of Guildhall's own must not stop all work.
  return { name, event, source: "builtin", description, action, timeoutSeconds: 60, onError: "allow", enabled };
}

export function ownHook(settings: HookFile & { name: string }, source: "config" | "file"): ListedHook {
  const { command, url, ...rest } = settings;
  const action =
    url === undefined ? ({ kind: "command", words: command ?? [] } as const) : ({ kind: "url", url } as const);
  return { ...rest, source, action };
}

/** Refuses its event until its file can be read: nobody knows what it would have refused. */
export function brokenHook(name: string, event: HookEvent, reason: string): ListedHook {
  const rest = { timeoutSeconds: 30, onError: "refuse", enabled: true, problem: reason } as const;
  return { name, event, source: "file", action: { kind: "broken", reason }, ...rest };
}
