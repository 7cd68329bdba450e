import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../../api/queries.ts";
import { Ago } from "../../../ui/figures.tsx";
import { Section } from "../../../ui/page.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

const MOST = 20;

/** Files that two runs changed at once; nothing while there are none. */
export function Conflicts({ project }: { project: string }) {
  const conflicts = useQuery(queries.owners(project)).data?.conflicts ?? [];
  if (conflicts.length === 0) return null;
  return (
    <Section title="Files changed by two runs" count={conflicts.length}>
      <ul className="overflow-hidden rounded-lg border border-line bg-card">
        {conflicts.slice(0, MOST).map(({ path, owner, runId, at }) => (
          <li key={`${path} ${runId} ${at}`} className="border-b border-line px-3 py-2 text-sm last:border-b-0">
            <code className="text-xs break-all">{visibleLine(path)}</code>
            <p className="flex flex-wrap gap-x-2 text-xs text-faint">
              <Link to="/runs/$runId" params={{ runId: owner.runId }} className="underline">
                {owner.taskId}
              </Link>
              and
              <Link to="/runs/$runId" params={{ runId }} className="underline">
                another run
              </Link>
              <Ago at={at} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
