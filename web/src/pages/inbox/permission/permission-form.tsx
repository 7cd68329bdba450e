import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Escalation } from "../../../../../src/contract/documents/escalation.ts";
import { queries } from "../../../api/queries.ts";
import { useKeys } from "../../../shell/keys.ts";
import { TextArea } from "../../../ui/field.tsx";
import { visibleText } from "../../../ui/text/visible-text.ts";
import { useDraft } from "../../run/diff/use-draft.ts";
import type { ShownAnswer } from "../answer-rules.ts";
import type { InboxActs } from "../use-inbox-acts.ts";
import { AlwaysDialog } from "./always-dialog.tsx";
import { actWords, hourWords } from "./permission-words.ts";

interface FormProps {
  escalation: Escalation;
  acts: Pick<InboxActs, "resolve" | "isBusy">;
  /**
   * Where digits answer: `page` anywhere on the page, `within` only while the focus is in the form, because digits switch
   * tabs on the rest of that page.
   */
  keys: "page" | "within";
  /** Esc in the text field. */
  onLeave?: (() => void) | undefined;
}

const HOURS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Allows or refuses one call. The remark is sent to the agent with the answer. */
export function PermissionForm({ escalation, acts, keys, onLeave }: FormProps) {
  const { id, suggestedAnswers } = escalation;
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(id);
  const { hours, setHours, isAsking, setAsking, send, choose, digit } = useAnswering(escalation, acts, draft.text);
  useDigits(keys === "page", { digit, remark: () => box.current?.focus() });
  const hear = (event: KeyboardEvent) => {
    if (keys === "within" && !isField(event.target) && digit(event)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears digits on behalf of the buttons in it
    <div className="flex flex-col gap-3" onKeyDown={hear}>
      <ol aria-label="Answers" className="flex flex-col gap-2">
        {suggestedAnswers.map((answer, at) => (
          <li key={answer.label} className="flex items-stretch gap-2">
            <AnswerButton
              answer={answer}
              title={actWords(answer.label, hours)}
              description={answer.label === "hour" ? hourWords(escalation) : answer.description}
              digit={at + 1}
              isBusy={acts.isBusy(id)}
              onChoose={() => choose(answer)}
            />
            {answer.label === "hour" && <Hours hours={hours} onChange={setHours} />}
          </li>
        ))}
      </ol>
      <Remark box={box} text={draft.text} onChange={draft.write} onLeave={onLeave} />
      {isAsking && (
        <AlwaysDialog
          escalation={escalation}
          isBusy={acts.isBusy(id)}
          onConfirm={() => send("always")}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function useAnswering(escalation: Escalation, acts: FormProps["acts"], written: string) {
  const [chosen, setHours] = useState<number>();
  const [isAsking, setAsking] = useState(false);
  const usual = useUsualHours();
  const hours = chosen ?? usual;
  const send = (answer: string) => {
    setAsking(false);
    const remark = written.trim();
    acts.resolve(escalation, {
      ...{ answer, ...(answer === "hour" ? { hours } : {}) },
      ...(remark === "" ? {} : { resolution: remark }),
    });
  };
  const choose = ({ label }: ShownAnswer) => {
    if (acts.isBusy(escalation.id)) return;
    if (label === "always") setAsking(true);
    else send(label);
  };
  const digit = (event: Pressed): boolean => {
    const answer = escalation.suggestedAnswers[Number(event.key) - 1];
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    // A key that is held down must not answer the next request too.
    if (answer === undefined || isCommand || event.repeat) return false;
    choose(answer);
    return true;
  };
  return { hours, setHours, isAsking, setAsking, send, choose, digit };
}

interface RemarkProps {
  box: React.RefObject<HTMLTextAreaElement | null>;
  text: string;
  onChange: (text: string) => void;
  onLeave: (() => void) | undefined;
}

function Remark({ box, text, onChange, onLeave }: RemarkProps) {
  return (
    <TextArea
      ref={box}
      label="Remark for the agent (optional)"
      hint="Sent with your answer. If you refuse, say what to do instead."
      rows={Math.min(8, Math.max(1, text.split("\n").length))}
      maxLength={20_000}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || onLeave === undefined) return;
        // A dialog around it stays open.
        event.preventDefault();
        onLeave();
      }}
    />
  );
}

/** As set in config.yml. */
function useUsualHours(): number {
  const { data } = useQuery(queries.settings());
  const set = data?.settings.find(({ key }) => key === "permissions.hours")?.value;
  return typeof set === "number" ? set : 1;
}

type Pressed = Pick<globalThis.KeyboardEvent, "key" | "repeat" | "ctrlKey" | "metaKey" | "altKey">;

interface Heard {
  digit: (event: Pressed) => boolean;
  remark: () => void;
}

function useDigits(isHeard: boolean, { digit, remark }: Heard): void {
  const heard = (event: globalThis.KeyboardEvent) => (digit(event) ? undefined : false);
  const digits = { "1": heard, "2": heard, "3": heard, "4": heard, "5": heard };
  useKeys(isHeard ? { ...digits, r: remark } : {});
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

interface AnswerProps {
  answer: ShownAnswer;
  title: string;
  description: string;
  digit: number;
  isBusy: boolean;
  onChoose: () => void;
}

function AnswerButton({ answer: { label }, title, description, digit, isBusy, onChoose }: AnswerProps) {
  const look = label === "no" ? "hover:border-bad hover:bg-bad-soft" : "hover:border-accent hover:bg-accent-soft";
  return (
    <button
      type="button"
      disabled={isBusy}
      onClick={onChoose}
      title={`Press ${digit}`}
      className={`flex min-w-0 flex-1 items-start gap-2.5 rounded-md border border-line bg-card px-3 py-2 text-left text-sm disabled:opacity-60 ${look}`}
    >
      <kbd
        aria-hidden
        className="mt-px min-w-5 shrink-0 rounded border border-line bg-sunk px-1 text-center text-xs text-faint"
      >
        {digit}
      </kbd>
      <span className="min-w-0 flex-1">
        <span className={`font-medium ${label === "no" ? "text-bad" : ""}`}>{title}</span>
        {description !== "" && (
          <span className="block text-xs whitespace-pre-line text-faint wrap-anywhere">{visibleText(description)}</span>
        )}
      </span>
    </button>
  );
}

function Hours({ hours, onChange }: { hours: number; onChange: (hours: number) => void }) {
  return (
    <label className="flex shrink-0 flex-col justify-center text-xs text-faint">
      Hours
      <select
        className="h-7 rounded-md border border-edge bg-card px-1.5 text-sm text-ink"
        value={hours}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {[...new Set([...HOURS, hours])]
          .toSorted((a, b) => a - b)
          .map((each) => (
            <option key={each}>{each}</option>
          ))}
      </select>
    </label>
  );
}
