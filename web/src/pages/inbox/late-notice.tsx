import { Button } from "../../ui/button.tsx";
import { useDraft } from "../run/diff/use-draft.ts";

interface LateProps {
  id: string;
  /** An answer was sent, and refused because there was one already. */
  wasRefused: boolean;
}

/** Somebody else was faster: says so, and keeps what was typed until the person removes it. */
export function LateNotice({ id, wasRefused }: LateProps) {
  const draft = useDraft(id);
  const hasText = draft.text.trim() !== "";
  if (!hasText && !wasRefused) return null;
  return (
    <div role="status" className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      <p className="font-medium text-warn">Closed before you answered. Your answer was not recorded.</p>
      {hasText && (
        <>
          <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{draft.text}</p>
          <Button size="small" className="mt-1" onClick={() => draft.write("")}>
            Discard my text
          </Button>
        </>
      )}
    </div>
  );
}
