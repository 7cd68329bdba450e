import type { Hook } from "../../../../../src/contract/documents/hook.ts";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { commandLine, failureWords } from "./hook-words.ts";

/** What runs, and within which limits. */
export function HookProgram({ hook }: { hook: Hook }) {
  const { command, url, matcher, timeoutSeconds } = hook;
  const failing = failureWords(hook);
  const program = command === undefined ? url : commandLine(command);
  if (program === undefined) return null;
  return (
    <div className="flex flex-col gap-1">
      <pre className="rounded bg-sunk px-2 py-1 text-xs whitespace-pre-wrap wrap-anywhere">{visibleLine(program)}</pre>
      <p className="flex flex-wrap gap-x-3 text-xs text-faint">
        {matcher !== undefined && (
          <span>
            Tools: <code>{visibleLine(matcher)}</code>
          </span>
        )}
        <span>Timeout {timeoutSeconds} s</span>
        {failing !== undefined && <span>{failing}</span>}
      </p>
    </div>
  );
}
