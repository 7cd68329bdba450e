import { useState } from "react";
import type { Team, TeamTask } from "../../../../../src/contract/documents/teams/team.ts";
import type { PlannedTask, TeamPlan } from "../../../../../src/contract/documents/teams/team-plan.ts";
import { DOMAIN_WORDS, STRATEGY_WORDS } from "../../../../../src/contract/words/teams/team-choices.ts";
import { Button } from "../../../ui/button.tsx";
import { moneyText, plural } from "../../../ui/figures.tsx";
import { Fact } from "../../../ui/gate/verdict.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { FileNames, Requirements } from "../task-parts.tsx";

/** So many tasks are read in a glance; the others come when they are asked for. */
const FIRST = 30;

interface PlanProps {
  team: Team;
  plan: TeamPlan;
  /** With who does them, where that is known. */
  tasks: readonly TeamTask[];
}

/** The whole plan at a glance: how much it is, how it is done and why, what it may cost, and what comes when. */
export function PlanSummary({ team, plan, tasks }: PlanProps) {
  const [isWhole, setWhole] = useState(plan.tasks.length <= FIRST);
  const covered = new Set(plan.tasks.flatMap(({ requirements }) => requirements));
  const known = new Map(tasks.map((task) => [task.key, task]));
  const titles = new Map(plan.tasks.map(({ key, title }) => [key, title]));
  const shown = new Set(isWhole ? plan.tasks : plan.tasks.slice(0, FIRST));
  const { strategy, budgetUsd } = team;
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <Fact name="Tasks">
          {plan.tasks.length} in {plural(plan.phases.length, "phase")}
        </Fact>
        <Fact name="Requirements">{covered.size}</Fact>
        <Fact name="Budget">{budgetUsd === null ? "No limit" : `${moneyText(budgetUsd)} at most`}</Fact>
        {strategy !== undefined && (
          <Fact name="Strategy">
            {STRATEGY_WORDS[strategy.value].label}
            <span className="text-faint wrap-anywhere"> because {visibleLine(strategy.because)}</span>
          </Fact>
        )}
      </dl>
      <ol aria-label="Phases of the plan" className="flex flex-col gap-3">
        {plan.phases.map(({ id, name }, at) => {
          const own = plan.tasks.filter((task) => task.phase === id);
          const drawn = own.filter((task) => shown.has(task));
          if (own.length > 0 && drawn.length === 0) return null;
          return (
            <li key={id}>
              <p className="mb-1 text-sm font-semibold">
                {at + 1}. <bdi>{visibleLine(name)}</bdi>{" "}
                <span className="font-normal text-faint">{plural(own.length, "task")}</span>
              </p>
              <ul className="overflow-hidden rounded-md border border-line">
                {drawn.map((task) => (
                  <PlannedRow key={task.key} task={task} known={known.get(task.key)} titles={titles} />
                ))}
              </ul>
            </li>
          );
        })}
      </ol>
      {!isWhole && (
        <Button className="self-start" onClick={() => setWhole(true)}>
          Show all {plan.tasks.length} tasks
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  task: PlannedTask;
  known: TeamTask | undefined;
  titles: ReadonlyMap<string, string>;
}

function PlannedRow({ task, known, titles }: RowProps) {
  const after = task.dependsOn.map((key) => visibleLine(titles.get(key) ?? key));
  const who = [DOMAIN_WORDS[task.domain], known?.member ?? known?.roleId ?? task.role].filter(Boolean).join(" · ");
  return (
    <li className="border-b border-line px-3 py-1.5 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-sm">
        <bdi className="font-medium wrap-anywhere">{visibleLine(task.title)}</bdi>
        <Requirements ids={task.requirements} />
        <span className="text-xs text-faint sm:ml-auto">{who}</span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-xs text-faint">
        <FileNames files={task.files} />
        {after.length > 0 && (
          <span className="wrap-anywhere">
            after <bdi>{after.join(", ")}</bdi>
          </span>
        )}
      </p>
    </li>
  );
}
