import { Check, Circle, LoaderCircle, X } from "lucide-react";
import type { Step } from "./make-project.ts";

const SIGNS = {
  waiting: { Icon: Circle, ink: "text-faint", word: "not yet" },
  doing: { Icon: LoaderCircle, ink: "animate-spin text-info", word: "under way" },
  done: { Icon: Check, ink: "text-good", word: "done" },
  failed: { Icon: X, ink: "text-bad", word: "failed" },
} as const;

/** What is done, under way and still to do. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol aria-label="What is done" aria-live="polite" className="flex flex-col gap-1 text-sm">
      {steps.map(({ what, state }) => {
        const { Icon, ink, word } = SIGNS[state];
        return (
          <li key={what} className="flex items-center gap-2">
            <Icon size={14} className={`shrink-0 ${ink}`} aria-hidden />
            <span>
              {what}
              <span className="sr-only">: {word}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
