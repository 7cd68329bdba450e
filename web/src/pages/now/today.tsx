import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Now } from "../../../../src/contract/now.ts";
import { countText, Money, moneyText, plural, tokensText } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";

/** What today came to so far. */
export function Today({ now: { today, counts } }: { now: Now }) {
  return (
    <section
      aria-label="Today"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4"
    >
      <Figure name="Spent today">
        <Link to="/costs" className="hover:underline">
          <Money usd={today.costUsd} known={today.costKnown} />
        </Link>
        {today.dayUsd !== null && (
          <>
            <span className="text-xs font-normal text-faint"> of {moneyText(today.dayUsd)}</span>
            <span className="block">
              <Meter
                wide
                value={today.costUsd}
                max={today.dayUsd}
                label={`${moneyText(today.costUsd)} of ${moneyText(today.dayUsd)} spent today`}
              />
            </span>
          </>
        )}
      </Figure>
      <Figure name="Runs today">{countText(today.runs)}</Figure>
      <Figure name="Completed · failed">
        <span className="text-good">{countText(today.completed)}</span> ·{" "}
        <span className={today.failed > 0 ? "text-bad" : ""}>{countText(today.failed)}</span>
      </Figure>
      <Figure name="Tokens paid for today">
        {tokensText(today.tokens)}
        <span className="text-xs font-normal text-faint"> · {plural(counts.projects, "project")}</span>
      </Figure>
    </section>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-card px-4 py-3">
      <p className="text-xs text-faint">{name}</p>
      <p className="text-lg font-semibold tabular-nums">{children}</p>
    </div>
  );
}
