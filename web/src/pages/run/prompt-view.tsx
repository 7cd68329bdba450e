import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import type { Run, RunPlan } from "../../../../src/contract/runs/run.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { countText, durationText, plural, tokensText } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { visibleText } from "../../ui/text/visible-text.ts";
import { tell, tellFailure } from "../../ui/toasts.tsx";

/** Everything the agent was started with, and what decided it. */
export default function PromptView({ run }: { run: Run }) {
  const plan = useQuery(queries.plan(run.id));
  return (
    <Loaded query={plan}>
      {({ plan: known }) => (
        <div className="flex flex-col gap-6">
          <Decisions plan={known} />
          {known.continues !== undefined && <Continues continues={known.continues} />}
          <Words title="Task" text={known.prompt} />
          <Words title="System prompt" text={known.system} />
        </div>
      )}
    </Loaded>
  );
}

function Decisions({ plan }: { plan: RunPlan }) {
  const { model, thinking, timeout, tools, ask, limits, contextWindow, skills, cut, temperature, maxTokens } = plan;
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-px overflow-hidden rounded-lg border border-line bg-line text-sm">
      <Fact name="Model" because={model.because}>
        {model.value}
      </Fact>
      <Fact name="Thinking" because={thinking.because}>
        {thinking.value}
      </Fact>
      {(temperature !== undefined || maxTokens !== undefined) && (
        <Fact name="Sampling">
          {[
            temperature !== undefined && `temperature ${temperature}`,
            maxTokens !== undefined && `max ${countText(maxTokens)} tokens per answer`,
          ]
            .filter(Boolean)
            .join(", ")}
        </Fact>
      )}
      <Fact name="Tools" because={tools.because}>
        {tools.value.length === 0 ? "none" : tools.value.map((tool) => <Chip key={tool}>{tool}</Chip>)}
      </Fact>
      {ask !== undefined && ask.length > 0 && (
        <Fact name="Ask before">
          {ask.map((tool) => (
            <Chip key={tool}>{tool}</Chip>
          ))}
        </Fact>
      )}
      {skills !== undefined && (
        <Fact name="Skills">
          {skills.map((skill) => (
            <Chip key={skill}>{skill}</Chip>
          ))}
        </Fact>
      )}
      <Fact name="Time" because={timeout.because}>
        {durationText(timeout.value * 1_000)}
      </Fact>
      <Fact name="Limits">
        {countText(limits.turns)} turns
        {limits.tokens !== undefined && `, ${tokensText(limits.tokens)} tokens`}, {limits.repeats} identical calls in a
        row
      </Fact>
      <Fact name="Context">{tokensText(contextWindow)} tokens</Fact>
      <SandboxFact plan={plan} />
      <KnowledgeFact plan={plan} />
      {cut.length > 0 && (
        <Fact name="Left out">
          <ul>
            {cut.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

function SandboxFact({ plan: { sandbox, workplace } }: { plan: RunPlan }) {
  return (
    <>
      <Fact name="Commands">
        {sandbox === undefined ? (
          "Not allowed"
        ) : (
          <>
            {sandbox.name === "none" ? "without a sandbox" : `in ${sandbox.name}`},{" "}
            {sandbox.network ? "with network access" : "no network access"}, up to {countText(sandbox.memoryMb)} MB and{" "}
            {countText(sandbox.processes)} processes
            {sandbox.writable.length > 0 && `; also writable: ${sandbox.writable.join(", ")}`}
          </>
        )}
      </Fact>
      {workplace !== undefined && (
        <Fact name="Branch">
          <code>{workplace.branch}</code> into <code>{workplace.target}</code>
        </Fact>
      )}
    </>
  );
}

function KnowledgeFact({ plan: { knowledge } }: { plan: RunPlan }) {
  if (knowledge === undefined) return null;
  return (
    <Fact
      name="Knowledge"
      because={`${countText(knowledge.used.length)} of ${plural(knowledge.of, "entry", "entries")}`}
    >
      {knowledge.used.length === 0 ? "none" : knowledge.used.map((id) => <Chip key={id}>{id}</Chip>)}
    </Fact>
  );
}

function Fact({ name, because, children }: { name: string; because?: string | undefined; children: ReactNode }) {
  return (
    <>
      <dt className="bg-sunk px-3 py-2 text-faint">{name}</dt>
      <dd className="min-w-0 bg-card px-3 py-2">
        {children}
        {because !== undefined && <span className="text-xs text-faint"> · {because}</span>}
      </dd>
    </>
  );
}

function Chip({ children }: { children: string }) {
  return <code className="mr-1 mb-1 inline-block rounded bg-sunk px-1.5">{children}</code>;
}

function Continues({ continues: { runId, feedback } }: { continues: NonNullable<RunPlan["continues"]> }) {
  return (
    <Section title="Requested changes">
      <p className="text-sm">
        <Link to="/runs/$runId" params={{ runId }} className="underline">
          Feedback on the previous run
        </Link>
      </p>
      <blockquote className="border-l-2 border-line pl-3 text-sm whitespace-pre-wrap">{feedback}</blockquote>
    </Section>
  );
}

function Words({ title, text }: { title: string; text: string }) {
  const copy = () => void navigator.clipboard.writeText(text).then(() => tell("Copied."), tellFailure);
  return (
    <Section
      title={title}
      actions={
        <Button kind="ghost" size="small" onClick={copy}>
          <Copy size={14} aria-hidden />
          Copy
        </Button>
      }
    >
      <pre className="rounded-lg border border-line bg-card px-4 py-3 text-xs leading-5 whitespace-pre-wrap">
        {visibleText(text)}
      </pre>
    </Section>
  );
}
