import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleDollarSign,
  FileDiff,
  GanttChart,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
  SquareTerminal,
} from "lucide-react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { isOver } from "../../../../src/contract/runs/run-status.ts";
import { activityWords } from "../../../../src/contract/words/activity-words.ts";
import { queries } from "../../api/queries.ts";
import { VerdictBadge } from "../../ui/gate/verdict.tsx";
import { deedsFor } from "./standing.ts";

export const VIEWS = [
  { name: "transcript", title: "Transcript", icon: SquareTerminal },
  { name: "timeline", title: "Timeline", icon: GanttChart },
  { name: "changes", title: "Changes", icon: FileDiff },
  { name: "gate", title: "Gate", icon: ShieldCheck },
  { name: "prompt", title: "Prompt", icon: ScrollText },
  { name: "cost", title: "Cost", icon: CircleDollarSign },
] as const satisfies readonly { name: string; title: string; icon: LucideIcon }[];
export type ViewName = (typeof VIEWS)[number]["name"];

export function namedView(wanted: string | undefined): ViewName | undefined {
  return VIEWS.find(({ name }) => name === wanted)?.name;
}

/** What the person most likely came for, where the address names none. */
export function firstView(run: Run): ViewName {
  return deedsFor(run).decide ? "changes" : "transcript";
}

/** Always in sight, with what the agent does at this moment. */
export function ViewTabs({ run, view }: { run: Run; view: ViewName }) {
  const files = useFileCount(run);
  return (
    <div className="sticky top-0 z-20 border-b border-line bg-paper max-md:top-11">
      <nav aria-label="Run views" className="flex gap-1 overflow-x-auto">
        {VIEWS.map(({ name, title, icon: Icon }, at) => (
          <Link
            key={name}
            to="."
            search={{ view: name }}
            replace
            resetScroll={false}
            title={`Press ${at + 1}`}
            aria-current={name === view ? "page" : undefined}
            className={`flex h-10 shrink-0 items-center gap-1.5 border-b-2 px-2.5 text-sm ${name === view ? "border-accent font-medium text-ink" : "border-transparent text-faint hover:text-ink"}`}
          >
            <Icon size={14} aria-hidden className="max-sm:hidden" />
            {title}
            {name === "gate" && <GateMark run={run} />}
            {name === "changes" && files !== undefined && files > 0 && (
              <span className="rounded-full bg-sunk px-1.5 text-xs text-faint">{files}</span>
            )}
          </Link>
        ))}
      </nav>
      {!isOver(run) && view === "transcript" && <Doing run={run} />}
    </div>
  );
}

/** How the newest gate judged it, where there is one. */
function GateMark({ run }: { run: Run }) {
  const gate = useQuery({
    ...queries.runGates(run.id),
    enabled: isOver(run) && run.delivery !== undefined,
  }).data?.gates.at(-1);
  return gate === undefined ? null : <VerdictBadge state={gate.state} verdict={gate.verdict} />;
}

/** While the run is going, what its files are now, looked at now and then. */
function useFileCount(run: Run): number | undefined {
  const isGoing = !isOver(run) && run.delivery !== undefined;
  const { data } = useQuery({ ...queries.diff(run.id, "running"), enabled: isGoing });
  return isGoing ? data?.files.length : run.delivery?.files;
}

function Doing({ run }: { run: Run }) {
  const idle = run.status === "pending" ? "waiting to start" : "working";
  const words = run.activity === undefined ? idle : activityWords(run.activity);
  return (
    <p role="status" className="flex items-center gap-2 border-t border-line py-1 text-xs text-faint">
      <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-info" />
      <span className="truncate">
        <span className="sr-only">Now: </span>
        {words}
      </span>
    </p>
  );
}
