import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { AnswerRule } from "../../../../../src/contract/documents/answer-rule.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Section } from "../../../ui/page.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { Trouble } from "../../../ui/states.tsx";

/** Questions that are always answered the same way. */
export function AnswerRules({ project }: { project: string | undefined }) {
  const { data } = useQuery(queries.answerRules(project === undefined ? {} : { project }));
  if (data === undefined || data.rules.length === 0) return null;
  return (
    <Section title="Rules" count={data.rules.length}>
      <p className="text-sm text-faint">Agents that ask one of these questions get the answer without asking you.</p>
      <ul aria-label="Rules" className="rounded-lg border border-line bg-card">
        {data.rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} />
        ))}
      </ul>
    </Section>
  );
}

function RuleRow({ rule }: { rule: AnswerRule }) {
  const [doing, setDoing] = useState<"edit" | "remove">();
  const close = () => setDoing(undefined);
  return (
    <li className="flex flex-wrap items-start gap-2 border-b border-line px-3 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <p dir="auto" className="text-sm text-faint">
          {rule.question}
        </p>
        {doing === "edit" ? <EditRule rule={rule} onClose={close} /> : <p dir="auto">{rule.resolution}</p>}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
          {rule.projectId === undefined ? (
            <Badge tone="accent">All projects</Badge>
          ) : (
            <ProjectName id={rule.projectId} />
          )}
          <span>{rule.id}</span>
          {rule.from !== undefined && (
            <Link to="/inbox" search={{ id: rule.from }} className="text-accent underline">
              {rule.from}
            </Link>
          )}
        </p>
      </div>
      {doing !== "edit" && (
        <div className="flex gap-2">
          <Button size="small" onClick={() => setDoing("edit")}>
            Edit
          </Button>
          <Button size="small" kind="danger" onClick={() => setDoing("remove")}>
            Remove
          </Button>
        </div>
      )}
      {doing === "remove" && <RemoveRule rule={rule} onClose={close} />}
    </li>
  );
}

function EditRule({ rule, onClose }: { rule: AnswerRule; onClose: () => void }) {
  const [text, setText] = useState(rule.resolution);
  const save = useAct("updateAnswerRule", { done: "Saved.", onDone: onClose, onFailure: shownInline });
  return (
    <form
      className="flex flex-col gap-2 py-1"
      onSubmit={(event) => {
        event.preventDefault();
        // A label that was chosen once would contradict other words.
        save.mutate({ params: { id: rule.id }, body: { resolution: text, answer: null } });
      }}
    >
      <TextArea
        label="Answer"
        hideLabel
        rows={2}
        maxLength={20_000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {save.error !== null && <Trouble error={save.error} />}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="small" kind="primary" busy={save.isPending} disabled={text.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}

function RemoveRule({ rule, onClose }: { rule: AnswerRule; onClose: () => void }) {
  const remove = useAct("removeAnswerRule", { done: "Removed.", onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title="Remove this rule?"
      action="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id: rule.id } })}
      onClose={onClose}
    >
      <blockquote className="border-l-2 border-line pl-3 text-faint">{rule.question}</blockquote>
      <p>Agents will ask you this question again, unless an earlier answer is recorded.</p>
    </Confirm>
  );
}
