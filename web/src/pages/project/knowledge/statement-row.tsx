import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Statement } from "../../../../../src/contract/documents/knowledge.ts";
import { failureOf } from "../../../api/failure.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Meanwhile } from "../../../ui/meanwhile.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { ReplacedBy, StatementOrigins } from "./statement-origins.tsx";
import { asShown, ofProject } from "./statement-place.ts";
import { StatementUses } from "./statement-uses.tsx";

interface RowProps {
  statement: Statement;
  /** All of them are the hall's, and it need not be said of each. */
  isAmongHalls: boolean;
  /** They are of several projects. */
  showProject?: boolean;
}

type Doing = "correct" | "remove" | "promote" | "uses";

export function StatementRow({ statement, isAmongHalls, showProject = false }: RowProps) {
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const { projectId, status, text } = statement;
  return (
    <li className="flex items-start gap-2 border-b border-line px-3 py-2.5 last:border-b-0">
      {doing === "correct" ? (
        <CorrectStatement statement={statement} onClose={close} />
      ) : (
        <>
          <div className="min-w-0 flex-1">
            <p dir="auto" className="wrap-anywhere">
              {status === "superseded" ? <s className="text-faint">{text}</s> : text}
            </p>
            <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
              {projectId === undefined && !isAmongHalls && <Badge tone="accent">All projects</Badge>}
              {projectId !== undefined && showProject && <ProjectName id={projectId} />}
              {statement.promoted && <Badge tone="info">Shared with all projects</Badge>}
              {status === "superseded" && (
                <span>
                  <ReplacedBy by={statement.replacedBy} />
                </span>
              )}
              {statement.date !== undefined && <span>{statement.date}</span>}
              <StatementOrigins origins={statement.origins} />
            </p>
          </div>
          {status === "pending" && <AcceptStatement statement={statement} />}
          <StatementMenu statement={statement} onChoose={setDoing} />
        </>
      )}
      {doing === "remove" && <RemoveStatement statement={statement} onClose={close} />}
      {doing === "promote" && <PromoteStatement statement={statement} onClose={close} />}
      {doing === "uses" && <StatementUses statement={statement} onClose={close} />}
    </li>
  );
}

function AcceptStatement({ statement }: { statement: Statement }) {
  const accept = useAct("acceptKnowledge", { done: "Accepted." });
  return (
    <Button size="small" busy={accept.isPending} onClick={() => accept.mutate(asShown(statement))}>
      Accept
    </Button>
  );
}

function StatementMenu({ statement, onChoose }: { statement: Statement; onChoose: (doing: Doing) => void }) {
  const accept = useAct("acceptKnowledge", { done: "Restored." });
  const supersede = useAct("supersedeKnowledge", { done: "Marked as superseded." });
  const { projectId, promoted, status } = statement;
  const canPromote = projectId !== undefined && !promoted && status === "accepted";
  return (
    <Menu
      label="Actions for this entry"
      trigger={
        <IconButton label="Actions" data-row className="-my-1 -mr-1">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
      items={[
        { label: "Edit", onSelect: () => onChoose("correct") },
        { label: "Where used", onSelect: () => onChoose("uses") },
        ...(canPromote
          ? [{ label: "Promote", detail: "Share it with all projects.", onSelect: () => onChoose("promote") }]
          : []),
        ...(status === "superseded"
          ? [{ label: "Restore", onSelect: () => accept.mutate(asShown(statement)) }]
          : [
              {
                label: "Mark as superseded",
                detail: "Keep it here; agents no longer get it.",
                onSelect: () => supersede.mutate(asShown(statement)),
              },
            ]),
        { label: status === "pending" ? "Reject" : "Remove", danger: true, onSelect: () => onChoose("remove") },
      ]}
    />
  );
}

function CorrectStatement({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const [from, setFrom] = useState(statement);
  const [text, setText] = useState(statement.text);
  const correct = useAct("updateKnowledge", { done: "Saved.", onDone: onClose, onFailure: shownInline });
  const isLate = correct.error !== null && failureOf(correct.error).code === "version_mismatch";
  const isOvertaken = isLate && statement.etag !== from.etag;
  return (
    <form
      className="flex min-w-0 flex-1 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const ask = { params: { id: from.id }, query: ofProject(from), body: { text } };
        correct.mutate({ ...ask, ifMatch: from.etag });
      }}
    >
      <TextArea
        label="Entry"
        hideLabel
        rows={2}
        maxLength={500}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {isOvertaken && (
        <Meanwhile
          what="This entry or one next to it"
          theirs={statement.text}
          onTake={onClose}
          onKeep={() => {
            setFrom(statement);
            correct.reset();
          }}
        />
      )}
      {correct.error !== null && !isOvertaken && <Trouble error={correct.error} />}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          size="small"
          kind="primary"
          busy={correct.isPending}
          disabled={text.trim() === "" || isOvertaken}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

function RemoveStatement({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const remove = useAct("removeKnowledge", { done: "Removed.", onDone: onClose, onFailure: shownInline });
  const whose = statement.projectId === undefined ? "any project" : "this project";
  return (
    <Confirm
      title="Remove this entry?"
      action="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate({ params: { id: statement.id }, query: ofProject(statement), ifMatch: statement.etag })
      }
      onClose={onClose}
    >
      <blockquote className="border-l-2 border-line pl-3 text-faint">{statement.text}</blockquote>
      <p>Agents in {whose} will no longer see it.</p>
    </Confirm>
  );
}

function PromoteStatement({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const promote = useAct("promoteKnowledge", { done: "Promoted.", onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title="Promote this entry?"
      action="Promote"
      danger={false}
      busy={promote.isPending}
      error={promote.error}
      onConfirm={() => promote.mutate({ body: { project: statement.projectId ?? "", id: statement.id } })}
      onClose={onClose}
    >
      <blockquote className="border-l-2 border-line pl-3 text-faint">{statement.text}</blockquote>
      <p>It's copied to the workspace's knowledge, where agents in every project see it.</p>
    </Confirm>
  );
}
