import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Statement, Topic } from "../../../../../src/contract/documents/knowledge.ts";
import { wordsOf } from "../../../api/address.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Loaded, Trouble } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";
import { AnswerRules } from "./answer-rules.tsx";
import { Contradictions } from "./contradictions.tsx";
import { PendingStatements, pendingIn } from "./pending-statements.tsx";
import { keyOf } from "./statement-place.ts";
import { StatementRow } from "./statement-row.tsx";
import { SupersededStatements } from "./superseded-statements.tsx";

const MOST = 1_000;
const TOPICS: Record<Topic, string> = {
  decisions: "Decisions",
  conventions: "Conventions",
  patterns: "Patterns",
  preferences: "Preferences",
};
const OF_HALL: readonly Topic[] = ["conventions", "preferences", "decisions"];
const OF_PROJECT: readonly Topic[] = ["conventions", "decisions", "patterns"];

export default function KnowledgeTab() {
  return <Knowledge project={useProjectId()} />;
}

/** Short statements that last: a project's own and the hall's that hold there too, or, without a project, the hall's. */
export function Knowledge({ project }: { project: string | undefined }) {
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const whose = project === undefined ? ({ scope: "hall" } as const) : { project };
  const known = useQuery(queries.knowledge({ ...whose, status: "accepted", limit: MOST, ...(q === "" ? {} : { q }) }));
  const pending = useQuery(pendingIn(project));
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <AddStatement project={project} />
      <TextField
        type="search"
        label="Search knowledge"
        hideLabel
        placeholder="Search knowledge"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {q === "" && <Contradictions project={project} />}
      {q === "" && <PendingStatements project={project} />}
      <Loaded query={known}>
        {({ statements, total }) => (
          <>
            {statements.length === 0 && <NoKnowledge isSearch={q !== ""} hasPending={pending.data?.total !== 0} />}
            {byTopic(statements).map(([topic, found]) => (
              <Section key={topic} title={TOPICS[topic]} count={found.length}>
                <ul aria-label={TOPICS[topic]} className="rounded-lg border border-line bg-card">
                  {found.map((statement) => (
                    <StatementRow key={keyOf(statement)} statement={statement} isAmongHalls={project === undefined} />
                  ))}
                </ul>
              </Section>
            ))}
            {total > statements.length && (
              <p className="text-xs text-faint">
                {statements.length} of {total} shown. Search to find more.
              </p>
            )}
          </>
        )}
      </Loaded>
      {q === "" && <AnswerRules project={project} />}
      {q === "" && <SupersededStatements project={project} />}
    </div>
  );
}

function byTopic(statements: readonly Statement[]): [Topic, Statement[]][] {
  const groups = Map.groupBy(statements, ({ topic }) => topic);
  return wordsOf(TOPICS).flatMap((topic) => {
    const found = groups.get(topic);
    return found === undefined ? [] : [[topic, found] as [Topic, Statement[]]];
  });
}

function NoKnowledge({ isSearch, hasPending }: { isSearch: boolean; hasPending: boolean }) {
  if (isSearch) return <Empty title="No entries match this search." />;
  if (hasPending) return <Empty title="No accepted entries yet." />;
  return (
    <Empty title="No knowledge yet.">
      Add a convention or a decision every agent should know. Agents add what they learn.
    </Empty>
  );
}

function AddStatement({ project }: { project: string | undefined }) {
  const [text, setText] = useState("");
  const [topic, setTopic] = useState<Topic>("conventions");
  const add = useAct("addKnowledge", {
    done: ({ merged }) => (merged ? "Already saved; date updated." : "Added."),
    onDone: () => setText(""),
    onFailure: shownInline,
  });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ body: { text, topic, ...(project === undefined ? {} : { project }) } });
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-72">
          <TextField
            label="Add an entry"
            placeholder={
              project === undefined ? "Write docs in American English." : "Store prices in cents, never as fractions."
            }
            maxLength={500}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <SelectField label="Topic" value={topic} onChange={({ target }) => setTopic(target.value as Topic)}>
          {(project === undefined ? OF_HALL : OF_PROJECT).map((each) => (
            <option key={each} value={each}>
              {TOPICS[each]}
            </option>
          ))}
        </SelectField>
        <Button type="submit" kind="primary" busy={add.isPending} disabled={text.trim() === ""}>
          Add
        </Button>
      </div>
      {add.error !== null && <Trouble error={add.error} />}
    </form>
  );
}
