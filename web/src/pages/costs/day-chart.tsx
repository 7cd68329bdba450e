import type { CostRow } from "../../../../src/contract/routes/cost-routes.ts";
import { moneyText, plural, tokensText } from "../../ui/figures.tsx";
import { type DayCost, everyDay, roundUp, type Span } from "./spans.ts";

const HEIGHT = 140;

/** A bar for each day. The table beside it, for those who do not see it, says the same. */
export function DayChart({ rows, span }: { rows: readonly CostRow[]; span: Span }) {
  const days = everyDay(rows, new Date(), span);
  // Where nothing had a price, as with the offline model, the tokens show what was done.
  const isFree = days.every(({ usd }) => usd === 0);
  const sizeOf = ({ usd, tokens }: Pick<DayCost, "usd" | "tokens">) => (isFree ? tokens : usd);
  const scaleText = (value: number) => (isFree ? tokensText(Math.round(value)) : moneyText(value));
  const top = roundUp(Math.max(...days.map(sizeOf)));
  return (
    <figure>
      <div aria-hidden className="flex gap-2">
        <div
          className="flex flex-col justify-between text-right text-xs text-faint tabular-nums"
          style={{ height: HEIGHT }}
        >
          <span>{scaleText(top)}</span>
          <span>{scaleText(top / 2)}</span>
          <span>{isFree ? "0 tokens" : "$0"}</span>
        </div>
        <div
          className="flex min-w-0 flex-1 items-end gap-px border-b border-l border-line sm:gap-0.5"
          style={{ height: HEIGHT }}
        >
          {days.map(({ day, usd, isKnown, calls, tokens }) => (
            <div
              key={day}
              title={`${day}: ${moneyText(usd, isKnown)}, ${plural(calls, "call")}, ${tokensText(tokens)} tokens`}
              className="group flex h-full min-w-0 flex-1 items-end hover:bg-sunk"
            >
              <div
                className="w-full rounded-t-sm bg-accent"
                style={{ height: `${(sizeOf({ usd, tokens }) / top) * 100}%`, minHeight: calls > 0 ? 2 : 0 }}
              />
            </div>
          ))}
        </div>
      </div>
      <div aria-hidden className="mt-1 flex justify-between pl-12 text-xs text-faint">
        <span>{days[0]?.day}</span>
        {days.length > 1 && <span>{days.at(-1)?.day}</span>}
      </div>
      <table className="sr-only">
        <caption>Costs per day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Cost</th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ calls }) => calls > 0)
            .map(({ day, usd, isKnown, calls }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{moneyText(usd, isKnown)}</td>
                <td>{calls}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}
