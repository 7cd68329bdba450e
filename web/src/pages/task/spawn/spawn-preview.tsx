import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RouteBodyInput } from "../../../../../src/contract/routes/routes.ts";
import type { RunPlan } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { countText, durationText, plural, tokensText } from "../../../ui/figures.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { Loading } from "../../../ui/states.tsx";
import { limitsOnRun } from "../../costs/own-limits.ts";
import { Refusal } from "./spawn-refusal.tsx";
import { SpawnWarnings } from "./spawn-warnings.tsx";
import type { usePreview } from "./use-preview.ts";

interface SpawnPreviewProps {
  projectId: string;
  taskId: string | undefined;
  roleId: string;
  request: RouteBodyInput<"spawnInProject"> | undefined;
  preview: ReturnType<typeof usePreview>;
  /** Why the start itself was refused. */
  error: unknown;
}

/** What the agent would be started with, decided by the daemon without starting it. */
export function SpawnPreview({ projectId, taskId, roleId, request, preview, error }: SpawnPreviewProps) {
  const refused = error ?? preview.error ?? undefined;
  // Until then it is the one of the role that was chosen before.
  const isSettled = refused === undefined && !preview.isPlaceholderData;
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3" aria-busy={preview.isFetching}>
      <SpawnWarnings {...{ projectId, taskId, roleId }} plan={isSettled ? preview.data : undefined} />
      {refused !== undefined && <Refusal error={refused} {...{ projectId, taskId, roleId }} />}
      {request === undefined && (
        <p className="rounded-lg border border-dashed border-line px-4 py-8 text-center text-sm text-faint">
          {roleId === "" ? "Choose a role" : "Enter a task"} to preview what the agent gets.
        </p>
      )}
      {request !== undefined && refused === undefined && preview.data === undefined && <Loading lines={5} />}
      {preview.data !== undefined && refused === undefined && request !== undefined && <Plan plan={preview.data} />}
    </section>
  );
}

/** The offline model where nobody wrote a playbook for it. */
const REHEARSAL = "offline/rehearsal";

function Plan({ plan }: { plan: RunPlan }) {
  const { model, thinking, timeout, tools, ask, limits, sandbox, knowledge, cut, workplace, skills } = plan;
  return (
    <>
      {model.value === REHEARSAL && (
        <p className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
          <strong>No model set up, so the offline demo model runs this.</strong> Without a matching playbook it changes
          nothing. Add an API key or choose a model to run a real agent.
        </p>
      )}
      <dl className="grid grid-cols-[6rem_1fr] gap-x-3 gap-y-1.5 rounded-lg border border-line bg-sunk px-3 py-2.5 text-sm">
        <Decided name="Model" because={model.because}>
          <code>{model.value}</code>
        </Decided>
        <Decided name="Thinking" because={thinking.because}>
          {thinking.value}
        </Decided>
        <Decided name="Time limit" because={timeout.because}>
          {durationText(timeout.value * 1_000)}
        </Decided>
        <Decided name="Tools" because={tools.because}>
          {tools.value.length === 0 ? "none" : tools.value.join(", ")}
        </Decided>
        {ask !== undefined && ask.length > 0 && <Decided name="Ask before">{ask.join(", ")}</Decided>}
        {skills !== undefined && <Decided name="Skills">{skills.join(", ")}</Decided>}
        <Limits projectId={plan.projectId} limits={limits} />
        <Decided name="Works in">{placeText(workplace)}</Decided>
        <Decided name="Commands">{sandboxText(sandbox)}</Decided>
        {knowledge !== undefined && (
          <Decided name="Knowledge">
            {knowledge.used.length} of {plural(knowledge.of, "entry", "entries")}
          </Decided>
        )}
        {cut.length > 0 && (
          <Decided name="Left out">
            <span className="text-warn">{cut.join("; ")}</span>
          </Decided>
        )}
      </dl>
      <Prompt name="Role prompt" text={plan.system} />
      <Prompt name="Task prompt" text={plan.prompt} />
    </>
  );
}

/** The turns that it has, and what it may cost. */
function Limits({ projectId, limits: { turns, tokens } }: { projectId: string; limits: RunPlan["limits"] }) {
  const { data } = useQuery(queries.budget());
  const budget = data === undefined ? undefined : limitsOnRun(data, projectId);
  const around = [budget?.project && `project: ${budget.project}`, budget?.hall && `workspace: ${budget.hall}`].filter(
    Boolean,
  );
  return (
    <Decided name="Limits" because={around.length === 0 ? undefined : around.join("; ")}>
      {[plural(turns, "turn"), tokens !== undefined && `${tokensText(tokens)} tokens`, budget?.run]
        .filter(Boolean)
        .join(", ")}
    </Decided>
  );
}

function Decided({ name, because, children }: { name: string; because?: string | undefined; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">
        {children}
        {because !== undefined && <span className="block text-xs text-faint">{because}</span>}
      </dd>
    </>
  );
}

function placeText(workplace: RunPlan["workplace"]): string {
  if (workplace === undefined) return "the project's folder";
  return workplace.commit === undefined
    ? `its own branch, ${workplace.branch}`
    : `a copy of ${workplace.branch} as submitted`;
}

function sandboxText(sandbox: RunPlan["sandbox"]): ReactNode {
  if (sandbox === undefined) return "Not allowed";
  if (sandbox.name === "none") return <Badge tone="bad">No sandbox</Badge>;
  return `In the sandbox (${sandbox.name}), ${sandbox.network ? "with" : "without"} network, ${countText(sandbox.memoryMb)} MB`;
}

function Prompt({ name, text }: { name: string; text: string }) {
  return (
    <details className="rounded-lg border border-line">
      <summary className="px-3 py-2 text-sm font-medium">
        {name} <span className="font-normal text-faint">· {plural(text.length, "character")}</span>
      </summary>
      <ScrollBox label={name} className="max-h-80 rounded-none border-0 border-t">
        <pre className="text-xs whitespace-pre-wrap">{text}</pre>
      </ScrollBox>
    </details>
  );
}
