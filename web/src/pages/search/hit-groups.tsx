import { Link } from "@tanstack/react-router";
import type { SearchHit } from "../../../../src/contract/search-routes.ts";
import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/task-status.ts";
import { hallCommand } from "../../api/hall-command.ts";
import { Badge } from "../../ui/badge.tsx";
import { plural } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { TaskBadge } from "../../ui/status.tsx";
import { KINDS, placeOfHit } from "./hit-place.ts";
import { MarkedText } from "./marked-text.tsx";

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
  const groups = KINDS.map(({ kind, many }) => ({ kind, many, hits: hits.filter((hit) => hit.kind === kind) }));
  return (
    <>
      <p role="status" className="text-sm text-faint">
        {isCut
          ? `The first ${hits.length} hits. Choose a kind or a project, or write more words, to see others.`
          : plural(hits.length, "hit")}
      </p>
      {groups
        .filter((group) => group.hits.length > 0)
        .map((group) => (
          <Section key={group.kind} title={group.many} count={group.hits.length}>
            <ul className="overflow-hidden rounded-lg border border-line bg-card">
              {group.hits.map((hit) => (
                <HitRow key={`${hit.projectId} ${hit.id}`} hit={hit} query={query} />
              ))}
            </ul>
          </Section>
        ))}
    </>
  );
}

function HitRow({ hit, query }: { hit: SearchHit; query: string }) {
  const place = placeOfHit(hit);
  const title = <MarkedText text={hit.title} query={query} />;
  const where = hit.projectId === undefined ? hit.id : `${hit.projectId} / ${hit.id}`;
  return (
    <li className="relative border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-sunk">
      <div className="flex flex-wrap items-baseline gap-x-2">
        {place === undefined ? (
          <span className="font-medium">{title}</span>
        ) : (
          <Link {...place} data-row className="min-w-0 font-medium after:absolute after:inset-0">
            {title}
          </Link>
        )}
        {hit.status !== undefined && <HitStatus status={hit.status} />}
      </div>
      {hit.snippet.trim() !== "" && hit.snippet.trim() !== hit.title && (
        <p className="line-clamp-2 text-sm text-faint">
          <MarkedText text={withoutSigns(hit.snippet)} query={query} />
        </p>
      )}
      <p className="mt-0.5 truncate text-xs text-faint">
        <bdi>{where}</bdi>
        {place === undefined && <span> · the hall's own; read it with {hallCommand("knowledge list")}</span>}
      </p>
    </li>
  );
}

/** The signs of Markdown say nothing in a line of plain text. */
function withoutSigns(snippet: string): string {
  return snippet
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\*\*|`|(?:^|(?<= ))#{1,6} /g, "")
    .trim();
}

function HitStatus({ status }: { status: string }) {
  return (TASK_STATUSES as readonly string[]).includes(status) ? (
    <TaskBadge status={status as TaskStatus} />
  ) : (
    <Badge>{status}</Badge>
  );
}
