import { Brain, ChevronRight, CornerDownRight, type LucideIcon, MessageSquare, Sparkles, Wrench } from "lucide-react";
import { type ReactNode, useState } from "react";
import { activityWords, callActivity, shownActivity } from "../../../../src/contract/words/activity-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Ago } from "../../ui/figures.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { capital } from "../../ui/text/capital.ts";
import { Markdown } from "../../ui/text/markdown.tsx";
import type { SessionStep } from "./session-steps.ts";

/** Of one text, before all of it is asked for. */
const MOST_SHOWN = 20_000;

const speakers = { person: "You", main: "Main agent", project: "Project agent", hall: "Guildhall" };

export function SessionStepRow({ step, projectId }: { step: SessionStep; projectId: string }) {
  switch (step.is) {
    case "told":
      return (
        <Row icon={MessageSquare} title={speakers[step.message.from]} at={step.message.at}>
          <Markdown text={step.message.text} project={projectId} />
        </Row>
      );
    case "said":
      return (
        <Row icon={Sparkles} title="Answer" at={step.at} note={step.model}>
          <Markdown text={step.text} project={projectId} />
        </Row>
      );
    case "thought":
      return (
        <Folded icon={Brain} title="Thinking" brief={step.text}>
          <p className="text-sm whitespace-pre-wrap text-faint">{step.text}</p>
        </Folded>
      );
    case "summary":
      return (
        <Folded icon={CornerDownRight} title="Summary of earlier messages" brief={step.previous}>
          <Markdown text={step.text} project={projectId} />
        </Folded>
      );
    case "note":
      return (
        <li className={`rounded-md px-3 py-2 text-sm ${step.isBad ? "bg-bad-soft text-bad" : "bg-sunk text-faint"}`}>
          {step.text}
        </li>
      );
    case "did":
      return <Did call={step.call} />;
  }
}

function Did({ call: { name, input, result } }: { call: Extract<SessionStep, { is: "did" }>["call"] }) {
  const words = activityWords(shownActivity(callActivity(name, input), (text) => text));
  return (
    <Folded
      icon={Wrench}
      title={capital(words)}
      brief=""
      mark={
        result?.failed === true ? <Badge tone="bad">Failed</Badge> : result === undefined && <Badge>No result</Badge>
      }
    >
      {input !== "" && <Output label={`${name} input`} text={input} />}
      {result !== undefined && <Output label="Result" text={result.output} />}
    </Folded>
  );
}

function Row({
  icon: Icon,
  title,
  at,
  note,
  children,
}: {
  icon: LucideIcon;
  title: string;
  at: string;
  note?: string;
  children: ReactNode;
}) {
  return (
    <li className="flex flex-col gap-1 rounded-lg border border-line bg-card px-3 py-2.5">
      <p className="flex items-center gap-2 text-xs text-faint">
        <Icon size={14} aria-hidden />
        <span className="font-semibold text-ink">{title}</span>
        {note !== undefined && <span className="truncate">{note}</span>}
        <Ago at={at} className="ml-auto shrink-0" />
      </p>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

/** What is inside is drawn only when it is opened: results may be long. */
function Folded({
  icon: Icon,
  title,
  brief,
  mark,
  children,
}: {
  icon: LucideIcon;
  title: string;
  brief: string;
  mark?: ReactNode;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="px-3">
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-row className="flex min-h-6 list-none items-center gap-2 text-sm text-faint">
          <ChevronRight size={14} aria-hidden className="shrink-0 transition-transform group-open:rotate-90" />
          <Icon size={14} aria-hidden className="shrink-0" />
          <span className="min-w-0 truncate text-ink">{title}</span>
          {brief !== "" && <span className="min-w-0 flex-1 truncate">{brief}</span>}
          {mark}
        </summary>
        {isOpen && <div className="mt-1 ml-5 flex flex-col gap-2 border-l-2 border-line pl-3">{children}</div>}
      </details>
    </li>
  );
}

function Output({ label, text }: { label: string; text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > MOST_SHOWN && !isWhole;
  return (
    <figure>
      <figcaption className="text-xs text-faint">{label}</figcaption>
      <ScrollBox label={label} look="text" className="max-h-80">
        {isCut ? text.slice(0, MOST_SHOWN) : text === "" ? "(empty)" : text}
      </ScrollBox>
      {isCut && (
        <button type="button" className="text-xs text-accent underline" onClick={() => setWhole(true)}>
          Show all {text.length} characters
        </button>
      )}
    </figure>
  );
}
