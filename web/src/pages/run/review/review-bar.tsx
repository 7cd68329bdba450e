import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, MessageSquareDiff, Trash2, TriangleAlert } from "lucide-react";
import { type RefObject, useState } from "react";
import type { MergeMethod } from "../../../../../src/contract/documents/merge-method.ts";
import type { Run, RunDiff } from "../../../../../src/contract/runs/run.ts";
import { blockerWords } from "../../../../../src/contract/words/blocker-words.ts";
import { RUN_ACTIONS } from "../../../../../src/contract/words/run-words.ts";
import { failureOf } from "../../../api/failure.ts";
import { queries } from "../../../api/queries.ts";
import { shownInlineUnlessLate, useAct } from "../../../api/use-act.ts";
import { useKeys } from "../../../shell/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { plural } from "../../../ui/figures.tsx";
import { ReviewLine, useReviews } from "../../../ui/run/reviews.tsx";
import { lackingWords } from "../../../ui/run/status.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import type { DiffFile } from "../diff/diff-model.ts";
import type { Draft } from "../diff/use-draft.ts";
import { requestedIn } from "./line-comments.ts";
import { MergeChoice, PullRequest } from "./merge-choice.tsx";
import { useDiscard } from "./use-discard.ts";

interface ReviewBarProps {
  run: Run;
  diff: RunDiff;
  files: readonly DiffFile[];
  draft: Draft;
  box: RefObject<HTMLTextAreaElement | null>;
  onLeave: () => void;
}

