import type { Run } from "../../../../../src/contract/runs/run.ts";
import { plural } from "../../../ui/figures.tsx";
import { changedNothing } from "../standing.ts";

export interface Seen {
  words: string;
  /** The agent says that all of it is done. */
  contradicts: boolean;
}

/** What the hall itself saw that casts a doubt on a report; never taken from the agent's words. */
export function hallSaw(run: Pick<Run, "delivery" | "calls" | "result" | "purpose">): Seen | undefined {
  const { total = 0, failed = 0 } = run.calls ?? {};
  const isUnchanged = run.purpose === "work" && changedNothing(run);
  const parts = [
    ...(isUnchanged ? ["no files changed"] : []),
    ...(failed > 0 ? [`${failed} of ${plural(total, "tool call")} failed`] : []),
  ];
  if (parts.length === 0) return undefined;
  // A call that fails on the way is nothing unusual; most of them are.
  const contradicts = run.result?.outcome === "full" && (isUnchanged || failed * 2 > total);
  return { words: `Verified: ${parts.join("; ")}`, contradicts };
}
