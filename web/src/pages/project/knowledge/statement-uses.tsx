import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Statement } from "../../../../../src/contract/documents/knowledge.ts";
import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";
import { queries } from "../../../api/queries.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { plural } from "../../../ui/figures.tsx";
import { Section } from "../../../ui/page.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { ofProject } from "./statement-place.ts";

type Uses = RouteResponse<"getKnowledgeUses">;

/** Runs that had the entry in their prompt, and answers that rest on it. */
export function StatementUses({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const uses = useQuery(queries.knowledgeUses(statement.id, ofProject(statement)));
  return (
    <Dialog title="Where this entry was used" onClose={onClose}>
      <blockquote dir="auto" className="mb-4 border-l-2 border-line pl-3 text-sm text-faint">
        {statement.text}
      </blockquote>
      <Loaded query={uses}>{(known) => <UseLists {...known} />}</Loaded>
    </Dialog>
  );
}

function UseLists({ runs, escalations, searchedRuns }: Uses) {
  if (runs.length + escalations.length === 0)
    return (
      <p className="text-sm text-faint">
        No answer rests on it
        {searchedRuns > 0 && `, and none of the newest ${plural(searchedRuns, "run")} had it in its prompt`}.
      </p>
    );
  return (
    <div className="flex flex-col gap-4">
      {escalations.length > 0 && (
        <Section title="Answers" count={escalations.length}>
          <ul className="flex flex-col gap-1 text-sm">
            {escalations.map(({ id, question }) => (
              <li key={id}>
                <Link to="/inbox" search={{ id }} className="text-accent underline">
                  {id}
                </Link>{" "}
                <bdi>{question}</bdi>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {runs.length > 0 && (
        <Section title="Runs" count={runs.length}>
          <ul className="flex flex-col gap-1 text-sm">
            {runs.map(({ id, title, taskId, createdAt }) => (
              <li key={id} className="flex flex-wrap items-baseline gap-x-2">
                <Link to="/runs/$id" params={{ id }} className="text-accent underline">
                  <bdi>{title}</bdi>
                </Link>
                <span className="text-xs text-faint">
                  {taskId}, {createdAt.slice(0, 10)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}
