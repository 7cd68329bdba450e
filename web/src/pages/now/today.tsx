import { Link } from "@tanstack/react-router";
import type { Now } from "../../../../src/contract/now.ts";
import { Figure, FigureGrid, Small } from "../../ui/figure-grid.tsx";
import { countText, Money, moneyText, tokensText } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";

/** What today came to so far. */
export function Today({ now: { today } }: { now: Now }) {
  return (
    <FigureGrid label="Today">
      <Figure name="Spent today">
        <Link to="/costs" className="hover:underline">
          <Money usd={today.costUsd} known={today.costKnown} />
        </Link>
        {today.dayUsd !== null && (
          <>
            <Small>of {moneyText(today.dayUsd)}</Small>
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
      <Figure name={today.stopped > 0 ? "Completed · failed · stopped" : "Completed · failed"}>
        <span className="text-good">{countText(today.completed)}</span> ·{" "}
        <span className={today.failed > 0 ? "text-bad" : ""}>{countText(today.failed)}</span>
        {today.stopped > 0 && ` · ${countText(today.stopped)}`}
      </Figure>
      <Figure name="Tokens paid for today">{tokensText(today.tokens)}</Figure>
    </FigureGrid>
  );
}
