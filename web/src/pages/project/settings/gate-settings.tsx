import { useQuery } from "@tanstack/react-query";
import type { DetectedCheck } from "../../../../../src/contract/documents/quality/gate.ts";
import type { ProjectView } from "../../../../../src/contract/routes/project-routes.ts";
import { failureOf } from "../../../api/failure.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { gateDraftOf, nested, valueAt } from "../../settings/gates/gate-draft.ts";
import { GateForm } from "../../settings/gates/gate-form.tsx";
import { useProjectId } from "../project-id.ts";

/** How the changes of one project are judged. */
export default function GateSettings() {
  const found = useQuery(queries.project(useProjectId()));
  return <Loaded query={found}>{({ project }) => <ProjectForm key={project.id} project={project} />}</Loaded>;
}

function ProjectForm({ project }: { project: ProjectView }) {
  const save = useAct("updateProject", { done: "Saved.", onFailure: shownInline, untilShown: true });
  const hall = useQuery(queries.settings()).data?.settings;
  const own = project.config.qualityGates;
  if (hall === undefined) return <Loading lines={8} />;
  return (
    <GateForm
      now={gateDraftOf((key) => valueAt(own, key))}
      inherited={(key) => hall.find((setting) => setting.key === `agentTeams.qualityGates.${key}`)?.value}
      disabled={project.status === "archived"}
      beside={{ Commands: <Detected project={project.id} /> }}
      busy={save.isPending}
      error={save.error}
      onSave={(change, done) =>
        save.mutate(
          { params: { id: project.id }, body: { config: { qualityGates: nested(change) } }, ifMatch: project.etag },
          { onSuccess: done },
        )
      }
    />
  );
}

/** What the gates would run here, with the settings as they are saved. */
function Detected({ project }: { project: string }) {
  const found = useQuery(queries.detectedChecks(project));
  if (found.error !== null)
    return <p className="text-sm text-faint">Commands can't be detected here: {failureOf(found.error).message}</p>;
  if (found.data === undefined) return <Loading lines={2} label="Looking for commands" />;
  const { checks } = found.data;
  if (checks.length === 0)
    return (
      <p className="text-sm text-warn">
        No command was detected. Without a syntax check or tests, changes can't be judged and wait for you.
      </p>
    );
  return (
    <section aria-label="Detected commands" className="rounded-md border border-line bg-sunk px-3 py-2">
      <h3 className="text-sm font-medium">Detected commands</h3>
      <ul className="flex flex-col gap-2 pt-1">
        {checks.map((check) => (
          <DetectedRow key={`${check.check} ${check.folder} ${check.command}`} check={check} />
        ))}
      </ul>
    </section>
  );
}

function DetectedRow({ check: { check, tool, command, folder, from, missing } }: { check: DetectedCheck }) {
  return (
    <li className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <Badge tone={missing === undefined ? "good" : "warn"}>{check === "syntax" ? "Syntax" : "Tests"}</Badge>
        <code className="text-xs break-all">{visibleLine(command)}</code>
      </p>
      <p className="text-xs wrap-anywhere text-faint">
        {visibleLine(tool)}
        {folder !== "" && ` in ${visibleLine(folder)}`}, from {visibleLine(from)}
        {missing !== undefined && <span className="text-warn"> · can't run here: {visibleLine(missing)}</span>}
      </p>
    </li>
  );
}
