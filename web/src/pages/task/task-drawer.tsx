import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Task } from "../../../../src/contract/documents/task.ts";
import { failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { useKeys } from "../../shell/keys.ts";
import { showPanel } from "../../shell/panels.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Section } from "../../ui/page.tsx";
import { ReviewLine, useReviews } from "../../ui/run/reviews.tsx";
import { taskWords } from "../../ui/run/status.tsx";
import { Loaded, Trouble } from "../../ui/states.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { QuestionBox } from "../inbox/question-box.tsx";
import { Findings } from "../run/review/findings.tsx";
import { countOf, openThough } from "./criteria.ts";
import { CriteriaList } from "./criteria-list.tsx";
import { EditableText } from "./editable-text.tsx";
import { SpawnDialog } from "./task-dialogs.ts";
import { TaskFacts } from "./task-facts.tsx";
import { TaskResult, TaskRuns } from "./task-runs.tsx";

interface DrawerProps {
  projectId: string;
  taskId: string;
  /** Its description is to be changed. */
  isEditing?: boolean;
  onClose: () => void;
}

/** A task with all that belongs to it, over whichever page of its project. */
export function TaskDrawer({ projectId, taskId, isEditing = false, onClose }: DrawerProps) {
  const task = useQuery(queries.task(projectId, taskId));
  const [isSpawning, setSpawning] = useState(false);
  // What was read of it before is not what stands in its file now. What was typed is kept.
  const isBroken = task.error !== null && failureOf(task.error).code === "file_invalid";
  return (
    <Dialog
      title={taskId}
      look="drawer"
      onClose={onClose}
      head={
        !isBroken && (
          <>
            <Button size="small" onClick={() => showPanel("start-team", { projectId, taskId })}>
              Start a team
            </Button>
            <Button size="small" kind="primary" onClick={() => setSpawning(true)} title="Press s">
              <Play size={14} aria-hidden />
              Start an agent
            </Button>
          </>
        )
      }
    >
      {isBroken ? (
        <Trouble error={task.error} />
      ) : (
        <Loaded query={task}>
          {({ task: found }) => (
            <TaskBody key={found.id} task={found} isEditing={isEditing} onSpawn={() => setSpawning(true)} />
          )}
        </Loaded>
      )}
      {isSpawning && <SpawnDialog projectId={projectId} taskId={taskId} onClose={() => setSpawning(false)} />}
    </Dialog>
  );
}

function TaskBody({ task, isEditing, onSpawn }: { task: Task; isEditing: boolean; onSpawn: () => void }) {
  const [isMoving, setMoving] = useState(false);
  const editDescription = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isEditing) editDescription.current?.click();
  }, [isEditing]);
  const open = openThough(task.status, countOf(task.acceptanceCriteria));
  useKeys({
    s: onSpawn,
    m: () => setMoving(true),
    e: () => editDescription.current?.click(),
  });
  return (
    <div className="flex flex-col gap-5">
      <EditableText task={task} label="Title" read={({ title }) => title} write={(title) => ({ title })}>
        <p className="text-xl leading-snug font-semibold">
          <bdi>{task.title}</bdi>
        </p>
      </EditableText>
      <TaskFacts task={task} isMoving={isMoving} onMoving={setMoving} />
      {task.escalations?.map((id) => (
        <TaskQuestion key={id} id={id} />
      ))}
      <Section title="Description">
        <EditableText
          task={task}
          label="Description"
          isLong
          hint="Markdown. Ctrl+Enter saves."
          read={({ description }) => description}
          write={(description) => ({ description })}
          editButton={editDescription}
        >
          <Text text={task.description} none="No description yet. Describe what to do, and what not to." />
        </EditableText>
      </Section>
      <Section
        title="Acceptance criteria"
        count={task.acceptanceCriteria.length || undefined}
        actions={open !== undefined && <Badge tone="warn">{open}</Badge>}
      >
        <CriteriaList task={task} />
      </Section>
      <TaskResult task={task} />
      <TaskReviews task={task} />
      <TaskRuns task={task} />
      <Section title="Notes">
        <EditableText
          task={task}
          label="Notes"
          isLong
          hint="Markdown. Agents on this task read them."
          read={({ notes }) => notes}
          write={(notes) => ({ notes })}
        >
          <Text text={task.notes} none="None" />
        </EditableText>
      </Section>
      <Section title="History" count={task.history.length}>
        <TaskHistory history={task.history} />
      </Section>
      <p className="border-t border-line pt-3 text-xs text-faint">
        File: <code>{task.path}</code>
      </p>
    </div>
  );
}

/** What it is blocked by that only a person can answer. */
function TaskQuestion({ id }: { id: string }) {
  const found = useQuery(queries.escalation(id)).data?.escalation;
  if (found === undefined || found.status === "resolved") return null;
  return <QuestionBox escalation={found} title="Blocked by a question:" />;
}

function Text({ text, none }: { text: string; none: string }) {
  if (text.trim() === "") return <p className="text-sm text-faint">{none}</p>;
  return (
    <div className="text-sm">
      <Markdown text={text} />
    </div>
  );
}

const who: Record<string, string> = { person: "You", agent: "An agent", daemon: "Guildhall" };

/** Who brought the task from where to where, the newest first. */
function TaskHistory({ history }: { history: Task["history"] }) {
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

/** What reviewers said of what was handed in, whole when it is opened. */
function TaskReviews({ task }: { task: Task }) {
  const reviews = useReviews({ projectId: task.projectId, taskId: task.id });
  if (reviews.length === 0) return null;
  return (
    <Section title="Reviews" count={reviews.length}>
      <ul className="flex flex-col gap-2">
        {reviews.map((run) => (
          <li key={run.id} className="rounded-lg border border-line bg-card px-3 py-2">
            <ReviewLine run={run} />
            {run.result !== undefined && (
              <details className="mt-1 text-sm">
                <summary className="text-xs text-faint">Full review</summary>
                <Markdown text={run.result.output} />
                <Findings findings={run.result.review?.findings ?? []} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
