import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { ANSWER_SCOPES, type AnswerScope } from "../../../../src/contract/documents/escalation-status.ts";
import { SCOPE_WORDS } from "./inbox-words.ts";

export interface Options {
  scope?: AnswerScope;
  always: boolean;
}

interface OptionsProps {
  escalation: Escalation;
  options: Options;
  onChange: (options: Options) => void;
}

/** For how much the answer holds. */
export function AnswerOptions({ escalation: { projectId, blocksTask, askers }, options, onChange }: OptionsProps) {
  const hasTask = blocksTask !== null || askers.some(({ taskId }) => taskId !== undefined);
  const scopes = ANSWER_SCOPES.filter(
    (scope) => scope === "hall" || (projectId !== undefined && (scope !== "task" || hasTask)),
  );
  return (
    <>
      <label className="flex items-center gap-1.5 text-sm">
        Applies to
        <select
          className="h-7 rounded-md border border-edge bg-card px-1.5 text-sm"
          value={options.scope ?? (projectId === undefined ? "hall" : "project")}
          onChange={({ target }) => onChange({ ...options, scope: target.value as AnswerScope })}
        >
          {scopes.map((scope) => (
            <option key={scope} value={scope}>
              {SCOPE_WORDS[scope]}
            </option>
          ))}
        </select>
      </label>
      <label
        className="flex items-center gap-1.5 text-sm"
        title="The same question gets this answer without asking you."
      >
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={options.always}
          onChange={({ target }) => onChange({ ...options, always: target.checked })}
        />
        Always answer this way
      </label>
    </>
  );
}
