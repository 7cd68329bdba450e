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
        {verify.isPending ? "Verifying…" : "Verify the log"}
      </Button>
      {report !== undefined && (
        <Dialog title={report.ok ? "The log is whole" : "The log was changed"} onClose={() => setReport(undefined)}>
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
        {ok ? "Nothing was changed or taken out." : `${plural(faults.length, "line")} cannot be as the hall wrote it.`}
      </p>
      <p>
        {plural(events, "event")} of {plural(days, "day")}, {plural(journals, "journal")} of runs and{" "}
        {plural(ledgers, "file")} of costs were compared.
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
        Newest hash <code>{head}</code>
      </p>
    </div>
  );
}
