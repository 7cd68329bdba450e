import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Trigger } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import { queries } from "../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../../ui/states.tsx";
import { TriggerForm } from "./trigger-form.tsx";
import { TriggerRow } from "./trigger-row.tsx";

/** The triggers of one project, or all, in groups that the page chooses. */
export function Triggers({
  projectId,
  children,
}: {
  projectId?: string;
  children: (triggers: readonly Trigger[]) => ReactNode;
}) {
  const found = useQuery(queries.triggers(projectId === undefined ? {} : { project: projectId }));
  return (
    <Loaded query={found} loading={<Loading lines={6} label="Loading triggers" />}>
      {({ triggers }) =>
        triggers.length === 0 ? (
          <Empty title="No triggers." action={<AddTrigger projectId={projectId} />}>
            A trigger starts a message, a run or a team at set times, on a webhook, or when something happens.
          </Empty>
        ) : (
          children(triggers)
        )
      }
    </Loaded>
  );
}

export function TriggerRows({ label, triggers }: { label: string; triggers: readonly Trigger[] }) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y divide-line">
        {triggers.map((trigger) => (
          <TriggerRow key={trigger.name} trigger={trigger} />
        ))}
      </ul>
    </Card>
  );
}

export function AddTrigger({ projectId }: { projectId?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Add trigger
      </Button>
      {isOpen && <TriggerForm projectId={projectId} onClose={() => setOpen(false)} />}
    </>
  );
}
