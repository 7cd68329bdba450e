import { useQuery } from "@tanstack/react-query";
import { queries } from "../../../api/queries.ts";
import { Section } from "../../../ui/page.tsx";
import { keyOf } from "./statement-place.ts";
import { StatementRow } from "./statement-row.tsx";

/** Decisions that answer the same question differently. */
export function Contradictions({ project }: { project: string | undefined }) {
  const { data } = useQuery(queries.contradictions(project === undefined ? {} : { project }));
  if (data === undefined || data.contradictions.length === 0) return null;
  return (
    <Section title="Contradictions" count={data.contradictions.length}>
      <p className="text-sm text-faint">
        The same question has different answers, so agents ask you again. Mark the outdated one as superseded, or edit
        it.
      </p>
      {data.contradictions.map(({ question, statements }) => (
        <ul
          key={`${question} ${statements[0]?.id}`}
          aria-label={question}
          className="rounded-lg border border-warn bg-card"
        >
          {statements.map((statement) => (
            <StatementRow
              key={keyOf(statement)}
              statement={statement}
              isAmongHalls={false}
              showProject={project === undefined}
            />
          ))}
        </ul>
      ))}
    </Section>
  );
}
