import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hand } from "lucide-react";
import type { Team } from "../../../../../src/contract/documents/teams/team.ts";
import { queries } from "../../../api/queries.ts";
import { Loaded, Loading } from "../../../ui/states.tsx";
import type { ApprovalProps } from "./approval-props.ts";
import { DecisionForm } from "./decision-form.tsx";
import { PlanSummary } from "./plan-summary.tsx";
import { SpecSummary } from "./spec-summary.tsx";

/** A spec or a plan that can be read at a glance, with the buttons that decide about it. */
export function Approval({ team, what, keys, onDone }: ApprovalProps) {
  return (
    <section
      aria-label={`Approval of the ${what}`}
      className="flex flex-col gap-3 rounded-lg border border-accent bg-card px-4 py-3"
    >
      <p className="flex items-center gap-2 font-medium">
        <Hand size={18} aria-hidden className="shrink-0 text-accent" />
        {what === "plan"
          ? "The plan is ready. Work starts when you approve it."
          : "The spec is ready. The lead plans the tasks when you approve it."}
      </p>
      <ApprovalBody {...{ team, what, keys, onDone }} />
    </section>
  );
}

/** The same without a frame, for an entry of the inbox. */
export function ApprovalBody({ team, what, keys, onDone }: ApprovalProps) {
  return (
    <>
      {what === "plan" ? <Plan team={team} /> : <Spec team={team} />}
      <DecisionForm {...{ team, what, keys, onDone }} />
    </>
  );
}

function Plan({ team }: { team: Team }) {
  const plan = useQuery(queries.teamPlan(team.id));
  const tasks = useQuery(queries.teamTasks(team.id)).data?.tasks;
  return (
    <Loaded query={plan} loading={<Loading lines={4} label="Loading the plan" />}>
      {({ plan: found }) => <PlanSummary team={team} plan={found} tasks={tasks ?? []} />}
    </Loaded>
  );
}

function Spec({ team }: { team: Team }) {
  const spec = useQuery(queries.teamSpec(team.id));
  return (
    <Loaded query={spec} loading={<Loading lines={4} label="Loading the spec" />}>
      {(found) => (
        <>
          <SpecSummary spec={found.spec} />
          <p className="text-sm">
            <Link
              to="/teams/$teamId"
              params={{ teamId: team.id }}
              search={{ view: "spec" }}
              className="text-accent underline"
            >
              Read or edit the whole spec
            </Link>
          </p>
        </>
      )}
    </Loaded>
  );
}
