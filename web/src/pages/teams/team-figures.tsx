import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { STRATEGY_WORDS } from "../../../../src/contract/words/teams/team-choices.ts";
import { Figure, FigureGrid, Small } from "../../ui/figure-grid.tsx";
import { countText, Money, moneyText, plural } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { spentWords, totalOf } from "./team-model.ts";

/** How far the team is, and at what cost. */
export function TeamFigures({ team }: { team: Team }) {
  const { tasks, requirements, members, costUsd, costKnown, budgetUsd, strategy } = team;
  const working = members.filter(({ status }) => status === "working").length;
  const total = totalOf(tasks);
  return (
    <FigureGrid label="Figures">
      <Figure name="Tasks merged">
        {total === 0 ? <None>no plan yet</None> : countText(tasks.merged)}
        {total > 0 && <Small>of {countText(total)}</Small>}
      </Figure>
      <Figure name="Requirements met">
        {requirements.total === 0 ? <None>no spec yet</None> : requirements.met}
        {requirements.total > 0 && <Small>of {requirements.total}</Small>}
      </Figure>
      <Figure name="Members working">
        {working}
        <Small>of {members.length}</Small>
      </Figure>
      <Figure name="Cost">
        <Money usd={costUsd} known={costKnown} />
        <Small>{budgetUsd === null ? "no limit" : `of ${moneyText(budgetUsd)}`}</Small>
        {budgetUsd !== null && (
          <span className="ml-2">
            <Meter value={costUsd} max={budgetUsd} label={`Budget: ${spentWords(team)}`} />
          </span>
        )}
      </Figure>
      <div className="col-span-full flex flex-wrap gap-x-6 gap-y-1 bg-card px-4 py-2 text-sm">
        {strategy !== undefined && (
          <span className="wrap-anywhere">
            <span className="text-faint">Strategy </span>
            {STRATEGY_WORDS[strategy.value].label}
            <span className="text-faint"> · {visibleLine(strategy.because)}</span>
          </span>
        )}
        {team.branch !== undefined && (
          <span className="wrap-anywhere">
            <span className="text-faint">Branch </span>
            <code className="text-xs">{visibleLine(team.branch)}</code>
            {team.baseBranch !== undefined && (
              <>
                <span className="text-faint"> into </span>
                <code className="text-xs">{visibleLine(team.baseBranch)}</code>
              </>
            )}
          </span>
        )}
        {team.rounds > 0 && (
          <span>
            <span className="text-faint">Repairs </span>
            {plural(team.rounds, "round")}
          </span>
        )}
      </div>
    </FigureGrid>
  );
}

function None({ children }: { children: string }) {
  return <span className="text-sm font-normal text-faint">{children}</span>;
}
