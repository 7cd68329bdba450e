import { useMemo } from "react";
import type { PermissionRequest } from "../../../../../src/contract/documents/permission.ts";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { EditCounts, EditDiff } from "../../run/transcript/edit-diff.tsx";
import { shownCall } from "./call-model.ts";

/** Lines of a change that are shown at once: what is decided about is not folded without need. */
const MOST_LINES = 200;

/** Exactly what would be done. */
export function CallShown({ asked }: { asked: PermissionRequest }) {
  const shown = useMemo(() => shownCall(asked), [asked]);
  return (
    <section aria-label="Requested call" className="flex min-w-0 flex-col gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-faint">
        <code className="font-semibold text-ink">{visibleLine(asked.tool)}</code>
        {shown.kind === "edit" && (
          <>
            <code className="wrap-anywhere">{visibleLine(shown.edit.path)}</code>
            <EditCounts edit={shown.edit} />
          </>
        )}
      </p>
      {shown.kind === "edit" ? (
        <ScrollBox label="Requested change" look="plain" className="max-h-96 rounded-md border border-line bg-card">
          <EditDiff id={asked.callId} edit={shown.edit} most={MOST_LINES} />
        </ScrollBox>
      ) : (
        <ScrollBox
          label={shown.kind === "command" ? "Command" : "Input"}
          look="text"
          className="max-h-96 text-sm wrap-anywhere"
        >
          {visibleLine(shown.kind === "command" ? shown.command : shown.text)}
        </ScrollBox>
      )}
      {shown.kind !== "input" && shown.others !== "" && (
        <pre className="text-xs whitespace-pre-wrap text-faint wrap-anywhere">{visibleLine(shown.others)}</pre>
      )}
      {asked.replaces !== undefined && <p className="text-xs text-faint">{replacedWords(asked.replaces)}</p>}
      {shown.isCut && (
        <p className="text-xs text-warn">Only the beginning is shown. See the run's transcript for the whole input.</p>
      )}
    </section>
  );
}

function replacedWords({ bytes, text }: NonNullable<PermissionRequest["replaces"]>): string {
  if (text === undefined) return `Replaces a file of ${bytes} bytes, whose lines are not shown.`;
  return "Replaces the file, as it was when the run asked.";
}
