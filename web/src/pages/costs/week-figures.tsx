import { useQuery } from "@tanstack/react-query";
import type { WeekFigures } from "../../../../src/contract/documents/autonomy/figures.ts";
import { queries } from "../../api/queries.ts";
import { durationText, moneyText } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";

interface Chart {
  title: string;
  /** Null: there is nothing to show for the week. */
  value: (week: WeekFigures) => number | null;
  text: (value: number) => string;
}

const HOUR_MS = 3_600_000;
const percent = (value: number) => `${Math.round(value * 100)}%`;
const share = (part: number, of: number) => (of === 0 ? null : part / of);

const CHARTS: readonly Chart[] = [
  { title: "Tasks done", value: ({ tasksDone }) => tasksDone, text: String },
  {
    title: "Cycle time, median",
    value: ({ cycleHours }) => cycleHours,
    text: (hours) => durationText(hours * HOUR_MS),
  },
  { title: "Gates passed first time", value: ({ firstPass, judged }) => share(firstPass, judged), text: percent },
  { title: "Tasks reworked", value: ({ reworked, tasksDone }) => share(reworked, tasksDone), text: percent },
  { title: "Questions asked", value: ({ asked }) => asked, text: String },
  { title: "Questions avoided", value: ({ avoided }) => avoided, text: String },
  { title: "Cost per finished task", value: ({ costPerTaskUsd }) => costPerTaskUsd, text: (usd) => moneyText(usd) },
];

const [WIDTH, HEIGHT] = [160, 48];

/** How work went over the last weeks. */
export function Weeks({ project }: { project: string }) {
  const figures = useQuery(queries.figures(project === "" ? {} : { project }));
  return (
    <Section title="By week">
      <Loaded query={figures}>
        {({ total }) =>
          total.every(
            ({ tasksDone, judged, asked, avoided, costUsd }) => tasksDone + judged + asked + avoided + costUsd === 0,
          ) ? (
            <p className="text-sm text-faint">No finished work in the last {total.length} weeks.</p>
          ) : (
            <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
              {CHARTS.map((chart) => (
                <WeekChart key={chart.title} chart={chart} weeks={total} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

/** A bar for each week. The table beside it, for those who do not see it, says the same. */
function WeekChart({ chart: { title, value, text }, weeks }: { chart: Chart; weeks: readonly WeekFigures[] }) {
  const values = weeks.map(value);
  const top = Math.max(...values.map((one) => one ?? 0)) || 1;
  const step = WIDTH / Math.max(1, weeks.length);
  const last = values.findLast((one) => one !== null) ?? null;
  return (
    <Card className="p-4">
      <figure>
        <figcaption className="text-sm text-faint">{title}</figcaption>
        <p className="text-lg font-semibold tabular-nums">{last === null ? "–" : text(last)}</p>
        <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="mt-2 h-12 w-full" preserveAspectRatio="none">
          <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
          {values.map((one, at) => {
            const height = ((one ?? 0) / top) * (HEIGHT - 2);
            const week = weeks[at]?.week ?? "";
            return (
              <rect
                key={week}
                x={at * step + step * 0.15}
                y={HEIGHT - height}
                width={step * 0.7}
                height={height}
                className="fill-accent"
              >
                <title>{`${week}: ${one === null ? "–" : text(one)}`}</title>
              </rect>
            );
          })}
        </svg>
        <table className="sr-only">
          <caption>{title} by week</caption>
          <tbody>
            {weeks.map((week, at) => (
              <tr key={week.week}>
                <th scope="row">{week.week}</th>
                <td>{values[at] === null || values[at] === undefined ? "–" : text(values[at])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
    </Card>
  );
}
