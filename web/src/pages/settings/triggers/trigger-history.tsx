import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Firing, Skipped } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import {
  type FiringOutcome,
  OUTCOME_WORDS,
  SKIP_WORDS,
} from "../../../../../src/contract/words/autonomy/trigger-words.ts";
import { queries } from "../../../api/queries.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Ago, plural } from "../../../ui/figures.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

export const OUTCOME_TONES: Record<FiringOutcome, Tone> = {
  quiet: "neutral",
  report: "info",
  changed: "good",
  "needs-person": "warn",
};

/** What fired and what was skipped, the newest first. */
export function TriggerHistory({ name }: { name: string }) {
  const found = useQuery(queries.triggerHistory(name));
  return (
    <Loaded query={found} loading={<Loading lines={2} />}>
      {({ firings, skipped }) =>
        firings.length + skipped.length === 0 ? (
          <p className="pl-4 text-xs text-faint">It has not fired.</p>
        ) : (
          <div className="flex flex-col gap-2">
            {firings.length > 0 && (
              <Lines label={`Firings of ${name}`}>
                {firings.map((firing) => (
                  <FiringLine key={firing.id} firing={firing} />
                ))}
              </Lines>
            )}
            {skipped.length > 0 && (
              <Lines label={`Skipped by ${name}`}>
                {skipped.map((skip) => (
                  <SkipLine key={`${skip.at} ${skip.reason} ${skip.from} ${skip.cause}`} skip={skip} />
                ))}
              </Lines>
            )}
          </div>
        )
      }
    </Loaded>
  );
}

function Lines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="max-h-80 divide-y divide-line overflow-y-auto border-l-2 border-line pl-3">
      {children}
    </ul>
  );
}

function FiringLine({ firing: { at, slot, cause, state, outcome, started, text } }: { firing: Firing }) {
  const came = outcome === undefined ? (state === "waiting" ? "Waiting" : "Running") : OUTCOME_WORDS[outcome];
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1 text-sm">
      <Badge tone={outcome === undefined ? "info" : OUTCOME_TONES[outcome]}>{came}</Badge>
      <span className="min-w-0 flex-1 basis-48 text-xs wrap-anywhere">
        <bdi>{visibleLine(text ?? cause)}</bdi>
      </span>
      <span className="flex shrink-0 gap-x-3 text-xs text-faint">
        {started?.kind === "run" && (
          <a href={`/runs/${started.id}`} className="text-accent underline">
            Run
          </a>
        )}
        {started?.kind === "team" && (
          <a href={`/teams/${started.id}`} className="text-accent underline">
            Team
          </a>
        )}
        <Ago at={slot ?? at} />
      </span>
    </li>
  );
}

function SkipLine({ skip: { at, from, count, more, reason, cause } }: { skip: Skipped }) {
  const what = cause ?? `${more ? "More than " : ""}${plural(count, "slot")}`;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1 text-sm">
      <Badge>Skipped</Badge>
      <span className="min-w-0 flex-1 basis-48 text-xs wrap-anywhere">
        <bdi>{visibleLine(what)}</bdi> {SKIP_WORDS[reason]}
      </span>
      <Ago at={from ?? at} className="shrink-0 text-xs text-faint" />
    </li>
  );
}
