import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CostRow } from "../../../../src/contract/routes/cost-routes.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Money, plural, tokensText } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { ProjectName } from "../../ui/project-name.tsx";
import { RoleName } from "../../ui/run/role-name.tsx";
import { Loaded } from "../../ui/states.tsx";

const SHOWN = 12;

interface BarsProps {
  by: "project" | "role" | "model";
  title: string;
  which: { since?: string; project?: string };
}

/** Who or what the costs went to, the most first. */
export function CostBars({ by, title, which }: BarsProps) {
  const costs = useQuery(queries.costs({ by, ...which }));
  return (
    <Section title={title}>
      <Card className="p-4">
        <Loaded query={costs}>{({ rows }) => <Bars rows={rows} by={by} />}</Loaded>
      </Card>
    </Section>
  );
}

function Bars({ rows, by }: { rows: readonly CostRow[]; by: BarsProps["by"] }) {
  const [isWhole, setWhole] = useState(false);
  const sorted = rows.toSorted((a, b) => b.costUsd - a.costUsd || tokensOf(b) - tokensOf(a));
  const most = sorted[0];
  if (most === undefined) return <p className="text-sm text-faint">No costs.</p>;
  // Where nothing has a price, as with the offline model, the tokens tell who did how much.
  const share = (row: CostRow) =>
    most.costUsd > 0 ? row.costUsd / most.costUsd : tokensOf(row) / Math.max(1, tokensOf(most));
  return (
    <ul className="flex flex-col gap-3">
      {sorted.slice(0, isWhole ? undefined : SHOWN).map((row) => (
        <li key={row.key} className="text-sm">
          <div className="flex items-baseline justify-between gap-3">
            <Named by={by} name={row.key} />
            <span className="shrink-0 tabular-nums">
              <Money usd={row.costUsd} known={row.unpriced === 0} />
            </span>
          </div>
          <div aria-hidden className="my-1 h-1.5 rounded-full bg-sunk">
            <div className="h-full rounded-full bg-accent" style={{ width: `${Math.max(1, share(row) * 100)}%` }} />
          </div>
          <p className="text-xs text-faint">
            {plural(row.runs, "run")}, {plural(row.calls, "call")}, {tokensText(tokensOf(row))} tokens
          </p>
        </li>
      ))}
      {sorted.length > SHOWN && !isWhole && (
        <li>
          <Button size="small" onClick={() => setWhole(true)}>
            {sorted.length - SHOWN} more
          </Button>
        </li>
      )}
    </ul>
  );
}

function tokensOf({ inputTokens, outputTokens }: CostRow): number {
  return inputTokens + outputTokens;
}

function Named({ by, name }: { by: BarsProps["by"]; name: string }) {
  const look = "min-w-0 truncate font-medium hover:underline";
  // Built-in roles have no page.
  const isOwnRole = useQuery(queries.roles()).data?.roles.some(({ id }) => id === name) === true;
  if (by === "project" && name !== "")
    return (
      <Link to="/projects/$id" params={{ id: name }} className={look}>
        <ProjectName id={name} />
      </Link>
    );
  if (by === "role" && isOwnRole)
    return (
      <Link to="/roles/$roleId" params={{ roleId: name }} className={look}>
        <RoleName id={name} />
      </Link>
    );
  return (
    <span className="min-w-0 truncate font-medium">
      {by === "role" && name !== "" ? <RoleName id={name} /> : name || "Workspace"}
    </span>
  );
}
