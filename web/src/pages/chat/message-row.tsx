import { memo } from "react";
import type { ChannelMessage } from "../../../../src/contract/documents/channel.ts";
import { activityWords } from "../../../../src/contract/words/activity-words.ts";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { PlainText } from "../../ui/text/plain-text.tsx";
import type { TalkPlace } from "./talk-place.ts";
import type { Answering, Ending, Unsent } from "./talk-state.ts";
import { TurnSteps } from "./turn-steps.tsx";

interface RowProps {
  message: ChannelMessage;
  names: TalkPlace["names"];
  projectId: string | undefined;
}

/** One thing that was said. Only what it says makes it another, so that a long conversation is not drawn with every word. */
export const MessageRow = memo(function MessageRow({ message, names, projectId }: RowProps) {
  const { from, to, text, at, steps = [] } = message;
  if (from === "person") return <Own text={text} at={at} />;
  const hearer = to === "person" || to === "hall" ? "" : ` to ${names[to]}`;
  return (
    <Speech who={names[from]} note={hearer} at={at} isQuiet={from === "hall"}>
      {steps.length > 0 && <TurnSteps steps={steps} />}
      {from === "hall" ? <PlainText text={text} project={projectId} /> : <Markdown text={text} project={projectId} />}
    </Speech>
  );
});

function Speech({
  who,
  note = "",
  at,
  isQuiet = false,
  children,
}: {
  who: string;
  note?: string;
  at?: string;
  isQuiet?: boolean;
  children: React.ReactNode;
}) {
  return (
    <li className={`flex flex-col gap-1 ${isQuiet ? "rounded-md border border-line bg-sunk px-3 py-2 text-sm" : ""}`}>
      <p className="flex items-baseline gap-2 text-xs text-faint">
        <bdi className="font-semibold text-ink">{who}</bdi>
        {note !== "" && <bdi>{note}</bdi>}
        {at !== undefined && <Ago at={at} className="ml-auto shrink-0" />}
      </p>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

function Own({ text, at }: { text: string; at: string }) {
  return (
    <li className="flex flex-col items-end gap-1">
      <p className="text-xs text-faint">
        <span className="sr-only">You, </span>
        <Ago at={at} />
      </p>
      <OwnWords text={text} />
    </li>
  );
}

function OwnWords({ text }: { text: string }) {
  return (
    <div
      dir="auto"
      className="max-w-[88%] rounded-lg rounded-br-sm bg-accent-soft px-3 py-2 text-left whitespace-pre-wrap"
    >
      {text}
    </div>
  );
}

export function UnsentRow({
  unsent: { text, why },
  onAgain,
  onTakeBack,
}: {
  unsent: Unsent;
  onAgain: () => void;
  onTakeBack: () => void;
}) {
  return (
    <li className="flex flex-col items-end gap-1">
      <OwnWords text={text} />
      {why === undefined ? (
        <p role="status" className="text-xs text-faint">
          Sending…
        </p>
      ) : (
        <div role="alert" className="flex max-w-[88%] flex-wrap items-center justify-end gap-x-2 gap-y-1 text-xs">
          <span className="text-right text-bad">Not delivered. {why}</span>
          <Button size="small" onClick={onAgain}>
            Try again
          </Button>
          <Button size="small" kind="ghost" onClick={onTakeBack}>
            Edit
          </Button>
        </div>
      )}
    </li>
  );
}

/** What is being said, and what the agent is at. */
export function AnsweringRow({
  answering: { text, activity, isGoingOn },
  who,
  projectId,
}: {
  answering: Answering;
  who: string;
  projectId: string | undefined;
}) {
  const doing = activity.kind === "thinking" && text !== "" && isGoingOn ? "writing" : activityWords(activity);
  return (
    <Speech who={who}>
      {text !== "" && <Markdown text={text} project={projectId} />}
      <p role="status" className="mt-1 flex items-center gap-2 text-sm text-faint">
        <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-accent" />
        <span className="line-clamp-2 min-w-0">
          <span className="sr-only">{who} </span>
          {doing}…
        </span>
      </p>
    </Speech>
  );
}

const outcomes: Partial<Record<Ending["outcome"], string>> = {
  stopped: "Stopped. Completed steps were kept.",
  failed: "No answer.",
  refused: "The provider refused this message.",
  held: "On hold. No answer for now.",
};

export function EndingRow({ ending: { outcome, error } }: { ending: Ending }) {
  const isBad = outcome === "failed" || outcome === "refused";
  return (
    <li
      role="status"
      className={`rounded-md px-3 py-2 text-sm ${isBad ? "bg-bad-soft text-bad" : "bg-sunk text-faint"}`}
    >
      {outcomes[outcome] ?? `The answer ended: ${outcome}.`}
      {error !== undefined && <span className="block text-ink">{error}</span>}
    </li>
  );
}
