import { useState } from "react";
import { beginningOf, visibleLine, visibleText } from "../../ui/text/visible-text.ts";

const SHORT = { lines: 3, longest: 320 };

/** A name is usually taken from the first line. */
function withoutTitle(goal: string, name: string): string {
  const [first = "", ...rest] = goal.split("\n");
  return first.trim() === name.trim() ? rest.join("\n").trim() : goal;
}

/** The goal in the person's own words; a name that says all of it is not repeated. */
export function TeamGoal({ goal, name }: { goal: string; name: string }) {
  const [isWhole, setWhole] = useState(false);
  const text = withoutTitle(visibleText(goal.trim()), visibleLine(name));
  if (text === "") return null;
  const beginning = beginningOf(text, SHORT);
  return (
    <p dir="auto" className="-mt-1 max-w-prose text-sm whitespace-pre-line wrap-anywhere">
      <span className="sr-only">Goal: </span>
      {isWhole || beginning === undefined ? text : `${beginning.text.trimEnd()}… `}
      {beginning !== undefined && !isWhole && (
        <button type="button" onClick={() => setWhole(true)} className="text-accent underline">
          Show all
        </button>
      )}
    </p>
  );
}
