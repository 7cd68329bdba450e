import { useRef, useState } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { ANSWER_SCOPES, type AnswerScope } from "../../../../src/contract/documents/escalation-status.ts";
import { RUN_ACTIONS } from "../../../../src/contract/words/run-words.ts";
import { type Keys, useKeys } from "../../shell/keys.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { useDraft } from "../run/diff/use-draft.ts";
import { Choices } from "./choices.tsx";
import { SCOPE_WORDS } from "./inbox-words.ts";
import { Suggestions } from "./suggestions.tsx";
import type { Answering, InboxActs } from "./use-inbox-acts.ts";

interface FormProps {
  escalation: Escalation;
  acts: Pick<InboxActs, "resolve" | "isPending">;
  /** Digits and r are heard. */
  hasKeys?: boolean;
  onLeave?: () => void;
}

/** Where an entry is answered: one of its suggestions, or in words. What was typed is kept until it is sent. */
export function AnswerForm({ escalation, acts, hasKeys = true, onLeave }: FormProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(escalation.id);
  const isAtDesk = useMedia(WIDE);
  const [isEmpty, setEmpty] = useState(false);
  const [asked, setAsked] = useState<string>();
  const [options, setOptions] = useState<Options>({ always: false });
  const isDerived = escalation.subject !== undefined;
  const send = (body: Answering) => {
    setAsked(undefined);
    acts.resolve(escalation, { ...body, ...(isDerived ? {} : options) });
  };
  const sendText = (answer?: string) => {
    const resolution = draft.text.trim();
    setEmpty(resolution === "");
    if (resolution === "") box.current?.focus();
    else send({ resolution, ...(answer === undefined ? {} : { answer }) });
  };
  const choose = (label: string) => {
    if (acts.isPending) return;
    if (needsText(escalation, label)) sendText(label);
    else if (asksFirst(escalation, label)) setAsked(label);
    else send({ answer: label, ...textIn(draft.text) });
  };
  const labels = escalation.suggestedAnswers.map(({ label }) => label);
  useKeys(hasKeys ? { ...digits(labels, choose), r: () => box.current?.focus() } : {});
  const takesText = !isDerived || labels.some((label) => needsText(escalation, label));
  return (
    <div className="flex flex-col gap-3">
      <Choices escalation={escalation} hasKeys={hasKeys} isBusy={acts.isPending} onChoose={choose} />
      {!isDerived && <Suggestions escalation={escalation} onUse={draft.write} />}
      {takesText && (
        <TextArea
          ref={box}
          label={isDerived ? RUN_ACTIONS.requestChanges.label : "Answer in your own words"}
          hint={isAtDesk ? "Ctrl+Enter sends." : undefined}
          rows={Math.min(8, Math.max(2, draft.text.split("\n").length))}
          maxLength={20_000}
          value={draft.text}
          error={isEmpty && draft.text.trim() === "" ? emptyWords(isDerived) : undefined}
          onChange={({ target }) => draft.write(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onLeave?.();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
              sendText(isDerived ? RUN_ACTIONS.requestChanges.label : undefined);
          }}
        />
      )}
      {!isDerived && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <OptionFields escalation={escalation} options={options} onChange={setOptions} />
          <Button kind="primary" className="ml-auto" busy={acts.isPending} onClick={() => sendText()}>
            Send answer
          </Button>
        </div>
      )}
      {asked !== undefined && (
        <Confirm
          title={`${visibleLine(asked)}?`}
          action={visibleLine(asked)}
          danger={false}
          busy={acts.isPending}
          onConfirm={() => send({ answer: asked })}
          onClose={() => setAsked(undefined)}
        >
          <p className="break-words">{visibleLine(escalation.question)}</p>
          <p className="text-faint">{descriptionOf(escalation, asked)}</p>
        </Confirm>
      )}
    </div>
  );
}

interface Options {
  scope?: AnswerScope;
  always: boolean;
}

const select = "h-7 rounded-md border border-edge bg-card px-1.5 text-sm";

/** For how much the answer holds. */
function OptionFields(props: { escalation: Escalation; options: Options; onChange: (options: Options) => void }) {
  const { escalation, options, onChange } = props;
  const { projectId, blocksTask, askers } = escalation;
  const hasTask = blocksTask !== null || askers.some(({ taskId }) => taskId !== undefined);
  const scopes = ANSWER_SCOPES.filter(
    (scope) => scope === "hall" || (projectId !== undefined && (scope !== "task" || hasTask)),
  );
  return (
    <>
      <label className="flex items-center gap-1.5 text-sm">
        Applies to
        <select
          className={select}
          value={options.scope ?? (projectId === undefined ? "hall" : "project")}
          onChange={({ target }) => onChange({ ...options, scope: target.value as AnswerScope })}
        >
          {scopes.map((scope) => (
            <option key={scope} value={scope}>
              {SCOPE_WORDS[scope]}
            </option>
          ))}
        </select>
      </label>
      <label
        className="flex items-center gap-1.5 text-sm"
        title="The same question gets this answer without asking you."
      >
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={options.always}
          onChange={({ target }) => onChange({ ...options, always: target.checked })}
        />
        Always answer this way
      </label>
    </>
  );
}

function digits(labels: readonly string[], choose: (label: string) => void): Keys {
  return Object.fromEntries(labels.slice(0, 9).map((label, at) => [String(at + 1), () => choose(label)]));
}

function textIn(text: string): { resolution?: string } {
  return text.trim() === "" ? {} : { resolution: text.trim() };
}

function emptyWords(isDerived: boolean): string {
  return isDerived ? "Describe the changes for the next run." : "Write an answer, or choose one above.";
}

/** The next run has to know what to change. */
function needsText({ subject }: Escalation, label: string): boolean {
  return subject?.kind === "review" && label === RUN_ACTIONS.requestChanges.label;
}

/** Merging, spending and trusting a file are confirmed: a digit that was meant for another entry must not do it. */
function asksFirst({ subject }: Escalation, label: string): boolean {
  if (subject?.kind === "review") return label !== RUN_ACTIONS.discard.label;
  return subject !== undefined && ["budget", "skill", "instructions", "folder"].includes(subject.kind);
}

function descriptionOf({ suggestedAnswers }: Escalation, label: string): string {
  return visibleLine(suggestedAnswers.find((answer) => answer.label === label)?.description ?? "");
}
