import { useQuery } from "@tanstack/react-query";
import type { Team } from "../../../../../src/contract/documents/teams/team.ts";
import { queries } from "../../../api/queries.ts";
import { Money, moneyText } from "../../../ui/figures.tsx";
import { Meter } from "../../../ui/meter.tsx";
import { Card, Section } from "../../../ui/page.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { capital } from "../../../ui/text/capital.ts";
import { spentWords } from "../team-model.ts";

/** What the team has spent against its budget, and which ranks spent it. */
export default function CostView({ team }: { team: Team }) {
  const report = useQuery(queries.teamReport(team.id));
  const { budgetUsd, costUsd } = team;
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <Section title="Budget">
        <Card className="flex flex-col gap-2 px-4 py-3 text-sm">
          <p>{spentWords(team)}</p>
          {budgetUsd !== null && (
            <>
              <Meter wide value={costUsd} max={budgetUsd} label={`Budget: ${spentWords(team)}`} />
              <p className="text-xs text-faint">
                {moneyText(Math.max(0, budgetUsd - costUsd))} left. Calls that would exceed the budget wait.
              </p>
            </>
          )}
        </Card>
      </Section>
      <Section title="By rank">
        <Card className="px-4 py-3">
          <Loaded query={report}>{({ report: { cost } }) => <Ranks byRank={cost.byRank} known={cost.known} />}</Loaded>
        </Card>
      </Section>
    </div>
  );
}

function Ranks({ byRank, known }: { byRank: Readonly<Record<string, number>>; known: boolean }) {
  const rows = Object.entries(byRank).toSorted(([, a], [, b]) => b - a);
  const most = rows[0]?.[1] ?? 0;
  if (rows.length === 0) return <p className="text-sm text-faint">No costs yet.</p>;
  return (
    <ul aria-label="Cost by rank" className="flex flex-col gap-3">
      {rows.map(([rank, usd]) => (
        <li key={rank} className="text-sm">
          <div className="flex items-baseline justify-between gap-3">
            <span className="font-medium">{capital(rank)}</span>
            <span className="tabular-nums">
              <Money usd={usd} known={known} />
            </span>
          </div>
          <div aria-hidden className="my-1 h-1.5 rounded-full bg-sunk">
            <div
              className="h-full rounded-full bg-accent"
              style={{ width: `${most === 0 ? 1 : Math.max(1, (usd / most) * 100)}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
