import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectView } from "../../../../../src/contract/routes/project-routes.ts";
import { failureOf } from "../../../api/failure.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded, Trouble } from "../../../ui/states.tsx";
import { withoutSaved } from "../../../ui/without-saved.ts";
import { Budgets } from "../../costs/budgets.tsx";
import { useProjectId } from "../project-id.ts";
import { DangerZone } from "./danger-zone.tsx";
import { changeOf, draftOf, overtakenBy, type SettingsDraft } from "./settings-draft.ts";
import { PurposeFields, SandboxFields, WorkFields, WorktreeFields } from "./settings-fields.tsx";

/** What a person decides about a project. */
export default function SettingsTab() {
  const id = useProjectId();
  const found = useQuery(queries.project(id));
  return (
    <Loaded query={found}>
      {({ project }) => (
        <div className="flex max-w-4xl flex-col gap-6">
          <SettingsForm key={project.id} project={project} refresh={() => void found.refetch()} />
          <Budgets project={project.id} />
          <DangerZone project={project} />
        </div>
      )}
    </Loaded>
  );
}

function SettingsForm({ project, refresh }: { project: ProjectView; refresh: () => void }) {
  const { draft, change, overtaken, set, clear, saving } = useSettingsDraft(project);
  const save = useAct("updateProject", { done: "Saved.", onFailure: shownInline, untilShown: true });
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (change === undefined) return;
        const onSuccess = saving();
        save.mutate(
          { params: { id: project.id }, body: change, ifMatch: project.etag },
          { onSuccess, onError: refresh },
        );
      }}
    >
      <fieldset disabled={project.status === "archived"} className="flex min-w-0 flex-col gap-6">
        <PurposeFields draft={draft} set={set} />
        <WorkFields draft={draft} set={set} />
        <SandboxFields draft={draft} set={set} />
        <WorktreeFields draft={draft} set={set} />
      </fieldset>
      {change !== undefined && (
        <SaveBar
          overtaken={overtaken}
          busy={save.isPending}
          error={save.error}
          onUndo={() => {
            clear();
            save.reset();
          }}
        />
      )}
    </form>
  );
}

interface SaveBarProps {
  overtaken: readonly string[];
  busy: boolean;
  error: unknown;
  onUndo: () => void;
}

/** Stays in sight as long as something is not saved. */
function SaveBar({ overtaken, busy, error, onUndo }: SaveBarProps) {
  const isLate = error != null && failureOf(error).code === "version_mismatch";
  return (
    <div className="sticky bottom-2 z-10 flex flex-col gap-2 rounded-lg border border-line bg-card p-3 shadow-lg max-md:bottom-16">
      {(isLate || overtaken.length > 0) && (
        <div role="alert" className="text-sm text-warn">
          <p>
            This project changed while you were editing. Your edits are still here; saving writes only the fields you
            changed.
          </p>
          {overtaken.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      {error != null && !isLate && <Trouble error={error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-sm text-faint">You have unsaved changes.</p>
        <Button onClick={onUndo}>Discard changes</Button>
        <Button type="submit" kind="primary" busy={busy}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** The settings as they are now, with what the person typed over them: a field nobody touches stays live. */
function useSettingsDraft(project: ProjectView) {
  const now = draftOf(project);
  /** `from`: what the fields held when the person began with them. */
  const [{ typed, from }, setState] = useState<Record<"typed" | "from", Partial<SettingsDraft>>>(UNTOUCHED);
  const draft = { ...now, ...typed };
  return {
    draft,
    change: changeOf(now, draft),
    overtaken: overtakenBy(now, from, typed),
    set: (part: Partial<SettingsDraft>) => {
      const before = Object.fromEntries(Object.keys(part).map((key) => [key, now[key as keyof SettingsDraft]]));
      setState((all) => ({ typed: { ...all.typed, ...part }, from: { ...before, ...all.from } }));
    },
    clear: () => setState(UNTOUCHED),
    /** Call the result when what is typed now is saved. */
    saving: () => () =>
      setState((all) => {
        const left = withoutSaved(all.typed, typed);
        const began = Object.entries({ ...all.from, ...typed }).filter(([key]) => key in left);
        return { typed: left, from: Object.fromEntries(began) };
      }),
  };
}

const UNTOUCHED = { typed: {}, from: {} };
