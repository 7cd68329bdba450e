import type { Hook } from "../../../../../src/contract/documents/hook.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { tookText } from "../../../ui/figures.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { visibleText } from "../../../ui/text/visible-text.ts";
import { OUTCOME_WORDS } from "./hook-words.ts";

/** One test of a hook: its button and its result are in different places of a row. */
export function useHookTest() {
  return useAct("testHook", { onFailure: shownInline });
}

type Test = ReturnType<typeof useHookTest>;

/** Runs a hook once with a sample input. */
export function TestButton({ hook: { name }, test }: { hook: Hook; test: Test }) {
  return (
    <Button
      size="small"
      busy={test.isPending}
      aria-label={`Test ${name}`}
      title="Runs it once with a sample input"
      onClick={() => test.mutate({ params: { name }, body: {} })}
    >
      {test.isPending ? "Testing…" : "Test"}
    </Button>
  );
}

/** What the hook said. */
export function TestResult({ test: { data, error, isPending } }: { test: Test }) {
  if (error !== null) return <Trouble error={error} />;
  if (data === undefined || isPending) return null;
  const { word, tone } = OUTCOME_WORDS[data.outcome];
  const text = visibleText(data.text).trim();
  return (
    <div role="status" className="flex flex-col gap-1 rounded-md border border-line px-2.5 py-1.5 text-sm">
      <p className="flex items-center gap-2">
        Test <Badge tone={tone}>{word}</Badge>
        <span className="text-xs text-faint">{tookText(Math.round(data.ms))}</span>
      </p>
      {text !== "" && <pre className="max-h-48 overflow-y-auto text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>}
      <details className="text-xs">
        <summary className="cursor-pointer text-faint hover:text-ink">Sample input</summary>
        <pre className="mt-1 max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          {visibleText(JSON.stringify(data.input, null, 2))}
        </pre>
      </details>
    </div>
  );
}
