import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { BudgetReport } from "../../../../src/contract/budget.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Ago, Money, moneyText, plural, tokensText } from "../../ui/figures.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { EditBudget } from "./edit-budget.tsx";

type Scope = BudgetReport["scopes"][number];

/** Limits of the hall, or of one project; what is spent, held and left of them; and who waits for more. */
export function Budgets({ project }: { project: string }) {
  const budget = useQuery(queries.budget());
  const [isEditing, setEditing] = useState(false);
  return (
    <Section
      title="Budget"
      actions={
        project === "" ? (
          <Button size="small" onClick={() => setEditing(true)}>
            Change the limits
          </Button>
        ) : (
          <Link to="/projects/$id/settings" params={{ id: project }} className="text-sm text-accent hover:underline">
            Limits of this project
          </Link>
        )
      }
    >
      <Loaded query={budget}>
        {(data) => (
          <>
            <Halted report={data} />
            <Scopes report={data} project={project} />
            {isEditing && <EditBudget limits={data.limits} onClose={() => setEditing(false)} />}
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
            A run waits for {reason}
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
      {unpriced.map(({ model, calls, tokens }) => (
        <li key={model}>
          <strong className="font-medium text-warn">The price of {model} is not known.</strong> {plural(calls, "call")},{" "}
          {tokensText(tokens)} tokens today count against the limits at an assumed price.
        </li>
      ))}
    </ul>
  );
}

function Scopes({ report, project }: { report: BudgetReport; project: string }) {
  const shown = report.scopes.filter(({ scope, projectId }) =>
    project === "" ? scope === "day" || scope === "total" : projectId === project && scope !== "run",
  );
  const { runUsd, runTokens } = report.limits;
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {shown.map((scope) => (
        <ScopeCard key={`${scope.scope} ${scope.id ?? ""}`} scope={scope} />
      ))}
      {project === "" && (
        <Card className="p-4">
          <p className="text-sm text-faint">Each run, with all it starts</p>
          <p className="text-lg font-semibold">{runUsd === null ? "No limit" : `at most ${moneyText(runUsd)}`}</p>
          {runTokens !== null && <p className="text-sm text-faint">and {tokensText(runTokens)} tokens</p>}
        </Card>
      )}
    </div>
  );
}

const scopeWords: Record<Scope["scope"], string> = {
  run: "This run",
  day: "Today, the whole hall",
  total: "Ever, the whole hall",
  "project-day": "Today, this project",
  project: "Ever, this project",
};

function ScopeCard({ scope: { scope, usd, tokens } }: { scope: Scope }) {
  return (
    <Card className="p-4">
      <p className="text-sm text-faint">{scopeWords[scope]}</p>
      <p className="text-lg font-semibold tabular-nums">
        <Money usd={usd.spent} />
        <span className="text-sm font-normal text-faint">
          {usd.limit === null ? ", no limit" : ` of ${moneyText(usd.limit)}`}
        </span>
      </p>
      {usd.limit !== null && (
        <>
          <Meter
            wide
            value={usd.spent + usd.reserved}
            max={usd.limit}
            label={`${moneyText(usd.spent)} of ${moneyText(usd.limit)} spent`}
          />
          <p className="mt-1 text-xs text-faint">
            {moneyText(usd.left ?? 0)} left{usd.reserved > 0 && `, ${moneyText(usd.reserved)} held for calls under way`}
          </p>
        </>
      )}
      {tokens.limit !== null && (
        <p className="mt-1 text-xs text-faint">
          {tokensText(tokens.spent)} of {tokensText(tokens.limit)} tokens
        </p>
      )}
    </Card>
  );
}
