import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Topic } from "../../../../../src/contract/documents/knowledge.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Loaded, Trouble } from "../../../ui/states.tsx";
import { grouped } from "../documents/document-kind.ts";
import { useProjectId } from "../project-id.ts";
import { StatementRow } from "./statement-row.tsx";

const MOST = 1_000;
const TOPICS: Record<Topic, string> = {
  conventions: "Conventions",
  decisions: "Decisions",
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
  const known = useQuery(queries.knowledge({ ...whose, limit: MOST, ...(q === "" ? {} : { q }) }));
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
      <Loaded query={known}>
        {({ statements, total }) => (
          <>
            {statements.length === 0 && <NoKnowledge isSearch={q !== ""} />}
            {grouped(statements, ({ topic }) => topic).map(([topic, found]) => (
              <Section key={topic} title={TOPICS[topic as Topic]} count={found.length}>
                <ul aria-label={TOPICS[topic as Topic]} className="rounded-lg border border-line bg-card">
                  {found.map((statement) => (
                    <StatementRow
                      key={`${statement.projectId} ${statement.id}`}
                      statement={statement}
                      isAmongHalls={project === undefined}
                    />
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
    </div>
  );
}

function NoKnowledge({ isSearch }: { isSearch: boolean }) {
  if (isSearch) return <Empty title="No entries match this search." />;
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
