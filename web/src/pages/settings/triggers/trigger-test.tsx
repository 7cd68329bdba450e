import { useEffect } from "react";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loading, Trouble } from "../../../ui/states.tsx";
import { visibleLine, visibleText } from "../../../ui/text/visible-text.ts";

/** What a firing would send. Starts nothing. */
export function TriggerTest({ name, onClose }: { name: string; onClose: () => void }) {
  const { data, error, mutate } = useAct("testTrigger", { onFailure: shownInline });
  useEffect(() => mutate({ params: { name } }), [mutate, name]);
  return (
    <Dialog title={`Test of ${name}`} onClose={onClose}>
      {error !== null && <Trouble error={error} />}
      {data === undefined ? (
        error === null && <Loading lines={3} />
      ) : (
        <div className="flex flex-col gap-3 text-sm">
          <p className="wrap-anywhere">{visibleLine(data.starts)}</p>
          {data.problem !== undefined && (
            <p role="status" className="rounded-md bg-bad-soft px-3 py-1.5 text-bad wrap-anywhere">
              {visibleLine(data.problem)}
            </p>
          )}
          {data.outside && (
            <p className="text-faint">It is given text from outside: it can read, and proposes its changes.</p>
          )}
          <section aria-label="Prompt" className="flex flex-col gap-1">
            <h3 className="font-medium">Prompt</h3>
            <pre className="max-h-96 overflow-y-auto rounded-md bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">
              {visibleText(data.prompt)}
            </pre>
          </section>
          <p className="text-xs text-faint">Nothing was started.</p>
        </div>
      )}
    </Dialog>
  );
}
