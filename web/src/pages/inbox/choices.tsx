import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import type { ShownAnswer } from "./answer-rules.ts";

interface ChoicesProps {
  escalation: Escalation;
  hasKeys: boolean;
  isBusy: boolean;
  onChoose: (answer: ShownAnswer) => void;
}

const MOST_DIGITS = 9;

/** The suggested answers, or of a derived entry what can be done; each with its digit. */
export function Choices({ escalation: { suggestedAnswers, subject }, hasKeys, isBusy, onChoose }: ChoicesProps) {
  if (suggestedAnswers.length === 0) return null;
  return (
    <ol aria-label={subject === undefined ? "Suggested answers" : "Actions"} className="flex flex-col gap-2">
      {suggestedAnswers.map((answer, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same label
        <li key={`${at} ${answer.label}`}>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => onChoose(answer)}
            title={hasKeys && at < MOST_DIGITS ? `Press ${at + 1}` : undefined}
            className="flex w-full items-start gap-2.5 rounded-md border border-line bg-card px-3 py-2 text-left text-sm hover:border-accent hover:bg-accent-soft disabled:opacity-60"
          >
            {at < MOST_DIGITS && (
              <kbd
                aria-hidden
                className="mt-px min-w-5 shrink-0 rounded border border-line bg-sunk px-1 text-center text-xs text-faint"
              >
                {at + 1}
              </kbd>
            )}
            <span className="min-w-0 flex-1">
              <bdi className="font-medium wrap-anywhere">{visibleLine(answer.label)}</bdi>
              {answer.description !== "" && (
                <span dir="auto" className="block text-xs whitespace-pre-line text-faint wrap-anywhere">
                  {visibleText(answer.description)}
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
