import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Usage } from "../../../../../src/contract/runs/model-call.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { pricedAs } from "./timeline-model.ts";

export interface CostLine {
  key: string;
  name: string;
  model: string;
  input: number;
  cached: number;
  output: number;
  costUsd: number;
  isKnown: boolean;
  /** With all that came before. */
  totalUsd: number;
}

/** What each call of a model took, in order: turns, summaries, and at the end what no entry of the journal tells. */
export function costLines(entries: readonly JournalEntry[], run: Pick<Run, "usage" | "reflection">): CostLine[] {
  const lines: CostLine[] = [];
  const add = (line: Omit<CostLine, "totalUsd">) =>
    lines.push({ ...line, totalUsd: (lines.at(-1)?.totalUsd ?? 0) + line.costUsd });
  let turn = 0;
  entries.forEach((entry, at) => {
    if (entry.type !== "answer" && entry.type !== "summary") return;
    const name = entry.type === "answer" ? `Turn ${++turn}` : "Summary of older turns";
    const { model, costUsd, usage } = entry;
    add({ key: `e${at}`, name, model, ...pricedAs(costUsd, usage), ...tokensOf(usage) });
  });
  const { reflection } = run;
  if (reflection !== undefined)
    add({
      key: "reflection",
      name: "Reflection",
      model: "",
      input: reflection.inputTokens,
      cached: reflection.cacheReadTokens,
      output: reflection.outputTokens,
      costUsd: reflection.costUsd,
      isKnown: reflection.costKnown,
    });
  const rest = restOf(lines, run.usage);
  if (rest !== undefined)
    add({ key: "rest", name: "Interrupted or pending calls", model: "", isKnown: run.usage.costKnown, ...rest });
  return lines;
}

function tokensOf({ input, output, cacheRead }: Usage) {
  return { input, cached: cacheRead, output };
}

const LEAST_USD = 0.000_05;

/** The ledger also knows what was paid for answers that never came. */
function restOf(lines: readonly CostLine[], usage: Run["usage"]) {
  const left = {
    input: usage.inputTokens - sum(lines, ({ input }) => input),
    cached: usage.cacheReadTokens - sum(lines, ({ cached }) => cached),
    output: usage.outputTokens - sum(lines, ({ output }) => output),
    costUsd: usage.costUsd - (lines.at(-1)?.totalUsd ?? 0),
  };
  const isMore = left.input > 0 || left.output > 0 || left.costUsd > LEAST_USD;
  return isMore && left.input >= 0 && left.output >= 0 && left.costUsd > -LEAST_USD
    ? { ...left, cached: Math.max(0, left.cached), costUsd: Math.max(0, left.costUsd) }
    : undefined;
}

export function sum<Line>(lines: readonly Line[], of: (line: Line) => number): number {
  return lines.reduce((total, line) => total + of(line), 0);
}
