import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Task } from "../../../../../src/contract/documents/task.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { useMedia, WIDE } from "../../../ui/hooks/use-media.ts";
import { Section } from "../../../ui/page.tsx";
import { countOf } from "../../task/criteria.ts";
import { CriterionTick } from "../../task/criterion-tick.tsx";
import { useCriteria } from "../../task/use-criteria.ts";

/** By what the result is measured, to be ticked where it is looked at; on a phone it is folded, so that there is room for that. */
export function ReviewCriteria({ run }: { run: Run }) {
  const task = useQuery(queries.task(run.projectId, run.taskId)).data?.task;
  return task === undefined || task.acceptanceCriteria.length === 0 ? null : <Criteria task={task} />;
}

function Criteria({ task }: { task: Task }) {
  const { change, problem } = useCriteria(task);
  const { done, total } = countOf(task.acceptanceCriteria);
  const isWide = useMedia(WIDE);
  const [isOpen = isWide, setOpen] = useState<boolean>();
  return (
    <Section
      title="Acceptance criteria"
      actions={
        <Button
          kind="ghost"
          size="small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className={`-my-1 -mr-2 ${done < total ? "text-warn" : ""}`}
        >
          {done} of {total} met
          <ChevronDown size={14} aria-hidden className={isOpen ? "rotate-180" : ""} />
        </Button>
      }
    >
      <div className="rounded-lg border border-line bg-card px-4 py-2 text-sm" hidden={!isOpen}>
        <ul className="flex max-h-40 flex-col overflow-y-auto">
          {task.acceptanceCriteria.map((criterion, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text
            <li key={`${index} ${criterion.text}`} className="flex py-1">
              <CriterionTick criterion={criterion} change={change} />
            </li>
          ))}
        </ul>
        {problem !== undefined && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
      </div>
    </Section>
  );
}
