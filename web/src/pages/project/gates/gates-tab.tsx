import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { GateLine } from "../../../../../src/contract/documents/quality/gate.ts";
import { GATE_VERDICT_WORDS, GATE_VERDICTS, type GateVerdict } from "../../../../../src/contract/words/gate-words.ts";
import { oneOf } from "../../../api/address.ts";
import { call } from "../../../api/client.ts";
import { isAway } from "../../../api/failure.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Ago, Money, plural } from "../../../ui/figures.tsx";
import { VerdictBadge } from "../../../ui/gate/verdict.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Loading, Trouble } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { CheckDialog } from "../../gate/gate-actions.tsx";
import { scoreText } from "../../gate/report-words.ts";
import { useProjectId } from "../project-id.ts";
import { Conflicts } from "./conflicts.tsx";
import { IntegrationChecks } from "./integration-checks.tsx";
import { QualityFigures } from "./quality-figures.tsx";
import { StageDots } from "./stage-dots.tsx";

/** How the changes of a project were judged, and how that goes over time. */
export default function GatesTab() {
  const project = useProjectId();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-60 text-sm text-faint">
          A gate judges a change by evidence: it compiles, its tests pass, and reviewers find nothing that blocks it.{" "}
          <Link to="/projects/$id/settings/gates" params={{ id: project }} className="text-accent underline">
            Settings
          </Link>
        </p>
        <Button kind="primary" onClick={() => setAsking(true)}>
          <ShieldCheck size={14} aria-hidden />
          Check uncommitted changes
        </Button>
      </div>
      <QualityFigures project={project} />
      <Conflicts project={project} />
      <Gates project={project} />
      <IntegrationChecks project={project} />
      {isAsking && (
        <CheckDialog
          projectId={project}
          title="Check uncommitted changes?"
          subject={{}}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function useGates(project: string, verdict: GateVerdict | undefined, task: string) {
  return useInfiniteQuery({
    queryKey: ["gates", project, "list", verdict, task],
    queryFn: ({ pageParam, signal }) =>
      call("listGates", {
        params: { id: project },
        query: { limit: 50, cursor: pageParam, verdict, ...(task === "" ? {} : { task }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

function Gates({ project }: { project: string }) {
  const [verdict, setVerdict] = useState<GateVerdict>();
  const [task, setTask] = useState("");
  const found = useGates(project, verdict, task);
  const gates = found.data?.pages.flatMap((page) => page.gates) ?? [];
  const tasks = [...new Set(gates.flatMap(({ taskId }) => taskId ?? []))].sort();
  const isNarrowed = verdict !== undefined || task !== "";
  const clear = () => {
    setVerdict(undefined);
    setTask("");
  };
  return (
    <Section title="Gate reports">
      {(gates.length > 0 || isNarrowed) && (
        <search className="flex flex-wrap gap-2">
          <SelectField
            label="Verdict"
            hideLabel
            value={verdict ?? ""}
            onChange={({ target }) => setVerdict(oneOf(GATE_VERDICTS, target.value))}
          >
            <option value="">All verdicts</option>
            {GATE_VERDICTS.map((each) => (
              <option key={each} value={each}>
                {GATE_VERDICT_WORDS[each]}
              </option>
            ))}
          </SelectField>
          <SelectField label="Task" hideLabel value={task} onChange={({ target }) => setTask(target.value)}>
            <option value="">All tasks</option>
            {(task === "" || tasks.includes(task) ? tasks : [task, ...tasks]).map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </SelectField>
        </search>
      )}
      {found.data === undefined &&
        (found.isPending || isAway(found.error) ? (
          <Loading />
        ) : (
          <Trouble error={found.error} retry={() => void found.refetch()} />
        ))}
      {gates.length > 0 && (
        <ul aria-label="Gate reports" className="overflow-hidden rounded-lg border border-line bg-card">
          {gates.map((gate) => (
            <GateRow key={gate.id} gate={gate} />
          ))}
        </ul>
      )}
      {found.isSuccess && gates.length === 0 && <NoGates isNarrowed={isNarrowed} onClear={clear} />}
      {found.hasNextPage && (
        <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()} className="self-center">
          Older reports
        </Button>
      )}
    </Section>
  );
}

function GateRow({ gate }: { gate: GateLine }) {
  const { id, title, state, verdict, score, threshold, taskId, cycle, blocking, costUsd, startedAt, stages } = gate;
  return (
    <li className="relative flex items-start gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-sunk">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/gates/$gateId"
            params={{ gateId: id }}
            data-row
            className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
          >
            <bdi>{visibleLine(title)}</bdi>
          </Link>
          <VerdictBadge state={state} verdict={verdict} />
        </div>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-faint">
          <StageDots stages={stages} />
          {taskId !== undefined && <span>{taskId}</span>}
          {cycle > 1 && <span>cycle {cycle}</span>}
          {blocking > 0 && <span className="text-bad">{plural(blocking, "blocking finding")}</span>}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5 text-xs text-faint tabular-nums">
        <Ago at={startedAt} />
        <span>
          {score === null ? "no score" : `${scoreText(score)} of ${scoreText(threshold)}`} · <Money usd={costUsd} />
        </span>
      </div>
    </li>
  );
}

function NoGates({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed)
    return (
      <Empty title="No gate reports match these filters." action={<Button onClick={onClear}>Clear filters</Button>} />
    );
  return (
    <Empty title="No gate reports yet.">
      Gates check runs of teams, or every run that changes code, depending on the settings. You can also check the
      uncommitted changes in the project's folder.
    </Empty>
  );
}
