import { useNavigate } from "@tanstack/react-router";
import { RotateCw, Square } from "lucide-react";
import { useState } from "react";
import type { GateReport } from "../../../../src/contract/documents/quality/gate.ts";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CheckField } from "../../ui/field.tsx";

/** A running gate can be cancelled, a finished one checked again. */
export function GateActions({ gate }: { gate: GateReport }) {
  const cancel = useAct("cancelGate", { done: "Cancelled." });
  const [isAsking, setAsking] = useState(false);
  if (gate.state === "running")
    return (
      <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate({ params: { id: gate.id } })}>
        <Square size={14} aria-hidden />
        Cancel
      </Button>
    );
  if (gate.projectId === undefined) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <RotateCw size={14} aria-hidden />
        Check again
      </Button>
      {isAsking && (
        <CheckDialog
          projectId={gate.projectId}
          title="Check again?"
          subject={subjectOf(gate)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

type Subject = NonNullable<RouteBodyInput<"createGate">>;

function subjectOf({ runId, base, head }: GateReport): Subject {
  if (runId !== undefined) return { runId };
  return head === undefined ? {} : { base, head };
}

interface CheckProps {
  projectId: string;
  title: string;
  subject: Subject;
  onClose: () => void;
}

/** Says what a check costs before it starts, and opens its report. */
export function CheckDialog({ projectId, title, subject, onClose }: CheckProps) {
  const [isLocal, setLocal] = useState(false);
  const navigate = useNavigate();
  const create = useAct("createGate", {
    onDone: ({ gate }) => {
      onClose();
      void navigate({ to: "/gates/$gateId", params: { gateId: gate.id } });
    },
    onFailure: shownInline,
  });
  return (
    <Confirm
      title={title}
      action="Start check"
      danger={false}
      busy={create.isPending}
      error={create.error}
      onConfirm={() =>
        create.mutate({
          params: { id: projectId },
          body: subject,
          ...(isLocal ? { query: { model: "none" as const } } : {}),
        })
      }
      onClose={onClose}
    >
      <p>
        Runs the project's syntax check and tests in the sandbox, then asks a model to review the change. The review is
        charged to the budget.
      </p>
      <CheckField
        label="Local checks only"
        hint="No model, no cost. The review stages are skipped."
        checked={isLocal}
        onChange={({ target }) => setLocal(target.checked)}
      />
    </Confirm>
  );
}
