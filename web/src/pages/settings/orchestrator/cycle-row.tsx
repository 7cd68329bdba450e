import type { Cycle } from "../../../../../src/contract/documents/autonomy/orchestrator.ts";
import { HOLD_WORDS } from "../../../../../src/contract/words/autonomy/orchestrator-words.ts";
import { Ago } from "../../../ui/figures.tsx";

type Place = { projectId?: string | undefined; initiative?: string | undefined };

const place = ({ projectId = "", initiative }: Place) =>
  initiative === undefined ? projectId : `${projectId} / ${initiative}`;

function linesOf({ results, order, starts, proposals, held }: Cycle): string[] {
  return [
    ...results.map((one) => `Ended: ${place(one)}, ${one.status}. ${one.summary ?? ""}`),
    ...(order.by === "model" ? [`Order by the model: ${order.why ?? ""}`] : []),
    ...(order.fallback === undefined ? [] : [`Order by the rule: ${order.fallback}`]),
    ...starts.map((one) =>
      one.outcome !== "started"
        ? `Not started: ${place(one)}. ${one.problem ?? ""}`
        : `Started: ${place(one)}. ${one.why}`,
    ),
    ...proposals.map((one) => `Proposed (${one.outcome}): ${one.title}. ${one.problem ?? one.evidence}`),
    ...held.map((one) => `Left: ${place(one)}: ${HOLD_WORDS[one.reason]}`),
  ];
}

/** One cycle: why it ran, what it decided, and why. */
export function CycleRow({ cycle }: { cycle: Cycle }) {
  const lines = linesOf(cycle);
  const { saw, causes } = cycle;
  return (
    <li className="px-4 py-3 text-sm">
      <p className="text-faint">
        <Ago at={cycle.at} /> · {causes.map(({ kind }) => kind).join(", ")} · saw {saw.ready} ready and {saw.blocked}{" "}
        blocked tasks in {saw.initiatives} initiatives
      </p>
      {lines.length === 0 ? (
        <p>Nothing to do.</p>
      ) : (
        <ul className="list-disc pl-5">
          {lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