/** The decision about a result, always in sight below it. What is approved is the diff that is shown, by its hash. */
export function ReviewBar({ run, diff, files, draft, box, onLeave }: ReviewBarProps) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const [isEmpty, setEmpty] = useState(false);
  const reject = useAct("requestChanges", {
    done: "Changes requested. A new run started.",
    onDone: ({ sessionId }) => {
      draft.write("");
      void navigate({ to: "/runs/$runId", params: { runId: sessionId } });
    },
    onFailure: shownInlineUnlessLate,
  });
  const requestChanges = () => {
    const hasNothing = draft.text.trim() === "";
    setEmpty(hasNothing);
    if (hasNothing) box.current?.focus();
    else reject.mutate({ params: { runId: run.id }, body: requestedIn(draft.text, files) });
  };
  const discard = useDiscard(run, shownInlineUnlessLate);
  const throwAway = () => discard.mutate({ params: { runId: run.id }, body: { task: "pending" } });
  const failed = reject.error ?? discard.error;
  const error = isEmpty
    ? "Describe the changes for the next run."
    : failed === null
      ? undefined
      : failureOf(failed).message;
  const hasLines = files.length > 0;
  useKeys({ a: () => setAsking(true), r: () => box.current?.focus(), d: throwAway });
  return (
    <section
      aria-label="Review"
      className="sticky bottom-0 z-10 -mx-4 mt-auto -mb-5 border-t border-line bg-card px-4 py-3 shadow-[0_-4px_12px_rgb(0_0_0/0.06)] max-md:bottom-[45px] sm:mx-0 sm:rounded-lg sm:border md:bottom-0"
    >
      <Reviews run={run} />
      <Blockers blockers={diff.blockers} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-72">
          <TextArea
            ref={box}
            label="Requested changes"
            hideLabel
            rows={Math.min(6, Math.max(1, draft.text.split("\n").length))}
            placeholder={`Request changes…${hasLines ? " (click a line number to comment)" : ""}`}
            value={draft.text}
            error={error}
            onChange={(event) => draft.write(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") onLeave();
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) requestChanges();
            }}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button busy={discard.isPending} onClick={throwAway} title="Press d">
            <Trash2 size={14} aria-hidden />
            {RUN_ACTIONS.discard.label}
          </Button>
          <Button busy={reject.isPending} onClick={requestChanges} title="Press r">
            <MessageSquareDiff size={14} aria-hidden />
            {RUN_ACTIONS.requestChanges.label}
          </Button>
          <Button kind="primary" onClick={() => setAsking(true)} title="Press a">
            <Check size={14} aria-hidden />
            {hasLines || diff.incomplete ? RUN_ACTIONS.approve.label : "Mark as done"}
          </Button>
        </div>
      </div>
      {isAsking && <Approve run={run} diff={diff} files={files} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** What an approval would be refused for, before it is asked for. */
function Blockers({ blockers = [] }: Pick<RunDiff, "blockers">) {
  return blockers.map((blocker) => (
    <p key={blocker.code} className="mb-2 flex items-start gap-2 text-sm text-warn">
      <TriangleAlert size={14} aria-hidden className="mt-1 shrink-0" />
      <span className="min-w-0 break-words">{visibleLine(blockerWords(blocker))}</span>
    </p>
  ));
}

const MOST_REVIEWS = 3;
const MOST_NAMED = 5;

/** What reviewers said of it, where the person decides. */
function Reviews({ run: { id, projectId, taskId } }: { run: Run }) {
  const reviews = useReviews({ projectId, taskId, runId: id }).slice(0, MOST_REVIEWS);
  return reviews.length === 0 ? null : (
    <div className="mb-2 flex flex-col gap-1">
      {reviews.map((review) => (
        <ReviewLine key={review.id} run={review} />
      ))}
    </div>
  );
}

interface ApproveProps extends Pick<ReviewBarProps, "run" | "diff" | "files"> {
  onClose: () => void;
}

function Approve({ run, diff, files, onClose }: ApproveProps) {
  // What was shown when the question was asked, whatever comes meanwhile.
  const [shown] = useState(diff);
  const [hidden] = useState(files.filter(({ isHidden }) => isHidden));
  const isNothing = shown.files.length === 0 && shown.incomplete === undefined;
  const client = useQueryClient();
  const usual = useQuery(queries.project(run.projectId)).data?.project.config.mergeMethod ?? "merge";
  const [how, setHow] = useState<{ mergeMethod?: MergeMethod; keepBranch?: boolean }>({});
  const approve = useAct("approveRun", {
    done: ({ run: { delivery } }) =>
      delivery?.state === "review"
        ? `Approved: ${run.title}. The target moved, so the gates check it again first.`
        : `${isNothing ? "Done" : "Approved"}: ${run.title}`,
    onDone: onClose,
    // It may be refused because it is another one by now: then that is what is shown.
    onFailure: (error) => {
      shownInlineUnlessLate(error);
      void client.invalidateQueries({ queryKey: ["run", run.id] });
    },
  });
  const what = plural(shown.files.length, "changed file");
  const merges = run.delivery?.kind === "branch" && !isNothing;
  return (
    <Confirm
      title={isNothing ? "Mark the task as done?" : "Approve this result?"}
      action={actionOf(run, shown)}
      danger={false}
      busy={approve.isPending}
      error={approve.error}
      onConfirm={() => approve.mutate({ params: { runId: run.id }, body: { hash: shown.hash, ...how } })}
      onClose={onClose}
    >
      {shown.incomplete ? (
        <p>Keeps everything the run changed in the project's folder, shown here or not, and completes the task.</p>
      ) : isNothing ? (
        <p>The run changed no files. This completes {run.taskId}.</p>
      ) : run.delivery?.kind !== "branch" ? (
        <p>
          Keeps {what} in the project's folder and completes {run.taskId}.
        </p>
      ) : (
        <p>
          Merges {what} from <code>{run.delivery.name}</code> into <code>{run.delivery.target}</code> and completes{" "}
          {run.taskId}. You can revert it later.
        </p>
      )}
      {merges && (
        <MergeChoice
          method={how.mergeMethod ?? usual}
          keepBranch={how.keepBranch === true}
          onChange={(next) => setHow({ ...how, ...next })}
        />
      )}
      <Lacking run={run} />
      {shown.controlFiles.length > 0 && <Controlling files={shown.controlFiles} />}
      {hidden.length > 0 && <Unseen files={hidden} />}
      {merges && <PullRequest run={run} diff={shown} />}
      <Blockers blockers={diff.blockers} />
      {diff.hash !== shown.hash && (
        <p className="mt-2 text-warn">
          The changes were updated since you opened this dialog. Close it and review them again.
        </p>
      )}
    </Confirm>
  );
}

function actionOf({ delivery }: Run, { files, incomplete }: RunDiff): string {
  if (files.length === 0 && incomplete === undefined) return "Mark as done";
  return delivery?.kind === "branch" ? "Approve and merge" : "Approve";
}

/** Approving makes the task done, whatever is still open. */
function Lacking({ run }: { run: Run }) {
  const task = useQuery(queries.task(run.projectId, run.taskId)).data?.task;
  const criteria = task?.acceptanceCriteria ?? [];
  const open = criteria.filter(({ done }) => !done).map(({ text }) => text);
  const told = lackingWords(run.result?.outcome);
  return (
    <>
      {open.length > 0 && (
        <div className="mt-2 text-warn">
          <p>
            {open.length} of {plural(criteria.length, "acceptance criterion", "acceptance criteria")} not met:
          </p>
          <ul className="list-disc pl-5">
            {open.slice(0, MOST_NAMED).map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text
              <li key={`${index} ${text}`}>
                <bdi>{text}</bdi>
              </li>
            ))}
            {open.length > MOST_NAMED && <li>and {open.length - MOST_NAMED} more</li>}
          </ul>
        </div>
      )}
      {told !== undefined && <p className="mt-2 text-warn">Reported by the agent: {told.toLowerCase()}.</p>}
    </>
  );
}

/** What an approval lets loose is said once more where it is given. */
function Controlling({ files }: { files: RunDiff["controlFiles"] }) {
  const named = files.slice(0, MOST_NAMED).map(({ path }) => visibleLine(path));
  const more = files.length - named.length;
  return (
    <p className="mt-2 text-warn">
      {plural(files.length, "file controls", "files control")} your tools:{" "}
      <span className="break-words">{named.join(", ")}</span>
      {more > 0 && ` and ${more} more`}.
    </p>
  );
}

/** Nobody agrees by mistake with what could not be looked at. */
function Unseen({ files }: { files: readonly DiffFile[] }) {
  const named = files.slice(0, MOST_NAMED).map(({ path }) => visibleLine(path));
  const more = files.length - named.length;
  return (
    <p className="mt-2 text-warn">
      {plural(files.length, "file")} couldn't be shown in full. Check elsewhere first (
      <span className="break-words">{named.join(", ")}</span>
      {more > 0 && ` and ${more} more`}).
    </p>
  );
}
