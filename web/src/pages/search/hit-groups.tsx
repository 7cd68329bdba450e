import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import { plural } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { hitsOfTasks, taskOf } from "./hit-group.ts";
import { KINDS } from "./hit-place.ts";
import { PlainHit } from "./hit-row.tsx";
import { TaskHitsRow } from "./task-hits.tsx";

const LIST = "overflow-hidden rounded-lg border border-line bg-card";

/** What belongs to one task stands together; the rest by what it is. */
export function HitGroups({
  hits,
  query,
  isCut,
}: {
  hits: readonly SearchHit[];
  query: string;
  /** There may be more. */
  isCut: boolean;
}) {
  const tasks = hitsOfTasks(hits);
  const rest = hits.filter((hit) => taskOf(hit) === undefined);
  const groups = KINDS.map(({ kind, many }) => ({ kind, many, hits: rest.filter((hit) => hit.kind === kind) }));
  return (
    <>
      <p role="status" className="text-sm text-faint">
        {isCut
          ? `First ${hits.length} results. Add words or filters to narrow them down.`
          : plural(hits.length, "result")}
      </p>
      {tasks.length > 0 && (
        <Section title="Tasks and their runs" count={tasks.length}>
          <ul className={LIST}>
            {tasks.map((group) => (
              <TaskHitsRow key={`${group.projectId} ${group.id}`} group={group} query={query} />
            ))}
          </ul>
        </Section>
      )}
      {groups
        .filter((group) => group.hits.length > 0)
        .map((group) => (
          <Section key={group.kind} title={group.many} count={group.hits.length}>
            <ul className={LIST}>
              {group.hits.map((hit) => (
                <li key={`${hit.projectId} ${hit.id}`} className="border-b border-line last:border-b-0">
                  <PlainHit hit={hit} query={query} />
                </li>
              ))}
            </ul>
          </Section>
        ))}
    </>
  );
}
