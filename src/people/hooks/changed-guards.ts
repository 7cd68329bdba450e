import { type AcceptedHooks, GUARDING } from "../../contract/documents/hook.ts";
import type { RepositoryHook } from "./listed-hook.ts";

type Accepted = AcceptedHooks["accepted"][string];

interface Found {
  projectId: string;
  accepted: Accepted;
  /** The hooks that are there now. */
  hooks: readonly RepositoryHook[];
  switchOf: (name: string) => boolean | undefined;
}

/**
 * Guards that were accepted and are no longer there as they were. Each refuses what it guarded until its new content is accepted,
 * or it is disabled: otherwise an agent could switch a guard off by an edit of its program.
 */
export function changedGuards({ projectId, accepted, hooks, switchOf }: Found): RepositoryHook[] {
  const latest = new Map(accepted.map((entry) => [entry.name, entry]));
  return [...latest.values()].flatMap(({ name, hash, matcher }): RepositoryHook[] => {
    const event = GUARDING.find((known) => name.startsWith(`${projectId}:${known}-`));
    if (event === undefined || hooks.some((hook) => hook.hash === hash)) return [];
    // Of this content: disabling it says nothing about a later change.
    const own = `${name}-${hash.slice(0, 6)}`;
    const enabled = switchOf(own) ?? switchOf(name) ?? true;
    const reason = `the content of '${name}' changed since it was accepted; accept it again, or disable this`;
    const rest = { source: "repository", timeoutSeconds: 60, onError: "refuse", accepted: true } as const;
    const action = { kind: "broken", reason } as const;
    const guarded = { event, projectId, ...(matcher === undefined ? {} : { matcher }) };
    return [{ ...rest, ...guarded, name: own, enabled, action, problem: reason, hash, content: [] }];
  });
}
