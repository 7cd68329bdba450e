import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Orchestrator } from "../../../../../src/contract/documents/autonomy/orchestrator.ts";
import { call } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Money, moneyText } from "../../../ui/figures.tsx";
import { Meter } from "../../../ui/meter.tsx";
import { Card, Page, Section } from "../../../ui/page.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { tellFailure } from "../../../ui/toasts.tsx";
import { SettingsTabs } from "../settings-tabs.tsx";
import { CycleRow } from "./cycle-row.tsx";

/** What the orchestrator does, and what its last cycles decided and why. */
export default function OrchestratorPage() {
  const found = useQuery(queries.orchestrator());
  const cycles = useQuery(queries.cycles());
  return (
    <Page title="Orchestrator" lead="Starts agents of projects on initiatives, until nothing can be started.">
      <SettingsTabs />
      <Loaded query={found}>{({ orchestrator }) => <State orchestrator={orchestrator} />}</Loaded>
      <Section title="Cycles">
        <Loaded query={cycles}>
          {({ cycles: all }) =>
            all.length === 0 ? (
              <Empty title="No cycles yet." />
            ) : (
              <Card>
                <ul aria-label="Cycles" className="divide-y divide-line">
                  {all.map((cycle) => (
                    <CycleRow key={cycle.id} cycle={cycle} />
                  ))}
                </ul>
              </Card>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}

function State({ orchestrator }: { orchestrator: Orchestrator }) {
  const { state, why, spentTodayUsd, dailyUsd, maxLeads, leads } = orchestrator;
  const spent = `${moneyText(spentTodayUsd)} of ${moneyText(dailyUsd)} spent today`;
  return (
    <Card className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={state === "working" ? "info" : state === "idle" ? "good" : "neutral"}>{state}</Badge>
        <p className="min-w-0 flex-1 text-sm">{why}</p>
        {state === "off" ? <TurnOn dailyUsd={dailyUsd} /> : <Actions state={state} />}
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-sm">
        <span>
          <Money usd={spentTodayUsd} /> of {moneyText(dailyUsd)} today
        </span>
        <Meter value={spentTodayUsd} max={dailyUsd} label={spent} />
        <span>
          {leads.length} of {maxLeads} agents running
        </span>
      </div>
      {leads.length > 0 && (
        <ul aria-label="Running agents" className="text-sm">
          {leads.map(({ id, projectId, initiative, status }) => (
            <li key={id}>
              <Link to="/projects/$id" params={{ id: projectId }} className="text-accent hover:underline">
                {projectId}
              </Link>{" "}
              / <bdi>{initiative}</bdi> <span className="text-faint">({status})</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-faint">
        Its limits are under{" "}
        <Link to="/settings" className="text-accent underline">
          General
        </Link>
        ; each project says in its own settings what the orchestrator may do there.
      </p>
    </Card>
  );
}

function Actions({ state }: Pick<Orchestrator, "state">) {
  const client = useQueryClient();
  const done = {
    onSuccess: () => client.invalidateQueries({ queryKey: ["orchestrator"] }),
    onError: tellFailure,
  };
  const pause = useMutation({ mutationFn: () => call("pauseOrchestrator"), ...done });
  const resume = useMutation({ mutationFn: () => call("resumeOrchestrator"), ...done });
  const cycle = useMutation({ mutationFn: () => call("runCycle"), ...done });
  if (state === "paused")
    return (
      <Button busy={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </Button>
    );
  return (
    <>
      <Button busy={pause.isPending} onClick={() => pause.mutate()}>
        Pause
      </Button>
      <Button kind="primary" busy={cycle.isPending} onClick={() => cycle.mutate()}>
        Run a cycle
      </Button>
    </>
  );
}

function TurnOn({ dailyUsd }: Pick<Orchestrator, "dailyUsd">) {
  const [isAsked, setAsked] = useState(false);
  const turnOn = useAct("updateSettings", { done: "The orchestrator is on.", onFailure: shownInline });
  return (
    <>
      <Button kind="primary" onClick={() => setAsked(true)}>
        Turn on
      </Button>
      {isAsked && (
        <Confirm
          title="Turn on the orchestrator"
          action="Turn on"
          danger={false}
          busy={turnOn.isPending}
          error={turnOn.error}
          onConfirm={() => turnOn.mutate({ body: { set: { "orchestrator.enabled": true } } })}
          onClose={() => setAsked(false)}
        >
          <p>
            It starts agents on initiatives on its own, in projects whose autonomy is not off, and spends at most{" "}
            {moneyText(dailyUsd)} a day. You can pause it at any time.
          </p>
        </Confirm>
      )}
    </>
  );
}
