import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { oneOf } from "../../api/address.ts";
import { queries } from "../../api/queries.ts";
import { SelectField } from "../../ui/field.tsx";
import { Money, plural, tokensText } from "../../ui/figures.tsx";
import { ProjectFilter } from "../../ui/filters.tsx";
import { Card, Page, Section } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Budgets } from "./budgets.tsx";
import { CostBars } from "./cost-bars.tsx";
import { DayChart } from "./day-chart.tsx";
import { SPAN_IDS, SPANS, type Span, sinceOf } from "./spans.ts";
import { Weeks } from "./week-figures.tsx";

/** What model calls cost, and what may still be spent. */
export default function CostsPage() {
  const { span: wanted, project = "" } = useSearch({ strict: false });
  const span = oneOf(SPAN_IDS, wanted) ?? "30";
  const navigate = useNavigate();
  const set = (change: { span?: string; project?: string }) =>
    void navigate({ to: "/costs", search: { span, project, ...change }, replace: true });
  return (
    <Page
      title="Costs"
      lead="Updated with every model call. A call that would exceed a limit isn't sent."
      actions={
        <>
          <ProjectFilter value={project} onChange={(chosen = "") => set({ project: chosen })} />
          <SelectField label="Period" hideLabel value={span} onChange={(event) => set({ span: event.target.value })}>
            {SPANS.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </>
      }
    >
      <Budgets project={project} />
      <Costs span={span} project={project} />
      <Weeks project={project} />
    </Page>
  );
}

function Costs({ span, project }: { span: Span; project: string }) {
  const which = { ...sinceOf(span, new Date()), ...(project === "" ? {} : { project }) };
  const byDay = useQuery(queries.costs({ by: "day", ...which }));
  return (
    <Loaded query={byDay}>
      {({ rows, total }) =>
        total.calls === 0 ? (
          <Empty title="No model calls in this period.">Costs appear here after the first run or message.</Empty>
        ) : (
          <>
            <Section title="Per day">
              <Card className="p-4">
                <p className="mb-3 text-sm text-faint">
                  <span className="text-lg font-semibold text-ink">
                    <Money usd={total.costUsd} known={total.unpriced === 0} />
                  </span>{" "}
                  in {plural(total.calls, "call")} from {plural(total.runs, "run")}: {tokensText(total.inputTokens)}{" "}
                  tokens in, {tokensText(total.cacheReadTokens)} cached, {tokensText(total.outputTokens)} out.
                  {total.unpriced > 0 && " Partly estimated: a model has no price."}
                </p>
                <DayChart rows={rows} span={span} />
              </Card>
            </Section>
            <div className="grid gap-4 lg:grid-cols-3">
              {project === "" && <CostBars by="project" title="By project" which={which} />}
              <CostBars by="role" title="By role" which={which} />
              <CostBars by="model" title="By model" which={which} />
            </div>
          </>
        )
      }
    </Loaded>
  );
}
