import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Hook } from "../../../../../src/contract/documents/hook.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Ago, countText, tookText } from "../../../ui/figures.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { visibleText } from "../../../ui/text/visible-text.ts";
import { OUTCOME_WORDS } from "./hook-words.ts";

/** What a hook did in the last 30 days: counts, and the latest runs of it when opened. */
export function HookActivity({ hook: { name, last30Days, lastRunAt } }: { hook: Hook }) {
  const [isOpen, setOpen] = useState(false);
  const { allowed, refused, failed } = last30Days;
  if (allowed + refused + failed === 0) return <p className="text-xs text-faint">Didn't run in the last 30 days.</p>;
  return (
    <div>
      <button
        type="button"
        data-row
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-6 flex-wrap items-center gap-x-1 rounded text-left text-xs hover:text-accent"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-faint ${isOpen ? "rotate-90" : ""}`} />
        Last 30 days: {countText(allowed)} allowed, {countText(refused)} refused, {countText(failed)} failed
        {lastRunAt !== undefined && (
          <span className="text-faint">
            · last <Ago at={lastRunAt} />
          </span>
        )}
      </button>
      {isOpen && <Recent name={name} />}
    </div>
  );
}

function Recent({ name }: { name: string }) {
  const found = useQuery(queries.hook(name));
  return (
    <Loaded query={found} loading={<Loading lines={1} />}>
      {({ recent }) =>
        recent.length === 0 ? (
          <p className="pl-4 text-xs text-faint">No details recorded.</p>
        ) : (
          <ul
            aria-label={`Recent runs of ${name}`}
            className="divide-y divide-line border-l-2 border-line pl-3 text-sm"
          >
            {recent.map(({ at, outcome, ms, text, runId }) => (
              <li key={`${at} ${runId} ${outcome}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1">
                <Badge tone={OUTCOME_WORDS[outcome].tone}>{OUTCOME_WORDS[outcome].word}</Badge>
                <span className="min-w-0 flex-1 basis-48 text-xs whitespace-pre-wrap wrap-anywhere">
                  {visibleText(text ?? "")}
                </span>
                <span className="flex shrink-0 gap-x-3 text-xs text-faint">
                  {runId !== undefined && (
                    <Link to="/runs/$runId" params={{ runId }} className="text-accent underline">
                      Run
                    </Link>
                  )}
                  {tookText(Math.round(ms))}
                  <Ago at={at} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
