import { useQuery } from "@tanstack/react-query";
import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";
import { queries } from "../../../api/queries.ts";
import { Figure, FigureGrid, Small } from "../../../ui/figure-grid.tsx";
import { Section } from "../../../ui/page.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { stageLabel } from "../../gate/report-model.ts";
import { scoreText } from "../../gate/report-words.ts";
import { percentText, weakStages } from "./quality-model.ts";
import { ScoreTrend } from "./score-trend.tsx";

type Quality = RouteResponse<"getQuality">;

/** How the gates of a project went; nothing while there were none. */
export function QualityFigures({ project }: { project: string }) {
  const found = useQuery(queries.quality(project));
  return (
    <Loaded query={found} loading={<Loading lines={3} />}>
      {(quality) => (quality.points.length === 0 ? null : <Figures quality={quality} />)}
    </Loaded>
  );
}

function Figures({ quality }: { quality: Quality }) {
  const { points, findings, passedFirst, reviews, averageCycles, escalated } = quality;
  return (
    <>
      <FigureGrid label="Quality">
        <Figure name="Findings resolved">
          {percentText(findings.resolved, findings.total)}
          <Small>
            {findings.resolved} of {findings.total}
          </Small>
        </Figure>
        <Figure name="Passed on the first try">
          {percentText(passedFirst, reviews)}
          <Small>
            {passedFirst} of {reviews}
          </Small>
        </Figure>
        <Figure name="Cycles per change">{averageCycles === null ? "–" : averageCycles.toFixed(1)}</Figure>
        <Figure name="Escalated to you">{escalated}</Figure>
      </FigureGrid>
      <div className="grid gap-6 lg:grid-cols-2">
        <Section title="Score">
          <ScoreTrend points={points} />
        </Section>
        <WeakStages stages={quality.stages} />
      </div>
    </>
  );
}

function WeakStages({ stages }: Pick<Quality, "stages">) {
  const weak = weakStages(stages);
  return (
    <Section title="Weak stages">
      {weak.length === 0 ? (
        <p className="text-sm text-faint">No stage failed.</p>
      ) : (
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-faint">
            <tr>
              <th scope="col" className="py-1 font-normal">
                Stage
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                Failed
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                Average score
              </th>
            </tr>
          </thead>
          <tbody>
            {weak.map(({ name, failed, judged, score }) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="py-1.5 text-left font-medium">
                  {stageLabel(name)}
                </th>
                <td className="py-1.5 text-right tabular-nums">
                  {failed} of {judged}
                </td>
                <td className="py-1.5 text-right tabular-nums">{score === null ? "–" : scoreText(score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
