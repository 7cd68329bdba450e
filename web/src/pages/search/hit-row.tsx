import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import { Ago } from "../../ui/figures.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { placeOfHit } from "./hit-place.ts";
import { MarkedText } from "./marked-text.tsx";

interface RowProps {
  hit: SearchHit;
  query: string;
  /** What leads to it. */
  title: ReactNode;
  /** How it stands. */
  status?: ReactNode;
  /** What tells it from others of the same name. */
  facts: ReactNode;
}

/** A hit with the words that were found in it; all of the row leads there. */
export function HitRow({ hit, query, title, status, facts }: RowProps) {
  const place = placeOfHit(hit);
  return (
    <div className="relative px-3 py-2.5 hover:bg-sunk">
      <div className="flex flex-wrap items-baseline gap-x-2">
        {place === undefined ? (
          <span className="font-medium">{title}</span>
        ) : (
          <Link {...place} data-row title={hit.id} className="min-w-0 font-medium after:absolute after:inset-0">
            {title}
          </Link>
        )}
        {status}
      </div>
      {hit.snippet.trim() !== "" && hit.snippet.trim() !== hit.title && (
        <p className="line-clamp-2 text-sm text-faint">
          <MarkedText text={withoutSigns(hit.snippet)} query={query} />
        </p>
      )}
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-faint">
        {facts}
        {hit.updatedAt && <Ago at={hit.updatedAt} />}
      </p>
    </div>
  );
}

/** What belongs to no task: its path says what it is. */
export function PlainHit({ hit, query }: { hit: SearchHit; query: string }) {
  const isThing = hit.kind === "project" || hit.kind === "role";
  return (
    <HitRow
      hit={hit}
      query={query}
      title={<MarkedText text={hit.title} query={query} />}
      facts={
        <>
          {hit.projectId !== undefined && !isThing && <ProjectName id={hit.projectId} />}
          {!isThing && <bdi className="min-w-0 truncate">{hit.id}</bdi>}
          {placeOfHit(hit) === undefined && <span>workspace knowledge</span>}
        </>
      }
    />
  );
}

/** The signs of Markdown say nothing in a line of plain text. */
function withoutSigns(snippet: string): string {
  return snippet
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\*\*|`|(?:^|(?<= ))#{1,6} /g, "")
    .trim();
}
