import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Statement } from "../../../../../src/contract/documents/knowledge.ts";
import { call } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { plural } from "../../../ui/figures.tsx";
import { Section } from "../../../ui/page.tsx";
import { tell, tellFailure } from "../../../ui/toasts.tsx";
import { asShown, keyOf } from "./statement-place.ts";
import { StatementRow } from "./statement-row.tsx";

const MOST = 1_000;

/** Without a project, those of all. */
export function pendingIn(project: string | undefined) {
  return queries.knowledge({ ...(project === undefined ? {} : { project }), status: "pending", limit: MOST });
}

/** Agents' own conclusions, of a project or of all: they count when a person accepts them. */
export function PendingStatements({ project }: { project: string | undefined }) {
  const [isAccepting, setAccepting] = useState(false);
  const { data } = useQuery(pendingIn(project));
  if (data === undefined || data.total === 0) return null;
  const { statements, total } = data;
  return (
    <Section
      title="Pending"
      count={total}
      actions={
        statements.length > 1 && (
          <Button size="small" onClick={() => setAccepting(true)}>
            Accept all…
          </Button>
        )
      }
    >
      <p className="text-sm text-faint">
        Agents concluded this. Prompts show it as not confirmed, and no question is answered from it until you accept
        it.
      </p>
      <ul aria-label="Pending" className="rounded-lg border border-line bg-card">
        {statements.map((statement) => (
          <StatementRow
            key={keyOf(statement)}
            statement={statement}
            isAmongHalls={false}
            showProject={project === undefined}
          />
        ))}
      </ul>
      {isAccepting && <AcceptAll statements={statements} onClose={() => setAccepting(false)} />}
    </Section>
  );
}

function AcceptAll({ statements, onClose }: { statements: Statement[]; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const refresh = useAct("acceptKnowledge");
  const accept = async () => {
    setBusy(true);
    try {
      const [last, ...others] = statements.toReversed();
      for (const statement of others) await call("acceptKnowledge", asShown(statement));
      if (last !== undefined) await refresh.mutateAsync(asShown(last));
      tell(`Accepted ${plural(statements.length, "entry", "entries")}.`);
    } catch (error) {
      tellFailure(error);
    }
    onClose();
  };
  return (
    <Confirm
      title={`Accept ${plural(statements.length, "entry", "entries")}?`}
      action="Accept all"
      danger={false}
      busy={isBusy}
      onConfirm={() => void accept()}
      onClose={onClose}
    >
      <p>Agents will treat them as facts, and questions may be answered from them.</p>
    </Confirm>
  );
}
