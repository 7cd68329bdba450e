import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { CheckDialog } from "../gate/gate-actions.tsx";
import { GateReportView } from "../gate/gate-report.tsx";

/** The newest gate report of a run, or of the run that it continues. */
export default function GateView({ run }: { run: Run }) {
  const found = useQuery(queries.runGates(run.id));
  return (
    <Loaded query={found}>
      {({ gates }) => {
        const newest = gates.at(-1);
        return newest === undefined ? <NoGate run={run} /> : <GateReportView key={newest.id} gate={newest} />;
      }}
    </Loaded>
  );
}

function NoGate({ run }: { run: Run }) {
  const [isAsking, setAsking] = useState(false);
  const hasResult = isOver(run) && run.delivery !== undefined && run.purpose === "work";
  return (
    <>
      <Empty
        title="No gate report."
        action={hasResult && <Button onClick={() => setAsking(true)}>Check this result</Button>}
      >
        {hasResult
          ? "A gate compiles the change, runs its tests and has it reviewed before it counts."
          : "Gates judge the changes of runs that ended."}
      </Empty>
      {isAsking && (
        <CheckDialog
          projectId={run.projectId}
          title="Check this result?"
          subject={{ runId: run.id }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
