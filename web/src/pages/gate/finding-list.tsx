import { useMemo, useState } from "react";
import { SelectField } from "../../ui/field.tsx";
import { plural } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Windowed } from "../run/windowed.tsx";
import { FindingItem } from "./finding-item.tsx";
import { isBlocking, isStanding, type PlacedFinding } from "./report-model.ts";

const SHOWN = { standing: "Open", blocking: "Blocking", settled: "Settled", all: "All" } as const;
type Shown = keyof typeof SHOWN;

const FITS: Record<Shown, (finding: PlacedFinding) => boolean> = {
  standing: isStanding,
  blocking: isBlocking,
  settled: (finding) => !isStanding(finding),
  all: () => true,
};

interface ListProps {
  findings: readonly PlacedFinding[];
  runId?: string | undefined;
  onWaive?: ((finding: PlacedFinding) => void) | undefined;
  isRunning: boolean;
}

/** Worst first. However many there are, only those near the window are drawn. */
export function FindingList({ findings, runId, onWaive, isRunning }: ListProps) {
  const hasStanding = findings.some(isStanding);
  const [chosen, setShown] = useState<Shown>();
  const shown = chosen ?? (hasStanding ? "standing" : "all");
  const [from, setFrom] = useState("");
  const rows = useMemo(
    () => findings.filter((finding) => FITS[shown](finding) && (from === "" || finding.from === from)),
    [findings, shown, from],
  );
  if (findings.length === 0)
    return (
      <Section title="Findings">
        <p className="text-sm text-faint">{isRunning ? "No findings so far." : "No findings."}</p>
      </Section>
    );
  const sources = [...new Set(findings.map((finding) => finding.from))];
  return (
    <Section
      title="Findings"
      count={rows.length}
      actions={
        <>
          <SelectField label="State" hideLabel value={shown} onChange={({ target }) => setShown(target.value as Shown)}>
            {(Object.keys(SHOWN) as Shown[]).map((name) => (
              <option key={name} value={name}>
                {SHOWN[name]} ({findings.filter(FITS[name]).length})
              </option>
            ))}
          </SelectField>
          {sources.length > 1 && (
            <SelectField label="Stage" hideLabel value={from} onChange={({ target }) => setFrom(target.value)}>
              <option value="">All stages</option>
              {sources.map((source) => (
                <option key={source} value={source}>
                  {source}
                </option>
              ))}
            </SelectField>
          )}
        </>
      }
    >
      {rows.length === 0 ? (
        <Empty title={`${plural(findings.length, "finding")}, none of them matches these filters.`} />
      ) : (
        <Windowed rows={rows} keyOf={keyOf} estimate={92} label="Findings" above={16}>
          {(finding) => (
            <div className="pb-2">
              <div
                className={`rounded-lg border border-l-4 border-line bg-card px-3 py-2 ${isBlocking(finding) ? "border-l-bad" : isStanding(finding) ? "border-l-warn" : ""}`}
              >
                <FindingItem finding={finding} runId={runId} onWaive={onWaive} />
              </div>
            </div>
          )}
        </Windowed>
      )}
    </Section>
  );
}

const keyOf = ({ from, id }: PlacedFinding) => `${from} ${id}`;
