import { useId } from "react";
import { Button } from "./button.tsx";
import { ScrollBox } from "./scroll-box.tsx";

interface MeanwhileProps {
  /** What was changed, as a sentence begins. */
  what: string;
  /** As somebody else left it; without it, it is shown elsewhere. */
  theirs?: string;
  onTake: () => void;
  onKeep: () => void;
}

/** Somebody else changed what the person is writing. Neither is lost before the person chooses. */
export function Meanwhile({ what, theirs, onTake, onKeep }: MeanwhileProps) {
  const id = useId();
  return (
    <div role="alert" aria-labelledby={id} className="rounded-md border border-line bg-warn-soft px-3 py-2 text-sm">
      <p id={id} className="font-medium text-warn">
        {what} changed while you were editing.{theirs !== undefined && " Current version:"}
      </p>
      {theirs !== undefined && (
        <ScrollBox label="Current version" className="mt-1 max-h-40 whitespace-pre-wrap">
          {theirs === "" ? "(empty)" : theirs}
        </ScrollBox>
      )}
      <p className="mt-1 text-faint">Your version isn't saved yet.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" onClick={onTake}>
          Use current version
        </Button>
        <Button size="small" onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}
