import { useState } from "react";
import type { Criterion } from "../../../../src/contract/documents/task.ts";
import type { ChangeCriteria } from "./use-criteria.ts";

/** Whether a criterion is met, for a person to say. */
export function CriterionTick({ criterion: { text, done }, change }: { criterion: Criterion; change: ChangeCriteria }) {
  /** Shown before it is saved. */
  const [ticked = done, setTicked] = useState<boolean>();
  const tick = async (isDone: boolean) => {
    setTicked(isDone);
    await change({ kind: "tick", text, done: isDone });
    setTicked(undefined);
  };
  return (
    <label className="flex min-w-0 flex-1 items-start gap-2">
      <input
        type="checkbox"
        checked={ticked}
        onChange={(event) => void tick(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className={ticked ? "text-faint line-through" : ""}>
        <bdi>{text}</bdi>
      </span>
    </label>
  );
}
