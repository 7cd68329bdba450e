import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, CornerDownRight } from "lucide-react";
import { useState } from "react";
import type { Run } from "../../../../src/contract/runs/run.ts";
import { runLine } from "../../../../src/contract/runs/run-line.ts";
import { Ago, Money, plural } from "../../ui/figures.tsx";
import { RoleName } from "../../ui/run/role-name.tsx";
import { RunBadge } from "../../ui/run/status.tsx";
import { type Relative, runsOfTask, treeOf } from "./family-model.ts";

/** The other runs of its task: who started it, whom it started, and the tries before and after. */
export function RunFamily({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState<boolean>();
  const { data } = useQuery(runsOfTask(run));
  const tree = treeOf(data?.runs ?? []);
  if (tree.length < 2) return null;
  const children = tree.filter(({ run: each }) => each.parentRunId === run.id).length;
  const isShown = isOpen ?? (children > 0 || run.parentRunId !== undefined);
  return (
    <section aria-label="Runs of this task" className="rounded-lg border border-line bg-card">
      <h2>
        <button
          type="button"
          aria-expanded={isShown}
          onClick={() => setOpen(!isShown)}
          className="flex min-h-9 w-full items-center gap-2 px-3 text-left text-sm"
        >
          <ChevronRight size={14} aria-hidden className={`text-faint ${isShown ? "rotate-90" : ""}`} />
          <span className="font-medium">{plural(tree.length, "run")} of this task</span>
          {children > 0 && <span className="text-faint">{plural(children, "subagent")} of this run</span>}
        </button>
      </h2>
      {isShown && (
        <ul className="border-t border-line">
          {tree.map((relative) => (
            <FamilyRow key={relative.run.id} relative={relative} isThis={relative.run.id === run.id} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FamilyRow({ relative: { run, depth }, isThis }: { relative: Relative; isThis: boolean }) {
  return (
    <li
      className={`flex flex-wrap items-center gap-x-2 border-b border-line px-3 py-1.5 text-sm last:border-b-0 ${isThis ? "bg-sunk" : ""}`}
      style={{ paddingLeft: `${0.85 + depth * 1.25}rem` }}
    >
      {depth > 0 && <CornerDownRight size={14} aria-label="started by the run above" className="text-faint" />}
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        aria-current={isThis ? "page" : undefined}
        className={`min-w-0 hover:underline ${isThis ? "font-medium" : ""}`}
      >
        {run.title}
      </Link>
      <RunBadge run={runLine(run)} />
      <span className="ml-auto flex gap-3 text-xs text-faint">
        <RoleName id={run.roleId} />
        <Money usd={run.usage.costUsd} known={run.usage.costKnown} />
        <Ago at={run.createdAt} />
      </span>
    </li>
  );
}
