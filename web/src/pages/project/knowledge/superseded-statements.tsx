import { useQuery } from "@tanstack/react-query";
import { queries } from "../../../api/queries.ts";
import { keyOf } from "./statement-place.ts";
import { StatementRow } from "./statement-row.tsx";

const MOST = 1_000;

/** What counted once: kept, and no longer given to agents. */
export function SupersededStatements({ project }: { project: string | undefined }) {
  const whose = project === undefined ? ({ scope: "hall" } as const) : { project };
  const { data } = useQuery(queries.knowledge({ ...whose, status: "superseded", limit: MOST }));
  if (data === undefined || data.total === 0) return null;
  return (
    <details className="flex flex-col gap-2">
      <summary className="cursor-pointer text-sm font-semibold">
        Superseded <span className="text-xs font-normal text-faint">{data.total}</span>
      </summary>
      <ul aria-label="Superseded" className="mt-2 rounded-lg border border-line bg-card">
        {data.statements.map((statement) => (
          <StatementRow key={keyOf(statement)} statement={statement} isAmongHalls={project === undefined} />
        ))}
      </ul>
    </details>
  );
}
