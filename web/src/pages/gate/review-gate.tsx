import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { VerdictBadge } from "../../ui/gate/verdict.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { outcomeWords } from "./report-words.ts";

/** How the gate judged a result that waits for review; nothing where none did. */
export function ReviewGate({ runId }: { runId: string }) {
  const gate = useQuery(queries.runGates(runId)).data?.gates.at(-1);
  if (gate === undefined) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Link to="/gates/$gateId" params={{ gateId: gate.id }} className="text-accent underline">
        Gate report
      </Link>
      <VerdictBadge state={gate.state} verdict={gate.verdict} />
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {visibleLine(outcomeWords(gate))}
      </span>
    </p>
  );
}
