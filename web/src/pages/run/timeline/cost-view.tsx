import { useMemo } from "react";
import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { countText, Money, moneyText } from "../../../ui/figures.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { SetPriceButton } from "../../../ui/set-price.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { useTranscript } from "../transcript/use-transcript.ts";
import { type CostLine, costLines } from "./cost-model.ts";
import { useMore } from "./more-rows.tsx";

export default function CostView({ run }: { run: Run }) {
  const entries = useTranscript(run.id);
  return <Loaded query={entries}>{(data) => <Shown run={run} entries={data} />}</Loaded>;
}

function Shown({ run, entries }: { run: Run; entries: readonly JournalEntry[] }) {
  const lines = useMemo(() => costLines(entries, run), [entries, run]);
  const { shown, more } = useMore(lines, "calls");
  if (lines.length === 0)
    return <Empty title="No costs yet.">Every model call is listed here with its tokens and cost.</Empty>;
  const number = "py-1.5 pl-3 text-right tabular-nums whitespace-nowrap";
  const { usage } = run;
  return (
    <ScrollBox label="Costs by turn" look="card">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Tokens and cost of each model call</caption>
        <thead>
          <tr className="border-b border-line text-xs text-faint">
            <th scope="col" className="py-2 text-left font-medium">
              Call
            </th>
            {["Input", "Cached", "Output", "Cost", "Running total"].map((name) => (
              <th key={name} scope="col" className="py-2 pl-3 text-right font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line, at) => (
            <CostRow key={line.key} line={line} isSameModel={line.model === shown[at - 1]?.model} number={number} />
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="py-2 text-left">
              Total
            </th>
            <td className={number}>{countText(usage.inputTokens)}</td>
            <td className={number}>{countText(usage.cacheReadTokens)}</td>
            <td className={number}>{countText(usage.outputTokens)}</td>
            <td className={number}>
              <Money usd={usage.costUsd} known={usage.costKnown} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
      {more}
      {!usage.costKnown && (
        <p className="pb-2 text-xs text-faint">
          ≈ Estimated: the model has no price. <SetPriceButton model={run.model} />
        </p>
      )}
    </ScrollBox>
  );
}

function CostRow({ line, isSameModel, number }: { line: CostLine; isSameModel: boolean; number: string }) {
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1.5 text-left font-normal">
        {line.name}
        {!isSameModel && <span className="block text-xs text-faint">{line.model}</span>}
      </th>
      <td className={number}>{countText(line.input)}</td>
      <td className={`${number} text-faint`}>{countText(line.cached)}</td>
      <td className={number}>{countText(line.output)}</td>
      <td className={number}>{moneyText(line.costUsd, line.isKnown)}</td>
      <td className={`${number} text-faint`}>{moneyText(line.totalUsd)}</td>
    </tr>
  );
}
