import type { Task } from "../../../../src/contract/task.ts";
import { Ago } from "../../ui/figures.tsx";
import { taskWords } from "../../ui/run/status.tsx";

const who: Record<string, string> = { person: "You", agent: "An agent", daemon: "The hall" };

/** Who brought the task from where to where, the newest first. */
export function TaskHistory({ history }: { history: Task["history"] }) {
  return (
    <ol className="flex flex-col gap-1 text-sm">
      {history.toReversed().map(({ at, from, to, by }) => (
        <li key={`${at} ${to}`} className="flex flex-wrap items-baseline gap-x-2">
          <span>
            {who[by] ?? by} {from === null ? "created it as " : "moved it from "}
            {from !== null && (
              <>
                <strong className="font-medium">{taskWords[from].toLowerCase()}</strong> to{" "}
              </>
            )}
            <strong className="font-medium">{taskWords[to].toLowerCase()}</strong>
          </span>
          <Ago at={at} className="text-xs text-faint" />
        </li>
      ))}
    </ol>
  );
}
