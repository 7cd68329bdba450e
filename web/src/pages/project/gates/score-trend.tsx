import { Link } from "@tanstack/react-router";
import { GATE_VERDICT_WORDS, type GateVerdict } from "../../../../../src/contract/words/gate-words.ts";
import { scoreText } from "../../gate/report-words.ts";
import { linePath, placed, type TrendPoint } from "./quality-model.ts";

const SIZE = { width: 640, height: 130, edge: 8 };
const INKS: Record<GateVerdict, string> = {
  pass: "fill-good",
  fail: "fill-bad",
  unable: "fill-warn",
  skipped: "fill-edge",
};
const LINES = [0, 50, 100];
const MOST_LISTED = 100;

/** The scores of the newest gates, oldest first. The table beside it, for those who do not see it, says the same. */
export function ScoreTrend({ points }: { points: readonly TrendPoint[] }) {
  const dots = placed(points, SIZE);
  const bottom = SIZE.height - SIZE.edge;
  return (
    <figure className="relative overflow-hidden rounded-lg border border-line bg-card p-3">
      <svg aria-hidden viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} className="h-auto w-full">
        {LINES.map((score) => {
          const y = SIZE.edge + (1 - score / 100) * (SIZE.height - 2 * SIZE.edge);
          return <line key={score} x1={0} x2={SIZE.width} y1={y} y2={y} className="stroke-line" />;
        })}
        <path d={linePath(dots)} fill="none" strokeWidth={1.5} className="stroke-edge" />
        {dots.map(({ x, y, point }) => (
          <circle
            key={point.gateId}
            cx={x}
            cy={y ?? bottom}
            r={y === undefined ? 2.5 : 4}
            className={INKS[point.verdict]}
          >
            <title>{`${new Date(point.at).toLocaleString()}: ${wordsOf(point)}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-faint">
        <span>0 to 100, the newest on the right</span>
        {(["pass", "fail", "unable"] as const).map((verdict) => (
          <span key={verdict} className="inline-flex items-center gap-1">
            <svg aria-hidden viewBox="0 0 8 8" className="size-2">
              <circle cx={4} cy={4} r={4} className={INKS[verdict]} />
            </svg>
            {GATE_VERDICT_WORDS[verdict]}
          </span>
        ))}
      </figcaption>
      <table className="sr-only">
        <caption>Scores of the newest gates</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {points.slice(-MOST_LISTED).map((point) => (
            <tr key={point.gateId}>
              <th scope="row">
                <Link to="/gates/$gateId" params={{ gateId: point.gateId }} tabIndex={-1}>
                  {new Date(point.at).toLocaleString()}
                </Link>
              </th>
              <td>{wordsOf(point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function wordsOf({ verdict, score, taskId }: TrendPoint): string {
  const task = taskId === undefined ? "" : `, ${taskId}`;
  return `${GATE_VERDICT_WORDS[verdict]}${score === null ? "" : `, score ${scoreText(score)}`}${task}`;
}
