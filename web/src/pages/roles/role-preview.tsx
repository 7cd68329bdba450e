import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { SelectField } from "../../ui/field.tsx";
import { plural } from "../../ui/figures.tsx";
import { useSettled } from "../../ui/hooks/use-settled.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Loading } from "../../ui/states.tsx";
import { createOf, type Draft, draftProblems } from "./role-draft.ts";

/** The prompt as an agent of this role would get it, while the role is being written. Nothing is saved. */
export function RolePreview({ draft }: { draft: Draft }) {
  const settled = useSettled(draft);
  const [projectId, setProjectId] = useState("");
  const projects = useQuery(queries.projects());
  const { id: _, ...role } = createOf(settled);
  const isWhole = Object.keys(draftProblems(settled)).length === 0;
  const preview = useQuery({
    queryKey: ["role-preview", role, projectId],
    queryFn: ({ signal }) =>
      call("previewRole", { body: { role, ...(projectId === "" ? {} : { projectId }) }, signal }),
    placeholderData: keepPreviousData,
    enabled: isWhole,
    retry: false,
  });
  return (
    <section aria-label="Preview" className="flex flex-col gap-3 lg:sticky lg:top-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-sm font-semibold">What agents with this role get</h2>
        <SelectField label="Project" value={projectId} onChange={(event) => setProjectId(event.target.value)}>
          <option value="">Example</option>
          {projects.data?.projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      {preview.isError && (
        <p role="alert" className="text-sm text-bad">
          {failureOf(preview.error).message}
        </p>
      )}
      {preview.data === undefined ? (
        isWhole ? (
          <Loading lines={6} />
        ) : (
          <p className="text-sm text-faint">Complete the form to see a preview.</p>
        )
      ) : (
        <Told {...preview.data} />
      )}
    </section>
  );
}

function Told({
  system,
  unknown,
  unused,
  tools,
  ask,
  problems,
}: {
  system: string;
  unknown: string[];
  unused: string[];
  tools: string[];
  ask: string[];
  problems: string[];
}) {
  return (
    <>
      <ul className="flex flex-col gap-1 text-sm empty:hidden">
        {unknown.map((name) => (
          <li key={name} className="text-warn">
            Unknown placeholder: <code>{`{{${name}}}`}</code>
          </li>
        ))}
        {unused.map((name) => (
          <li key={name} className="text-faint">
            Unused variable: <code>{name}</code>
          </li>
        ))}
        {problems.map((problem) => (
          <li key={problem} className="text-warn">
            {problem}
          </li>
        ))}
      </ul>
      <ScrollBox label="Prompt" className="max-h-[60vh]">
        <pre className="text-xs whitespace-pre-wrap">{system}</pre>
      </ScrollBox>
      <p className="flex flex-wrap items-center gap-1 text-xs text-faint">
        {plural(tools.length, "tool")}
        {tools.map((tool) => (
          <Badge key={tool}>{tool}</Badge>
        ))}
      </p>
      {ask.length > 0 && (
        <p className="flex flex-wrap items-center gap-1 text-xs text-faint">
          Asks before
          {ask.map((tool) => (
            <Badge key={tool} tone="warn">
              {tool}
            </Badge>
          ))}
        </p>
      )}
    </>
  );
}
