import { useMemo } from "react";
import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { WAIT_WORDS } from "../../../../../src/contract/words/wait-words.ts";
import { durationText, Money, plural, tokensText, tookText } from "../../../ui/figures.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { SHORTEST_TOLD_MS } from "../transcript/tool-call.tsx";
import { useTranscript } from "../transcript/use-transcript.ts";
import { useMore } from "./more-rows.tsx";
import { type Step, type Timeline, timelineOf } from "./timeline-model.ts";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** Where the time and the money went, turn by turn. */
export default function TimelineView({ run }: { run: Run }) {
  const entries = useTranscript(run.id);
  return <Loaded query={entries}>{(data) => <Shown entries={data} />}</Loaded>;
}

function Shown({ entries }: { entries: readonly JournalEntry[] }) {
  const line = useMemo(() => timelineOf(entries, Date.now()), [entries]);
  const { shown, more } = useMore(line?.steps ?? [], "turns");
  if (line === undefined || line.steps.length === 0)
    return <Empty title="No turns yet.">Every turn appears here as a bar.</Empty>;
  const waited = line.waits.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-faint">
        {plural(line.steps.length, "turn")} in {durationText(line.to - line.from)}
        {waited > 0 && `, ${durationText(waited)} of it waiting`}. Each bar covers one turn: tool calls, then the
        model's answer.
      </p>
      <Axis line={line} />
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Duration and cost of each turn</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-faint">
            <th scope="col" className="w-10 py-1 font-medium">
              Turn
            </th>
            <th scope="col" className="py-1 pl-2 font-medium max-sm:hidden">
              When
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-medium">
              Duration
            </th>
            <th scope="col" className="py-1 pl-3 font-medium">
              Tools
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-medium max-sm:hidden">
              Tokens
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-medium">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((step) => (
            <StepRow key={step.turn} step={step} line={line} />
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}

function place({ from, to }: { from: number; to: number }, line: Timeline) {
  const span = line.to - line.from;
  return { left: `${((from - line.from) / span) * 100}%`, width: `max(3px, ${((to - from) / span) * 100}%)` };
}

/** The whole run as one strip; the table says the same in figures. */
function Axis({ line }: { line: Timeline }) {
  return (
    <div aria-hidden>
      <div className="relative h-6 overflow-hidden rounded-md bg-sunk">
        {line.steps.map((step) => (
          <span
            key={step.turn}
            title={`Turn ${step.turn}: ${durationText(step.to - step.from)}`}
            className={`absolute inset-y-1 rounded-sm border-r border-card ${step.turn % 2 === 0 ? "bg-info/60" : "bg-info"}`}
            style={place(step, line)}
          />
        ))}
        {line.waits.map((wait) => (
          <span
            key={wait.from}
            title={`Waited for ${WAIT_WORDS[wait.reason]}: ${durationText(wait.to - wait.from)}`}
            className="absolute inset-y-0 border-y-4 border-warn bg-warn-soft"
            style={place(wait, line)}
          />
        ))}
        {line.resumed.map((at) => (
          <span
            key={at}
            title={`Resumed at ${clock.format(at)}`}
            className="absolute inset-y-0 w-0.5 bg-bad"
            style={{ left: place({ from: at, to: at }, line).left }}
          />
        ))}
      </div>
      <div className="mt-0.5 flex justify-between text-xs text-faint tabular-nums">
        <span>{clock.format(line.from)}</span>
        {line.waits.length > 0 && <span>▬ turns · ▭ waiting</span>}
        <span>{clock.format(line.to)}</span>
      </div>
    </div>
  );
}

function StepRow({ step, line }: { step: Step; line: Timeline }) {
  const { turn, from, to, waited, failures, calls, tokens, costUsd, isKnown } = step;
  const share = line.mostUsd > 0 ? (costUsd / line.mostUsd) * 100 : 0;
  return (
    <tr className="border-b border-line align-middle">
      <th scope="row" className="py-1.5 text-left font-medium tabular-nums">
        {turn}
      </th>
      <td className="w-[30%] py-1.5 pl-2 max-sm:hidden">
        <span className="sr-only">{clock.format(from)}</span>
        <span
          aria-hidden
          className="relative block h-3 rounded-sm bg-sunk"
          title={`${clock.format(from)} – ${clock.format(to)}`}
        >
          <span className="absolute inset-y-0 rounded-sm bg-info" style={place(step, line)} />
        </span>
      </td>
      <td className="py-1.5 pl-2 text-right whitespace-nowrap tabular-nums">
        {tookText(to - from)}
        {waited > 0 && <span className="block text-xs text-warn">waited {durationText(waited)}</span>}
      </td>
      <td className="py-1.5 pl-3">
        {calls.map(({ name, failed, count, ms = 0 }) => (
          <span key={name} className={`mr-2 whitespace-nowrap ${failed ? "text-bad" : ""}`}>
            <code>{name}</code>
            {count > 1 && ` ×${count}`}
            {failed && " failed"}
            {ms >= SHORTEST_TOLD_MS && <span className="text-faint tabular-nums"> · {tookText(ms)}</span>}
          </span>
        ))}
        {calls.length === 0 && <span className="text-faint">none</span>}
        {failures > 0 && <span className="text-xs text-warn">{plural(failures + 1, "attempt")}</span>}
      </td>
      <td className="py-1.5 pl-2 text-right tabular-nums max-sm:hidden">{tokensText(tokens)}</td>
      <td className="w-24 py-1.5 pl-2 text-right tabular-nums">
        <Money usd={costUsd} known={isKnown} />
        <span aria-hidden className="ml-auto block h-1 rounded-full bg-accent" style={{ width: `${share}%` }} />
      </td>
    </tr>
  );
}
