import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { TEAM_TASK_STATES, type TeamTaskState } from "../../../../src/contract/words/teams/team-words.ts";
import { countText } from "../../ui/figures.tsx";
import { progressWords, totalOf } from "./team-model.ts";

const GROUNDS: Record<TeamTaskState, string> = {
  merged: "bg-good",
  review: "bg-accent",
  working: "bg-info",
  blocked: "bg-warn",
  failed: "bg-bad",
  waiting: "bg-line",
  "left-out": "bg-line",
};

/** What is finished stands at the left. */
const ORDER = (Object.keys(GROUNDS) as TeamTaskState[]).filter((state) => TEAM_TASK_STATES.includes(state));

/** How many tasks are merged, at work and still to do. */
export function ProgressBar({ tasks }: { tasks: Team["tasks"] }) {
  const total = totalOf(tasks);
  if (total === 0) return <p className="text-xs text-faint">No tasks yet</p>;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-faint tabular-nums sm:text-right">
        {countText(tasks.merged)} of {countText(total)} merged
      </p>
      <div
        role="img"
        aria-label={progressWords(tasks)}
        title={progressWords(tasks)}
        className="flex h-1.5 gap-px overflow-hidden rounded-full bg-line"
      >
        {ORDER.map(
          (state) =>
            tasks[state] > 0 && (
              <span key={state} className={GROUNDS[state]} style={{ width: `${(tasks[state] / total) * 100}%` }} />
            ),
        )}
      </div>
    </div>
  );
}
