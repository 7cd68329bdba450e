import { type KeyboardEvent, useRef, useState } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { useKeys } from "../../shell/keys.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import { useDraft } from "../run/diff/use-draft.ts";
import { AnswerOptions, type Options } from "./answer-options.tsx";
import { answerWithText, asksFirst, type ShownAnswer, textWords } from "./answer-rules.ts";
import { Choices } from "./choices.tsx";
import { Suggestions } from "./suggestions.tsx";
import type { Answering, InboxActs } from "./use-inbox-acts.ts";

interface FormProps {
  escalation: Escalation;
  acts: Pick<InboxActs, "resolve" | "isBusy">;
  /** Digits and r are heard. */
  hasKeys?: boolean;
  /** Esc in the text field. */
  onLeave?: () => void;
}

/** Where an entry is answered: with one of its choices, or in words. What was typed is kept until it is sent. */
export function AnswerForm({ escalation, acts, hasKeys = true, onLeave }: FormProps) {
  const { subject, suggestedAnswers } = escalation;
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(escalation.id);
  const [isMissing, setMissing] = useState(false);
  const [asked, setAsked] = useState<ShownAnswer>();
  const [options, setOptions] = useState<Options>({ always: false });
  const isQuestion = subject === undefined;
  const isBusy = acts.isBusy(escalation.id);
  const text = draft.text.trim();
  const send = (body: Answering) => {
    setAsked(undefined);
    acts.resolve(escalation, { ...body, ...(isQuestion ? options : {}) });
  };
  const sendText = (answer: ShownAnswer | undefined) => {
    setMissing(text === "");
    if (text === "") box.current?.focus();
    else if (!isBusy) send({ resolution: text, ...(answer === undefined ? {} : { answer: answer.label }) });
  };
  const choose = (answer: ShownAnswer) => {
    if (isBusy) return;
    if (answer.needs !== undefined) sendText(answer);
    else if (asksFirst(answer)) setAsked(answer);
    else send({ answer: answer.label, ...(isQuestion && text !== "" ? { resolution: text } : {}) });
  };
  const digits = suggestedAnswers.slice(0, 9).map((answer, at) => [String(at + 1), () => choose(answer)]);
  useKeys(
    hasKeys ? { ...Object.fromEntries(digits), r: () => (box.current === null ? false : box.current.focus()) } : {},
  );
  const withText = answerWithText(escalation);
  return (
    <div className="flex flex-col gap-3">
      <Choices escalation={escalation} hasKeys={hasKeys} isBusy={isBusy} onChoose={choose} />
      {isQuestion && <Suggestions escalation={escalation} onUse={draft.write} />}
      {(isQuestion || withText !== undefined) && (
        <AnswerText
          box={box}
          value={draft.text}
          words={textWords(withText?.needs)}
          isMissing={isMissing && text === ""}
          onChange={draft.write}
          onSend={() => sendText(withText)}
          onLeave={onLeave}
        />
      )}
      {withText !== undefined && (
        <Button className="self-end" busy={isBusy} onClick={() => sendText(withText)}>
          {visibleLine(withText.label)}
        </Button>
      )}
      {isQuestion && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {escalation.team == null && <AnswerOptions escalation={escalation} options={options} onChange={setOptions} />}
          <Button kind="primary" className="ml-auto" busy={isBusy} onClick={() => sendText(undefined)}>
            Send answer
          </Button>
        </div>
      )}
      {asked !== undefined && (
        <Confirm
          title={`${visibleLine(asked.label)}?`}
          action={visibleLine(asked.label)}
          danger={false}
          busy={isBusy}
          onConfirm={() => send({ answer: asked.label })}
          onClose={() => setAsked(undefined)}
        >
          <p className="wrap-anywhere">{visibleLine(escalation.question)}</p>
          <p className="text-faint">{visibleText(asked.description)}</p>
        </Confirm>
      )}
    </div>
  );
}

interface TextProps {
  box: React.RefObject<HTMLTextAreaElement | null>;
  value: string;
  words: ReturnType<typeof textWords>;
  isMissing: boolean;
  onChange: (text: string) => void;
  onSend: () => void;
  onLeave: (() => void) | undefined;
}

function AnswerText({ box, value, words, isMissing, onChange, onSend, onLeave }: TextProps) {
  const isAtDesk = useMedia(WIDE);
  const hear = (event: KeyboardEvent) => {
    if (event.key === "Escape" && onLeave !== undefined) {
      // A dialog around it stays open.
      event.preventDefault();
      onLeave();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSend();
  };
  return (
    <TextArea
      ref={box}
      label={words.label}
      hint={isAtDesk ? "Ctrl+Enter sends." : undefined}
      rows={Math.min(8, Math.max(2, value.split("\n").length))}
      maxLength={20_000}
      value={value}
      error={isMissing ? words.missing : undefined}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={hear}
    />
  );
}
