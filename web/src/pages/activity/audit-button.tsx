import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { AuditReport } from "../../../../src/contract/routes/event-routes.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { plural } from "../../ui/figures.tsx";
import { tellFailure } from "../../ui/toasts.tsx";

/** Every event carries the hash of the one before: a line that was changed or taken out shows. */
export function AuditButton() {
  const [report, setReport] = useState<AuditReport>();
  const verify = useMutation({ mutationFn: () => call("verifyAudit"), onSuccess: setReport, onError: tellFailure });
  return (
    <>
      <Button busy={verify.isPending} onClick={() => verify.mutate()}>
        <ShieldCheck size={14} aria-hidden />
        {verify.isPending ? "Verifying…" : "Verify log"}
      </Button>
      {report !== undefined && (
        <Dialog title={report.ok ? "Log verified" : "Log verification failed"} onClose={() => setReport(undefined)}>
          <Report report={report} />
        </Dialog>
      )}
    </>
  );
}

function Report({ report: { ok, events, days, journals, ledgers, head, faults } }: { report: AuditReport }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className={ok ? "text-good" : "text-bad"}>
        {ok
          ? "No entries were changed or removed."
          : `${plural(faults.length, "line")} changed since Guildhall wrote the log.`}
      </p>
      <p>
        Checked {plural(events, "event")} from {plural(days, "day")}, {plural(journals, "run journal")} and{" "}
        {plural(ledgers, "cost file")}.
      </p>
      {faults.length > 0 && (
        <ul className="overflow-hidden rounded-md border border-line">
          {faults.map(({ file, line, reason }) => (
            <li key={`${file} ${line} ${reason}`} className="border-b border-line px-3 py-2 last:border-b-0">
              <code>
                {file}:{line}
              </code>
              <span className="block text-faint">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-xs text-faint">
        Latest hash <code>{head}</code>
      </p>
    </div>
  );
}
