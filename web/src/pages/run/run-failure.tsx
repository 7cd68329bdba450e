import { Link } from "@tanstack/react-router";
import { CircleAlert, Hourglass } from "lucide-react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { activityWords } from "../../../../src/contract/words/activity-words.ts";
import { adviceFor } from "../../../../src/contract/words/cause-advice.ts";
import { type Hint, hint } from "../../../../src/contract/words/hint.ts";
import { WAIT_HINTS } from "../../../../src/contract/words/wait-words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { HintButton } from "../../ui/hint-button.tsx";
import { capital } from "../../ui/text/capital.ts";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { useOpenQuestions } from "../inbox/open-questions.ts";
import { QuestionBox } from "../inbox/question-box.tsx";
import { RetryButton } from "./retry-button.tsx";
import { lastCalls } from "./transcript/repeated-call.ts";
import { itemsOf } from "./transcript/transcript-model.ts";
import { useTranscript } from "./transcript/use-transcript.ts";

/** Why a run does not go on, before everything else, with what helps. */
export function RunFailure({ run }: { run: Run }) {
  if (run.waitingFor !== undefined && (run.status === "running" || run.status === "pending"))
    return run.waitingFor === "answer" ? <WaitingForAnswer run={run} /> : <Waiting run={run} />;
  if (run.status !== "failed") return null;
  const { text, fix } = adviceFor(run);
  return (
    <section aria-label="Why it failed" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
      <div className="flex gap-3">
        <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <p className="font-medium whitespace-pre-wrap text-bad">
            {run.error ?? "The run failed without an error message."}
          </p>
          {run.cause === "repeats" && <Repeated runId={run.id} />}
          <p className="mt-0.5 text-sm">{text}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {fix !== undefined && <HintButton of={fix} size="small" kind="primary" />}
            <RetryButton run={run} size="small" kind={fix === undefined ? "primary" : "plain"} />
            <Link
              to="."
              search={{ view: "transcript", at: "failing" }}
              resetScroll={false}
              className={buttonLook({ size: "small" })}
            >
              Show in transcript
            </Link>
          </div>
        </div>
      </div>
    </section>
  );
}

function waitHint({ activity }: Run) {
  return activity?.kind === "waiting" ? activity.hintAction : undefined;
}

function Repeated({ runId }: { runId: string }) {
  const { data } = useTranscript(runId);
  return lastCalls(itemsOf(data ?? [])).map(({ name, words, error }) => (
    <p key={`${name} ${words}`} className="mt-0.5 text-sm break-words">
      Repeated call: <code>{visibleLine(`${name} ${words}`.trim())}</code>
      {error !== undefined && <> failed with “{visibleLine(error)}”</>}
    </p>
  ));
}

/** The question is answered here, or in the inbox. */
function WaitingForAnswer({ run }: { run: Run }) {
  const asked = useOpenQuestions(run.projectId).filter(({ askers }) =>
    askers.some(({ kind, id, waits }) => kind === "run" && id === run.id && waits),
  );
  if (asked.length === 0) return <Waiting run={run} />;
  return asked.map((escalation) => (
    <QuestionBox key={escalation.id} escalation={escalation} title="Waiting for an answer:" />
  ));
}

/** What ends the wait, as a button; of the others, the words say it. */
function helpFor(run: Run): Hint | undefined {
  if (run.waitingFor === "budget") return waitHint(run) ?? hint("budget-raise");
  return run.waitingFor === "turn" ? waitHint(run) : undefined;
}

function Waiting({ run }: { run: Run }) {
  const help = helpFor(run);
  return (
    <section aria-label="Why it's waiting" className="flex gap-3 rounded-lg border border-line bg-warn-soft px-4 py-3">
      <Hourglass size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium text-warn">
          {capital(activityWords(run.activity ?? { kind: "waiting", for: run.waitingFor ?? "turn" }))}
        </p>
        {run.waitingForRun !== undefined && (
          <Link to="/runs/$runId" params={{ runId: run.waitingForRun }} className="underline">
            Blocking run
          </Link>
        )}
        {help !== undefined && (
          <p className="mt-2">
            <HintButton of={help} size="small" />
          </p>
        )}
        {run.waitingFor !== undefined && WAIT_HINTS[run.waitingFor] !== undefined && (
          <p>{WAIT_HINTS[run.waitingFor]}</p>
        )}
        {run.waitingSince !== undefined && (
          <p className="text-muted">
            Since <Ago at={run.waitingSince} />
          </p>
        )}
      </div>
    </section>
  );
}
