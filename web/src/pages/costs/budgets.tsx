import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Budget, BudgetReport } from "../../../../src/contract/documents/budget.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Ago, Money, moneyText, tokensText } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { SetPriceButton } from "../../ui/set-price.tsx";
import { Loaded } from "../../ui/states.tsx";
import { EditBudget, EditProjectBudget } from "./edit-budget.tsx";
import { limitsText, ownLimitsOf, scopesOf } from "./own-limits.ts";

type Scope = BudgetReport["scopes"][number];

/** Limits of the hall, or of one project; what is spent, held and left of them; and who waits for more. */
export function Budgets({ project }: { project: string }) {
  const budget = useQuery(queries.budget());
  const { edit } = useSearch({ strict: false });
  const [isEditing, setEditing] = useState(edit === "limits");
  return (
    <Section
      title="Budget"
      actions={
        <Button size="small" onClick={() => setEditing(true)}>
          {project === "" ? "Edit limits" : "Edit project limits"}
        </Button>
      }
    >
      <Loaded query={budget}>
        {(data) => (
          <>
            <Halted report={data} />
            <Scopes report={data} project={project} />
            {project === "" && <OwnLimits report={data} />}
            {isEditing &&
              (project === "" ? (
                <EditBudget limits={data.limits} onClose={() => setEditing(false)} />
              ) : (
                <EditProjectBudget
                  id={project}
                  hall={data.limits}
                  own={ownLimitsOf(data, project)}
                  onClose={() => setEditing(false)}
                />
              ))}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Runs and providers that stand still. */
function Halted({ report: { waiting, paused, unpriced } }: { report: BudgetReport }) {
  if (waiting.length + paused.length + unpriced.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm">
      {waiting.map(({ runId, reason, text, since }) => (
        <li key={runId}>
          <Link to="/runs/$runId" params={{ runId }} className="font-medium text-warn hover:underline">
            A run is waiting for {reason}
          </Link>
          : {text} (<Ago at={since} />)
        </li>
      ))}
      {paused.map(({ provider, until, reason }) => (
        <li key={provider}>
          <strong className="font-medium text-warn">{provider} is paused</strong> until{" "}
          {new Date(until).toLocaleTimeString()}: {reason}
        </li>
      ))}
      {unpriced.map(({ model, tokens }) => (
        <li key={model}>
          <strong className="font-medium text-warn">No price for {model}.</strong> Estimated today: {tokensText(tokens)}{" "}
          tokens. <SetPriceButton model={model} />
        </li>
      ))}
    </ul>
  );
}

function Scopes({ report, project }: { report: BudgetReport; project: string }) {
  const own = ownLimitsOf(report, project);
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {scopesOf(report, project).map((scope) => (
        <ScopeCard key={scope.scope} scope={scope} hall={project === "" ? undefined : report.limits} />
      ))}
      <Card className="p-4">
        <p className="text-sm text-faint">Per run, incl. subagents</p>
        <p className="text-lg font-semibold">
          {runLimit(own.runUsd ?? report.limits.runUsd, (usd) => `up to ${moneyText(usd)}`)}
        </p>
        <p className="text-sm text-faint">
          {runLimit(own.runTokens ?? report.limits.runTokens, (tokens) => `and ${tokensText(tokens)} tokens`, "")}
        </p>
        {project !== "" && (
          <p className="mt-1 text-xs text-faint">
            {own.runUsd === undefined && own.runTokens === undefined
              ? "Inherited from the workspace"
              : "Set for this project"}
          </p>
        )}
      </Card>
    </div>
  );
}

function runLimit(limit: number | "none" | null, words: (limit: number) => string, none = "No limit"): string {
  return typeof limit === "number" ? words(limit) : none;
}

/** Projects that have limits beside the hall's, or other ones for their runs. */
function OwnLimits({ report: { projects } }: { report: BudgetReport }) {
  if (projects.length === 0) return null;
  return (
    <div className="text-sm">
      <h3 className="mb-1 font-medium">Projects with their own limits</h3>
      <ul className="flex flex-col gap-1">
        {projects.map(({ projectId, limits }) => (
          <li key={projectId}>
            <Link to="/costs" search={{ project: projectId }} className="text-accent hover:underline">
              <ProjectName id={projectId} />
            </Link>
            <span className="text-faint">: {limitsText(limits)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const scopeWords: Record<Scope["scope"], string> = {
  run: "This run",
  team: "This team",
  day: "Workspace, today",
  total: "Workspace, all time",
  "project-day": "Project, today",
  project: "Project, all time",
  "orchestrator-day": "Orchestrator, today",
};

/** With the limits of the hall where they hold for a project too. */
function ScopeCard({ scope: { scope, usd, tokens, assumedUsd }, hall }: { scope: Scope; hall: Budget | undefined }) {
  const ofHall = scope === "project-day" ? hall?.dayUsd : hall?.totalUsd;
  return (
    <Card className="p-4">
      <p className="text-sm text-faint">{scopeWords[scope]}</p>
      <p className="text-lg font-semibold tabular-nums">
        <Money usd={usd.spent} known={assumedUsd === 0} />
        <span className="text-sm font-normal text-faint">
          {usd.limit === null
            ? hall === undefined
              ? ", no limit"
              : ", no project limit"
            : ` of ${moneyText(usd.limit)}`}
        </span>
      </p>
      {usd.limit !== null && (
        <>
          <Meter
            wide
            value={usd.spent + usd.reserved}
            max={usd.limit}
            label={`${moneyText(usd.spent, assumedUsd === 0)} of ${moneyText(usd.limit)} spent`}
          />
          <p className="mt-1 text-xs text-faint">
            {moneyText(usd.left ?? 0, assumedUsd === 0)} left
            {usd.reserved > 0 && `, ${moneyText(usd.reserved)} reserved for calls in progress`}
          </p>
        </>
      )}
      {ofHall != null && <p className="mt-1 text-xs text-faint">Workspace limit: {moneyText(ofHall)}</p>}
      {tokens.limit !== null && (
        <p className="mt-1 text-xs text-faint">
          {tokensText(tokens.spent)} of {tokensText(tokens.limit)} tokens
        </p>
      )}
    </Card>
  );
}
