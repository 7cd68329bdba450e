import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import type { CriterionState, Team } from "../../../../../src/contract/documents/teams/team.ts";
import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";
import { CHECK_WORDS } from "../../../../../src/contract/words/teams/team-choices.ts";
import { hasEnded } from "../../../../../src/contract/words/teams/team-words.ts";
import { failureOf } from "../../../api/failure.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { plural } from "../../../ui/figures.tsx";
import { Card, Section } from "../../../ui/page.tsx";
import { PriorityBadge } from "../../../ui/run/status.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { CriterionBadge } from "../../../ui/team/team-badges.tsx";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { DocumentEditor } from "../../project/documents/document-editor.tsx";
import { TaskTitle } from "../task-title.tsx";
import { type Coverage, coverageOf } from "../team-model.ts";

type Spec = RouteResponse<"getTeamSpec">;

/** Each requirement with what proves it, and the text of the spec, which can be edited at any time. */
export default function SpecView({ team }: { team: Team }) {
  const found = useQuery(queries.teamSpec(team.id));
  const tasks = useQuery(queries.teamTasks(team.id)).data?.tasks ?? [];
  if (found.data === undefined && found.error !== null && isMissing(found.error))
    return <Empty title="No spec yet.">The lead reads the code and writes it first.</Empty>;
  return (
    <Loaded query={found}>
      {(spec) => (
        <div className="grid min-w-0 items-start gap-5 lg:grid-cols-2">
          <Section title="Requirements" count={spec.spec.requirements.length}>
            <ol aria-label="Requirements" className="flex flex-col gap-2">
              {coverageOf(spec.spec, spec.criteria, tasks).map((covered) => (
                <li key={covered.requirement.id}>
                  <RequirementCard covered={covered} />
                </li>
              ))}
            </ol>
          </Section>
          <SpecText team={team} spec={spec} />
        </div>
      )}
    </Loaded>
  );
}

function isMissing(error: unknown): boolean {
  const { status } = failureOf(error);
  return status === 404 || status === 409;
}

function RequirementCard({ covered: { requirement, criteria, met, tasks } }: { covered: Coverage }) {
  const { id, text, priority } = requirement;
  return (
    <Card className="px-3 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-mono text-xs text-faint">{id}</span>
        {(priority === "high" || priority === "urgent") && <PriorityBadge priority={priority} />}
        <span className="ml-auto inline-flex items-center gap-2 text-xs text-faint tabular-nums">
          {met} of {criteria.length} met
          <span aria-hidden className="inline-block h-1.5 w-12 overflow-hidden rounded-full bg-line">
            <span
              className="block h-full bg-good"
              style={{ width: `${criteria.length === 0 ? 0 : (met / criteria.length) * 100}%` }}
            />
          </span>
        </span>
      </div>
      <p dir="auto" className="mt-1 font-medium wrap-anywhere">
        {visibleLine(text)}
      </p>
      <ul aria-label={`Acceptance criteria of ${id}`} className="mt-1 flex flex-col gap-1">
        {criteria.map((criterion) => (
          <Criterion key={criterion.id} criterion={criterion} />
        ))}
      </ul>
      <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-faint">
        {tasks.length === 0 ? "No task covers it yet." : "Covered by "}
        {tasks.slice(0, MOST_TASKS).map((task) => (
          <TaskTitle key={task.key} task={task} />
        ))}
        {tasks.length > MOST_TASKS && <span>and {plural(tasks.length - MOST_TASKS, "more task")}</span>}
      </p>
    </Card>
  );
}

const MOST_TASKS = 5;

function Criterion({ criterion: { id, text, kind, command, state, evidence } }: { criterion: CriterionState }) {
  return (
    <li className="flex items-start gap-2">
      <span className="mt-px shrink-0">
        <CriterionBadge state={state} />
      </span>
      <div className="min-w-0">
        <p dir="auto" className="wrap-anywhere">
          {visibleLine(text)}
        </p>
        <p className="text-xs text-faint wrap-anywhere">
          <span className="font-mono">{id}</span> · {CHECK_WORDS[kind]}
          {command !== undefined && (
            <>
              {" "}
              <code>{visibleLine(command.join(" "))}</code>
            </>
          )}
        </p>
        {evidence !== undefined && (
          <p className="text-xs wrap-anywhere">
            <span className="text-faint">Proof: </span>
            <bdi>{visibleLine(evidence)}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}

function SpecText({ team, spec: { text, etag } }: { team: Team; spec: Spec }) {
  const [isEditing, setEditing] = useState(false);
  const save = useAct("updateTeamSpec", {
    done: ({ changed }) => savedWords(changed),
    onDone: () => setEditing(false),
    onFailure: shownInline,
  });
  return (
    <Section
      title="Text"
      actions={
        !isEditing &&
        !hasEnded(team.status) && (
          <Button size="small" onClick={() => setEditing(true)}>
            <Pencil size={14} aria-hidden />
            Edit
          </Button>
        )
      }
    >
      {isEditing ? (
        <>
          <p className="text-xs text-faint">
            Keep the REQ ids of requirements that stay. Tasks of removed requirements that have not begun are left out;
            new requirements get a task before the team delivers.
          </p>
          <DocumentEditor
            label="Text of the spec"
            current={{ content: text, etag }}
            busy={save.isPending}
            failure={save.error}
            onSave={(content, ifMatch) => save.mutate({ params: { id: team.id }, body: { text: content }, ifMatch })}
            onClose={() => setEditing(false)}
          />
        </>
      ) : (
        <Card className="px-4 py-3 text-sm wrap-anywhere">
          <Markdown text={text} project={team.projectId} />
        </Card>
      )}
    </Section>
  );
}

function savedWords(changed: readonly string[]): string {
  return changed.length === 0
    ? "Spec saved. Nothing changes for the tasks."
    : `Spec saved. Changed: ${changed.join(", ")}.`;
}
